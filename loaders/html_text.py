"""Readable text of an HTML page."""

from __future__ import annotations

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup
from bs4.element import NavigableString, Tag

_DROPPED = frozenset(["script", "style", "nav", "noscript", "template", "head", "title"])
_BLOCKS = frozenset(
    [
        *("address", "article", "aside", "blockquote", "dd", "div", "dl", "dt", "figure", "figcaption", "footer"),
        *("form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "li", "main", "ol", "p", "pre", "section"),
        *("table", "tr", "ul"),
    ]
)
_CELLS = frozenset(["td", "th"])
_SPACES = re.compile(r"[ \t\r\f\v\xa0]+")
_LINE_ENDS = re.compile(r" ?(?:\| ?)?\n ?")
_GAPS = re.compile(r"\n{3,}")


def html_text(page: str) -> tuple[str, str]:
    """Title and text: scripts, styles and navigation left out, a line break where a block begins or ends, `` | ``
    between the cells of a table (a person's name and the department beside it are not one name).

    The title is the ``title`` element, else the first ``h1``, else empty.

    :raises ValueError: The page cannot be parsed.
    """
    try:
        soup = BeautifulSoup(page, "html.parser")
        heading = soup.find("title") or soup.find("h1")
        title = "" if heading is None else " ".join(heading.get_text(" ").split())
        text = "".join(_pieces(soup))
    except (RecursionError, AssertionError) as error:  # the standard library's parser asserts on some broken markup
        raise ValueError("the HTML cannot be parsed") from error
    return title, _GAPS.sub("\n\n", _LINE_ENDS.sub("\n", _SPACES.sub(" ", text))).strip()


def _pieces(root: Tag) -> Iterator[str]:
    """Strings of the page in order, without recursion: pages may be nested to any depth."""
    open_tags: list[Tag] = [root]
    children = [iter(root.children)]
    pre = 0
    while children:
        child = next(children[-1], None)
        if child is None:
            tag = open_tags.pop()
            children.pop()
            pre -= tag.name == "pre"
            yield _after(tag.name)
        elif isinstance(child, Tag):
            if child.name in _DROPPED:
                continue
            yield "\n" if child.name in _BLOCKS or child.name == "br" else ""
            pre += child.name == "pre"
            open_tags.append(child)
            children.append(iter(child.children))
        elif type(child) is NavigableString:  # comments and declarations are of other types
            yield str(child) if pre else child.replace("\n", " ")


def _after(name: str) -> str:
    return "\n" if name in _BLOCKS else " | " if name in _CELLS else ""

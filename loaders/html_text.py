"""Readable text of an HTML page."""

from __future__ import annotations

import re

from bs4 import BeautifulSoup
from bs4.element import NavigableString

_DROPPED = ["script", "style", "nav", "noscript", "template", "head"]
_BLOCKS = [
    *("address", "article", "aside", "blockquote", "dd", "div", "dl", "dt", "figure", "figcaption", "footer", "form"),
    *(
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "header",
        "hr",
        "li",
        "main",
        "ol",
        "p",
        "pre",
        "section",
        "table",
        "tr",
        "ul",
    ),
]
_SPACES = re.compile(r"[ \t\r\f\v\xa0]+")
_LINE_ENDS = re.compile(r" ?\n ?")
_GAPS = re.compile(r"\n{3,}")


def html_text(page: str) -> tuple[str, str]:
    """Title and text: scripts, styles and navigation left out, a line break where a block begins or ends.

    The title is the ``title`` element, else the first ``h1``, else empty.

    :raises ValueError: The page is nested too deeply to be read.
    """
    try:
        soup = BeautifulSoup(page, "html.parser")
        heading = soup.find("title") or soup.find("h1")
        title = heading.get_text(" ", strip=True) if heading else ""
        for element in soup.find_all(_DROPPED):
            element.decompose()
        for string in [each for each in soup.descendants if type(each) is NavigableString and "\n" in each]:
            if not string.find_parent("pre"):  # a line end in the source is a space on the page
                string.replace_with(string.replace("\n", " "))
        for element in soup.find_all("br"):
            element.replace_with("\n")
        for element in soup.find_all(["td", "th"]):
            element.append(" ")
        for element in soup.find_all(_BLOCKS):
            element.insert_before("\n")
            element.insert_after("\n")
        text = soup.get_text()
    except RecursionError as error:
        raise ValueError("the HTML is nested too deeply") from error
    return _SPACES.sub(" ", title), _GAPS.sub("\n\n", _LINE_ENDS.sub("\n", _SPACES.sub(" ", text))).strip()

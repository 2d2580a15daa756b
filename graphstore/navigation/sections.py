"""Sections of a document: by the headings of Markdown, else numbered parts. Pure.

Sections follow each other without gap or overlap: put together they are the text. One that is longer than
:data:`PART` tokens is split into parts, at the end of a paragraph, else of a line, a sentence, a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from graphstore.errors import NotFound
from graphstore.names import normalise
from graphstore.navigation.budget import in_line, most
from graphstore.retrieval.prompt_tokens import estimated_tokens

PART = 800
"""Tokens of a section before it is split: three fit into the answer that an agent asks for by default."""

_LISTED = 40
_WINDOW = 32 * PART
"""Characters that are looked at for the next part: all that is left, again and again, would take the square of it."""
_HEADING = re.compile(r" {0,3}(#{1,6})(?=[ \t]|\r?\n?\Z)")
_CLOSING = re.compile(r"(?:\A|(?<=[ \t]))#+\Z")
_UNDERLINE = re.compile(r" {0,3}=+[ \t]*\r?\n?\Z")
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_ENDS = (re.compile(r"\n[ \t]*\r?\n"), re.compile(r"\n"), re.compile(r"[.!?。！？]['\")\]]?\s?"), re.compile(r"\s"))
_LINES = re.compile(r"[^\n]*\n|[^\n]+\Z")
_RANGE = re.compile(r"\s*(\d{1,9})\s*(?:[-–]\s*(\d{1,9})\s*)?")


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a document's text.

    :param number: From 1.
    :param title: Its heading; empty for text without one.
    :param level: Of the heading, 1 to 6; 0 for text without one.
    :param part: Which of the ``parts`` that a long section was split into, from 1.
    :param start: Of its characters in the text; its heading is among them.
    :param line: Its first line, from 1.
    :param tokens: Estimated.
    """

    number: int
    title: str
    level: int
    part: int
    parts: int
    start: int
    end: int
    line: int
    tokens: int

    @property
    def name(self) -> str:
        """Heading and part, on one line."""
        part = f"({self.part}/{self.parts})" if self.parts > 1 else ""
        return f"{in_line(self.title, 60)} {part}".strip()


def sections_of(text: str) -> tuple[Section, ...]:
    """The sections of a text, at least one."""
    out: list[Section] = []
    line = 1
    for title, level, start, end in _headed(text):
        spans = _split(text, start, end)
        for index, (a, b) in enumerate(spans, start=1):
            tokens = estimated_tokens(text[a:b])
            out.append(Section(len(out) + 1, title, level, index, len(spans), a, b, line, tokens))
            line += text.count("\n", a, b)
    return tuple(out)


def chosen(sections: Sequence[Section], wanted: str) -> tuple[Section, ...]:
    """The sections that a number (``3``), a range (``3-5``) or a heading names; with a heading, all beneath it.

    :raises NotFound: There are none, or several headings of this text; the message lists what there is.
    """
    if match := _RANGE.fullmatch(wanted):
        first, last = int(match[1]), int(match[2] or match[1])
        found = tuple(section for section in sections if first <= section.number <= last)
        if not found:
            raise NotFound(f"no section {in_line(wanted)}: there are {len(sections)}: {outline(sections)}")
        return found
    key = normalise(wanted)
    starts = [i for i, each in enumerate(sections) if key and each.part == 1 and normalise(each.title) == key]
    if len(starts) != 1:
        what = f"{len(starts)} sections are called" if starts else "no section is called"
        raise NotFound(f"{what} {in_line(wanted)!r}, ask by number: {outline(sections)}")
    return _beneath(sections, starts[0])


def section_at(sections: Sequence[Section], line: int) -> Section:
    """The section that holds a line, from 1; the last one for lines past the end."""
    return max((section for section in sections if section.line <= line), key=lambda section: section.number)


def outline(sections: Sequence[Section]) -> str:
    r"""Numbers, headings and sizes on one line.

    >>> outline(sections_of("# A\ntext\n# B\n"))
    '1 A (3 tokens), 2 B (2 tokens)'
    """
    shown = [
        f"{' '.join([str(each.number), *each.name.split()])} ({each.tokens} tokens)" for each in sections[:_LISTED]
    ]
    more = len(sections) - len(shown)
    return ", ".join(shown) + (f", and {more} more" if more else "")


def _beneath(sections: Sequence[Section], first: int) -> tuple[Section, ...]:
    """The section, its parts, and what stands beneath its heading."""
    last = first + 1
    while last < len(sections) and (sections[last].level > sections[first].level or sections[last].part > 1):
        last += 1
    return tuple(sections[first:last])


def _headed(text: str) -> Iterator[tuple[str, int, int, int]]:
    """Title, level, start and end of each section by headings."""
    found = [*_headings(text)]
    if not found or text[: found[0][2]].strip():
        found.insert(0, ("", 0, 0))
    else:
        found[0] = (*found[0][:2], 0)  # blank lines before the first heading belong to it
    for (title, level, start), end in zip(found, [*(start for *_, start in found[1:]), len(text)], strict=True):
        yield title, level, start, end


def _headings(text: str) -> Iterator[tuple[str, int, int]]:
    """Title, level and start of each heading outside of fenced code."""
    fence, start, before = "", 0, ""
    for line in _LINES.findall(text):
        mark = _FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(mark[1][0]):
                fence = ""
        elif mark:
            fence = mark[1]
        elif match := _HEADING.match(line):
            yield _CLOSING.sub("", line[match.end() :].strip()).strip(), len(match[1]), start
        elif _UNDERLINE.match(line) and before.strip() and not _HEADING.match(before):
            yield before.strip(), 1, start - len(before)
        start, before = start + len(line), line


def _split(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """Parts of at most :data:`PART` tokens, as spans."""
    spans: list[tuple[int, int]] = []
    while (fitting := _fitting(text[start : min(end, start + _WINDOW)])) < end - start:
        cut = _boundary(text, start, start + max(fitting, 1))
        spans.append((start, cut))
        start = cut
    return [*spans, (start, end)]


def _fitting(text: str) -> int:
    """Characters of the longest beginning of at most :data:`PART` tokens."""
    for near in (text[: 8 * PART], text):  # few texts need more characters than that
        found = most(len(near), lambda size: estimated_tokens(text[:size]) <= PART)
        if found < len(near):
            break
    return found


def _boundary(text: str, start: int, end: int) -> int:
    """The best place to cut in the second half of a span."""
    half = start + (end - start) // 2
    for kind in _ENDS:
        places = [match.end() for match in kind.finditer(text, half, end)]
        if places:
            return places[-1]
    return end

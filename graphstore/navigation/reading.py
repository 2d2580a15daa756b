"""A document's text, or a part of it, within a number of tokens. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphstore.errors import SettingsError
from graphstore.models import StoredDocument
from graphstore.navigation.budget import in_line, most, shortened
from graphstore.navigation.records import DocumentReading, SectionRef
from graphstore.navigation.sections import Section, chosen, outline, section_at, sections_of
from graphstore.navigation.texts import page_names
from graphstore.retrieval.prompt_tokens import estimated_tokens


def document_reading(
    document: StoredDocument, max_tokens: int, *, section: str | None = None, line: int | None = None
) -> DocumentReading:
    """A document, whole or by section, word for word; what does not fit is left out at the end of a line.

    :param section: Number, range or heading, as for :func:`graphstore.navigation.sections.chosen`; the whole if not
        given.
    :param line: Begin at this line, from 1, and end where the text or the section ends.
    :raises NotFound: It has no such section.
    :raises SettingsError: It has no such line.
    """
    text = document.text
    sections = sections_of(text)
    part = _part(text, sections, section, line)
    cut = _Cut(document, sections, part)
    size = most(len(part.ends), lambda count: cut.tokens(part.ends[count - 1] if count else part.start) <= max_tokens)
    end = part.ends[size - 1] if size else part.start
    if not size and part.ends:  # not even one line fits: its beginning
        end += most(part.ends[0] - part.start, lambda n: cut.tokens(part.start + n) <= max_tokens)
    markdown = shortened(cut.text(end), max_tokens)
    return DocumentReading(
        markdown=markdown,
        tokens=estimated_tokens(markdown),
        cut=cut.note(end),
        id=document.id,
        path=document.path,
        title=document.title,
        date=document.modified or document.created,
        text=text[part.start : end],
        start=part.line,
        end=cut.last(end),
        lines=cut.lines,
        whole=part.start == 0 and end == len(text),
        sections=tuple(SectionRef(number=s.number, title=s.name, line=s.line, tokens=s.tokens) for s in sections),
        pages=document.pages,
    )


@dataclass(frozen=True, slots=True)
class _Part:
    """What was asked for.

    :param end: Of its characters.
    :param line: Its first line.
    :param ends: Where each of its lines ends.
    :param named: What it is called; empty for the whole.
    """

    start: int
    end: int
    line: int
    ends: list[int]
    named: str


def _part(text: str, sections: Sequence[Section], section: str | None, line: int | None) -> _Part:
    picked = sections if section is None else chosen(sections, section)
    start, end, first = picked[0].start, picked[-1].end, picked[0].line
    if line is not None:
        last = max(text.count("\n", 0, end) + (not text[:end].endswith("\n")), 1)
        if not first <= line <= last:
            where = "the section" if section else "the document"
            raise SettingsError(f"line: {where} has lines {first} to {last}, got {line}")
        start, first = _offset(text, line), line
    ends = [at + 1 for at, char in enumerate(text[start:end], start) if char == "\n"]
    if not ends or ends[-1] < end:
        ends.append(end)
    numbers = str(picked[0].number) + (f"–{picked[-1].number}" if len(picked) > 1 else "")
    named = f"section {numbers} of {len(sections)} {picked[0].name}".strip() if section is not None else ""
    return _Part(start, end, first, ends, named)


def _offset(text: str, line: int) -> int:
    at = 0
    for _ in range(line - 1):
        at = text.index("\n", at) + 1
    return at


class _Cut:
    """The answer, if the text ends at a character."""

    def __init__(self, document: StoredDocument, sections: Sequence[Section], part: _Part) -> None:
        self._document, self._sections, self._part = document, sections, part
        text = document.text
        self.lines = text.count("\n") + (not text.endswith("\n"))
        self._before = text.count("\n", 0, part.start)

    def tokens(self, end: int) -> int:
        return estimated_tokens(self.text(end))

    def text(self, end: int) -> str:
        note = self.note(end)
        body = self._document.text[self._part.start : end].strip("\n")
        return "\n".join([*self._head(end), "", body, *(["", f"({note})"] if note else [])])

    def last(self, end: int) -> int:
        """The last line that is shown."""
        text = self._document.text[:end]
        return max(text.count("\n") + (not text.endswith("\n")), 1)

    def note(self, end: int) -> str | None:
        """What was left out of what was asked for; where nothing was, nothing."""
        part, text = self._part, self._document.text
        if end >= part.end:
            return None
        left = estimated_tokens(text[end : part.end])
        at = text.count("\n", 0, end) + 1
        whole = end == 0 or text[end - 1] == "\n"
        go_on = f"line={at} goes on" if whole else self._within(at)
        contents = f"; sections: {outline(self._sections)}" if not part.named and len(self._sections) > 1 else ""
        return f"about {left} more tokens left out; {go_on}{contents}"

    def _within(self, line: int) -> str:
        section = section_at(self._sections, line)
        return f"cut inside line {line}; a larger max_tokens, or section={section.number} …, shows more"

    def _head(self, end: int) -> list[str]:
        document, part = self._document, self._part
        day = (document.modified or document.created or "")[:10]
        lines = f"lines {part.line}–{self.last(end)} of {self.lines}"
        about = [document.path, day, part.named, lines if part.named or part.start or end < len(document.text) else ""]
        head = [f"# {in_line(document.title or document.path)}", " · ".join(each for each in about if each)]
        return [*head, f"Pages: {page_names(document.pages)}"] if document.pages else head

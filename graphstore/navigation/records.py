"""What navigation answers: frozen records, each with its text, its size in tokens, and what was left out."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from graphstore.models import PageRef


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What every answer holds.

    :param markdown: The answer to be read.
    :param tokens: Of ``markdown``, estimated.
    :param cut: What was left out and how to get it; ``None`` if nothing was.
    """

    markdown: str
    tokens: int
    cut: str | None

    def to_dict(self) -> dict[str, Any]:
        """The answer as JSON, without the text made of it."""
        return {name: value for name, value in asdict(self).items() if name != "markdown"}


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundPage:
    """A page that a search found."""

    id: str
    name: str
    type: str | None
    score: float


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDocument:
    """A document that a search found.

    :param date: When it was changed, else made.
    :param size: About how many tokens reading it costs.
    :param via: Names of the entities through which it was reached, or in which text its title stands; empty for a
        direct hit.
    """

    id: str
    path: str
    title: str
    date: str | None
    size: int
    score: float
    via: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found(Answer):
    """Candidate pages and documents for a question, best first; titles and paths, no texts."""

    query: str
    pages: tuple[FoundPage, ...]
    documents: tuple[FoundDocument, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReading(Answer):
    """An entity's page, or a part of it.

    :param text: The part as Markdown, with the documents that it cites.
    :param part: From 1.
    :param parts: How many there are under the budget.
    """

    id: str
    name: str
    text: str
    part: int
    parts: int


@dataclass(frozen=True, slots=True, kw_only=True)
class SectionRef:
    """A section of a document: number, heading, first line and size in tokens."""

    number: int
    title: str
    line: int
    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentReading(Answer):
    """A document's text, or a part of it, word for word.

    :param start: First line that is shown, from 1.
    :param end: Last line that is shown.
    :param lines: How many the document has.
    :param whole: Whether all of the document is shown.
    :param sections: All its sections.
    :param pages: Pages that mention it.
    """

    id: str
    path: str
    title: str
    date: str | None
    text: str
    start: int
    end: int
    lines: int
    whole: bool
    sections: tuple[SectionRef, ...]
    pages: tuple[PageRef, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Mentions(Answer):
    """The pages that mention a document, those of fewest documents first: they say most about it."""

    id: str
    path: str
    title: str
    pages: tuple[PageRef, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NearEntity:
    """An entity beside another one.

    :param score: Shared documents over the geometric mean of what each has, in (0, 1]: a hub is near to nothing.
    :param shared: How many documents both are in.
    :param documents: Paths of some of these.
    """

    id: str
    name: str
    type: str | None
    score: float
    shared: int
    documents: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NearDocument:
    """A document beside another one.

    :param score: Sum of the squared rarities of the entities that both mention.
    :param shared: How many rare entities both mention.
    :param entities: Names of the rarest of these.
    """

    id: str
    path: str
    title: str
    score: float
    shared: int
    entities: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbours(Answer):
    """What is near an entity (entities) or a document (documents), nearest first, with what both share as reason.

    :param id: Of the entity or document.
    :param name: Its name, or its path.
    """

    id: str
    name: str
    entities: tuple[NearEntity, ...]
    documents: tuple[NearDocument, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line of a document.

    :param number: From 1.
    :param text: Word for word; of a long line what stands around the match.
    :param matches: ``False`` for a line of context.
    """

    number: int
    text: str
    matches: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GrepDocument:
    """The lines of one document.

    :param matching: How many of its lines match, shown or not.
    """

    id: str
    path: str
    title: str
    matching: int
    lines: tuple[Line, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Matches(Answer):
    """Lines of visible documents that match a pattern, in the order of paths.

    :param matching: Matching lines in all documents searched, shown or not.
    :param in_documents: How many documents hold them.
    :param searched: Documents searched.
    :param finished: Whether all visible documents were searched in the time given.
    :param documents: Those of which lines are shown.
    """

    pattern: str
    matching: int
    in_documents: int
    searched: int
    finished: bool
    documents: tuple[GrepDocument, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTool:
    """A tool for a request, with its likely place in the order of execution."""

    id: str
    name: str
    domain: str | None
    score: float
    position: int | None
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundTools(Answer):
    """The tools that the whole workflow for a request needs, best first."""

    query: str
    tools: tuple[FoundTool, ...]

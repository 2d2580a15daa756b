"""Entity pages and documents as graphstore answers them: frozen results, each with ``to_dict()`` giving its JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Fact:
    """A statement, verbatim, with the document that makes it.

    :param date: The date it speaks of: one that it names, else its document's.
    :param said: The day of its document: when it was said.
    """

    text: str
    document: str
    date: str | None
    said: str | None = None

    @property
    def news(self) -> str:
        """The earlier of its dates, as what lies ahead was said before. ``""`` if undated."""
        return min((date for date in (self.date, self.said) if date), default="")


@dataclass(frozen=True, slots=True)
class Version:
    """One of the values that documents give to an attribute.

    :param value: As the newest statement writes it.
    :param facts: The statements that say so, newest first.
    """

    value: str
    facts: tuple[Fact, ...]

    @property
    def said(self) -> str | None:
        """When it was said last."""
        return self.facts[0].said


@dataclass(frozen=True, slots=True)
class Conflict:
    """An attribute to which documents give different values.

    :param attribute: Such as ``launch`` or ``owner``; or a statement with ``@`` for the entity and ``…`` for the value.
    :param versions: The one said last first. Nothing says which one holds.
    """

    attribute: str
    versions: tuple[Version, ...]


@dataclass(frozen=True, slots=True)
class PageDocument:
    """A document that an entity page links to.

    :param confidence: In the link, in [0, 1]; ``None`` if it was not said.
    :param file: Its file in an export, relative to it.
    """

    id: str
    path: str
    title: str
    date: str | None
    confidence: float | None = None
    file: str = ""


@dataclass(frozen=True, slots=True)
class EntityPage:
    """An entity as one reader may see it.

    :param latest: The newest statements, newest first: by the day they speak of, but none is newer than its document.
    :param facts: Every statement, oldest first, each with its source.
    :param aliases: All written forms.
    :param path: Its file in an export.
    :param conflicts: Attributes to which documents give different values.
    :param attributes: What an authoritative record says of it.
    :param as_of: The day whose state it is, if not today's.
    """

    id: str
    name: str
    type: str | None
    overview: str
    latest: tuple[Fact, ...]
    facts: tuple[Fact, ...]
    aliases: tuple[str, ...]
    documents: tuple[PageDocument, ...]
    path: str
    conflicts: tuple[Conflict, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)
    as_of: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The page as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PageText:
    """One part of a page as text: what files, the command line, programs and agents all get.

    :param part: From 1.
    :param parts: How many there are under the budget.
    :param text: Markdown.
    :param tokens: Its size.
    :param statements_left: Statements that stand in other parts.
    :param documents_left: Documents that are named in other parts only.
    """

    id: str
    name: str
    part: int
    parts: int
    text: str
    tokens: int
    statements_left: int
    documents_left: int

    def to_dict(self) -> dict[str, Any]:
        """The part as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class PageRef:
    """A page that a document is linked to."""

    id: str
    name: str
    type: str | None
    path: str


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A document as stored, with the pages that mention it.

    :param earlier: Paths under which it lay before, oldest first.
    """

    id: str
    path: str
    title: str
    text: str
    acl: tuple[str, ...]
    created: str | None
    modified: str | None
    metadata: dict[str, Any]
    pages: tuple[PageRef, ...]
    earlier: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The document as JSON."""
        return asdict(self)

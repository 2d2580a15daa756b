"""What search over documents answers, and how it came about."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class PageHit:
    """A candidate entity page.

    :param documents: How many documents it links, of those the reader sees.
    :param date: Of the newest of them, ISO 8601.
    """

    id: str
    name: str
    type: str | None
    score: float
    path: str
    documents: int = 0
    date: str | None = None


@dataclass(frozen=True, slots=True)
class TrailStep:
    """A document, or what it names, on the way to a document.

    :param kind: ``document``, ``entity``, or ``title``: the next document's own, which stands in the text of the one
        before though no entity links the two.
    :param id: Of the document, the entity, or the document of that title.
    :param name: The document's title, or the entity's name as the reader knows it.
    """

    kind: Literal["document", "entity", "title"]
    id: str
    name: str


@dataclass(frozen=True, slots=True)
class DocumentHit:
    """A candidate document.

    :param via: Ids of the entities through which it was reached; empty for a direct hit,
        or where its title led there.
    :param date: When it was changed, else made, ISO 8601.
    :param tokens: About how many tokens reading it costs.
    :param trail: The way that leads to it: the document that answers first, then what it names (an entity or a title)
        and documents in turn, the last no document; empty for a direct hit.
    """

    id: str
    path: str
    title: str
    score: float
    via: tuple[str, ...] = ()
    date: str | None = None
    tokens: int = 0
    trail: tuple[TrailStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Seed:
    """A document from which links were followed.

    :param prior: What it is worth as a start.
    :param named: Whether the question names its title.
    :param onward: Whether it was itself reached, and gone on from.
    """

    id: str
    path: str
    title: str
    prior: float
    named: bool
    onward: bool


@dataclass(frozen=True, slots=True)
class Hop:
    """One step of the beam: from a document through an entity to another document.

    :param entity: ``None`` where the other's title stands in the document's text and no entity links the two.
    :param score: What the path adds to the document, before its weight.
    """

    source: str
    entity: str | None
    target: str
    score: float


@dataclass(frozen=True, slots=True)
class Explanation:
    """How an answer came about.

    :param named: Names found in the question, each with the ids of the entities of that name.
    :param weights: The constants of this answer by name.
    :param cypher: A statement that shows the same paths in Neo4j Browser, its parameters filled in.
    """

    named: tuple[tuple[str, tuple[str, ...]], ...]
    seeds: tuple[Seed, ...]
    beam: tuple[Hop, ...]
    weights: tuple[tuple[str, float], ...]
    cypher: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Candidate pages and documents for a question; titles and paths only, the texts are read apart.

    :param tokens: About how many tokens the answer has.
    :param left_out: Pages and documents that did not fit a budget of tokens.
    """

    query: str
    pages: tuple[PageHit, ...]
    documents: tuple[DocumentHit, ...]
    tokens: int = 0
    left_out: int = 0
    explanation: Explanation | None = None

    def to_dict(self) -> dict[str, Any]:
        """The result as JSON; ``explanation`` only where it was asked for."""
        out = asdict(self)
        if self.explanation is None:
            return {key: value for key, value in out.items() if key != "explanation"}
        out["explanation"]["named"] = {name: list(ids) for name, ids in self.explanation.named}
        out["explanation"]["weights"] = dict(self.explanation.weights)
        return out

"""What is asked of a model, as types: their docstrings and fields are the schema that it gets."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

UNRESOLVED = "UNRESOLVED"


@dataclass(frozen=True)
class ProposedType:
    """A type of entity."""

    name: str
    definition: str
    identity: str
    like: Literal["person", "organisation", "project", "product", "place", "code", "email", "topic"]
    examples: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class ProposedCatalog:
    """The types of entity that a collection of documents needs, each once."""

    types: list[ProposedType]


@dataclass(frozen=True)
class Objection:
    """What is wrong with one type of a catalog."""

    type: str
    problem: str
    remedy: Literal["drop", "merge", "rename", "redefine"]


@dataclass(frozen=True)
class Verdict:
    """All objections to a catalog; none if it stands."""

    objections: list[Objection]


@dataclass(frozen=True)
class FoundEntity:
    """One thing that the text names, with all the names that the text gives it."""

    names: list[str]
    type: str
    statements: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class FoundEntities:
    """Everything that the text names."""

    entities: list[FoundEntity]


@dataclass(frozen=True)
class Resolution:
    """Which candidate a mention means."""

    decision: Literal["LINK", "ADD", "UNRESOLVED"]
    candidate: int | None = None
    confidence: float = 0.0
    evidence: str = ""

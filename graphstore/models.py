"""What graphstore answers: frozen results, each with ``to_dict()`` giving the JSON of the command line."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from graphstore.page_models import Conflict as Conflict
from graphstore.page_models import EntityPage as EntityPage
from graphstore.page_models import Fact as Fact
from graphstore.page_models import PageDocument as PageDocument
from graphstore.page_models import PageRef as PageRef
from graphstore.page_models import PageText as PageText
from graphstore.page_models import StoredDocument as StoredDocument
from graphstore.page_models import Version as Version
from graphstore.search_models import DocumentHit as DocumentHit
from graphstore.search_models import Explanation as Explanation
from graphstore.search_models import Hop as Hop
from graphstore.search_models import PageHit as PageHit
from graphstore.search_models import SearchResult as SearchResult
from graphstore.search_models import Seed as Seed
from graphstore.search_models import TrailStep as TrailStep

When = Literal["before", "after"]
Via = Literal["NEXT", "PREVIOUS", "SIMILAR", "REQUIRES", "PAST", "CLAUSE"]


@dataclass(frozen=True, slots=True)
class Because:
    """One reason for a tool.

    :param source: Id of the tool, or of the past stage, from which it was reached (``from`` in JSON).
    :param via: ``NEXT``: follows the source in successful runs; ``PREVIOUS``: precedes it; ``SIMILAR``: close in
        meaning; ``REQUIRES``: needed by the source; ``PAST``: solved a similar request; ``CLAUSE``:
        was used for what a part of the request asks.
    :param weight: Share of the tool's score that this reason carries, in [0, 1].
    :param request: The past request, for ``PAST`` and ``CLAUSE``.
    :param path: The tools that solved it, in order.
    :param clause: The part of what is asked now that is like a part of it, for ``CLAUSE``.
    """

    source: str
    via: Via
    weight: float
    request: str | None = None
    path: tuple[str, ...] | None = None
    clause: str | None = None

    def to_dict(self) -> dict[str, Any]:
        """The reason as JSON; ``request``, ``path`` and ``clause`` only where they are known."""
        out: dict[str, Any] = {"from": self.source, "via": self.via, "weight": self.weight}
        if self.request is not None:
            out["request"] = self.request
        if self.path is not None:
            out["path"] = list(self.path)
        if self.clause is not None:
            out["clause"] = self.clause
        return out


@dataclass(frozen=True, slots=True)
class ToolHit:
    """A tool for a request.

    :param score: Mixed score, higher is better, comparable within one answer only.
    :param seed: Whether the request itself names or resembles the tool.
    :param because: Reasons, strongest first.
    :param position: Place in the likely order of execution of the answer's tools, from 1.
    :param when: Whether it is needed before or after the best tool of the answer, where that is clear.
    """

    id: str
    name: str
    domain: str | None
    score: float
    seed: bool
    because: tuple[Because, ...] = ()
    position: int | None = None
    when: When | None = None

    def to_dict(self) -> dict[str, Any]:
        """The hit as JSON."""
        return asdict(self) | {"because": [reason.to_dict() for reason in self.because]}


@dataclass(frozen=True, slots=True)
class ToolDomain:
    """A domain of tools, as it is offered for choice.

    :param tools: How many tools it has.
    :param used: How many of them past runs used.
    :param examples: Ids of up to five that stand for it: the most used, or those that fit the request best.
    :param system: Whether its tools are offered whatever domain is chosen.
    :param fit: How well the request fits it, in [0, 1], comparable within one answer only; ``None`` without a request.
    """

    name: str
    tools: int
    used: int
    examples: tuple[str, ...]
    system: bool = False
    fit: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """The domain as JSON; ``fit`` only where it is known."""
        out = {key: value for key, value in asdict(self).items() if key != "fit" or value is not None}
        return out | {"examples": list(self.examples)}


@dataclass(frozen=True, slots=True)
class SolvedPath:
    """One successful path of a stage.

    :param steps: Its tools by step; those of one step were called together.
    :param count: Passed runs that took it.
    :param efficiency: Mean over these runs of the length of the stage's shortest path / calls made, in (0, 1].
    :param shortest: Whether it is the stage's ``shortest_solvable_path``.
    :param sources: The runs that took it.
    :param calls: Calls that each of them made, retries and repetitions that are not on the path included.
    """

    tools: tuple[str, ...]
    steps: tuple[tuple[str, ...], ...]
    length: int
    count: int
    efficiency: float
    shortest: bool
    sources: tuple[str, ...]
    calls: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class StagePaths:
    """All successful paths of a stage, shortest first, then most frequent.

    :param runs: Runs that were seen: those that passed, those that failed, and those of which neither is known.
    """

    stage: str
    task: str
    request: str
    runs: int
    passed: int
    paths: tuple[SolvedPath, ...]
    failed: int = 0
    unknown: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The stage as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class LoadReport:
    """What a load did, in records.

    :param kind: ``tools``, ``logs``, ``docs`` or ``entities``.
    :param removed: Records that were taken out because they were not read.
    :param rejected: ``file:line: reason`` of each skipped record.
    :param warnings: Records that brought nothing, such as empty documents.
    """

    kind: str
    read: int
    created: int
    changed: int
    unchanged: int
    moved: int
    rejected: tuple[str, ...]
    warnings: tuple[str, ...]
    removed: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was taken out of the tool graph.

    :param runs: Number of stage runs.
    :param stages: Ids of the stages of which no run is left.
    :param tools: Ids of the tools that are gone: those named, and those that no catalog declares and no run calls now.
    """

    runs: int
    stages: tuple[str, ...]
    tools: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The report as JSON."""
        return asdict(self)

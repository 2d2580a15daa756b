"""What loaders read from files: frozen records, independent of any file format and of the store."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

JSON: TypeAlias = "bool | int | float | str | list[JSON] | dict[str, JSON] | None"

LONGEST_ID = 4_000
"""Bytes of an id or path: Neo4j's indexes hold no key of 8 kB, and one such key would cost its whole batch."""


def _require_short(what: str, value: str) -> None:
    if len(value) * 4 > LONGEST_ID and (size := len(value.encode())) > LONGEST_ID:
        raise ValueError(f"{what} {value[:40]!r}… has {size} bytes, {LONGEST_ID} are the most")


@dataclass(frozen=True, slots=True)
class Remark:
    """What is said of a record: where it stands, and the reason.

    :param path: The file as the user named it.
    :param line: Line in the file, from 1; ``None`` where the format has no lines.
    """

    path: str
    line: int | None
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: {self.reason}" if self.line is None else f"{self.path}:{self.line}: {self.reason}"


@dataclass(frozen=True, slots=True)
class Rejected(Remark):
    """A record that was skipped, and why."""


@dataclass(frozen=True, slots=True)
class Ignored(Remark):
    """A file or record that is no error but brings nothing (an empty document): a warning."""


RequirementKind = Literal["tool", "tool-indirect", "parameter", "parameter-indirect"]
"""What needs the other tool, the call itself or one of its arguments, and whether it does so only through a third."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A tool that must be called before another one, as the catalog of the latter declares it.

    :param tool: Id of the tool that is needed.
    :param parameter: The argument that it provides, for the kinds of parameters.
    """

    tool: str
    kind: RequirementKind = "tool"
    parameter: str | None = None


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a catalog declares it.

    :param parameters: JSON schema of the arguments, ``{}`` when the catalog has none.
    :param requires: The tools that it declares to need.
    :param output: JSON schema of what it returns, ``{}`` when the catalog has none.
    :raises ValueError: Its id is longer than :data:`LONGEST_ID`.
    """

    name: str
    description: str = ""
    parameters: Mapping[str, JSON] = field(default_factory=dict)
    server: str | None = None
    domain: str | None = None
    requires: tuple[Requirement, ...] = ()
    output: Mapping[str, JSON] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _require_short("the tool's id", self.id)

    @property
    def id(self) -> str:
        """``server/name``, or the name alone. Kept exactly as written."""
        return f"{self.server}/{self.name}" if self.server else self.name


@dataclass(frozen=True, slots=True)
class ToolCall:
    """One call in a run.

    :param tool: Tool id.
    :param success: Whether the call itself succeeded; ``None`` if the log does not say.
    :param turn: Calls of one turn were issued together, in no order; ``None`` if the call was issued alone.
    :raises ValueError: The tool's id is longer than :data:`LONGEST_ID`.
    """

    tool: str
    arguments: Mapping[str, JSON] = field(default_factory=dict)
    success: bool | None = None
    error: str | None = None
    turn: int | None = None

    def __post_init__(self) -> None:
        _require_short("the tool's id", self.tool)


@dataclass(frozen=True, slots=True)
class StageRun:
    """One run of one stage of a task.

    :param task: Task id.
    :param stage: Stage id, unique in the store: ``task/stage``.
    :param run: Identity of the run: loading the same run twice counts it once.
    :param request: What was asked, in the user's words.
    :param passed: Whether the stage reached its goal; ``None`` if unknown.
    :param source: Where the record stands, ``file`` or ``file:line``.
    :param finished: ISO 8601 time, if the log has one.
    :raises ValueError: The stage's id, which the task's begins, is longer than :data:`LONGEST_ID`.
    """

    task: str
    stage: str
    run: str
    request: str
    passed: bool | None
    calls: tuple[ToolCall, ...]
    source: str
    task_name: str = ""
    description: str = ""
    domain: str | None = None
    finished: str | None = None
    failure: str | None = None

    def __post_init__(self) -> None:
        _require_short("the stage's id", self.stage)


@dataclass(frozen=True, slots=True)
class SourceDocument:
    """A document as it was read.

    :param id: The caller's id, or the path.
    :param path: Path relative to the folder that was loaded, with ``/``.
    :param text: Plain text (Markdown kept as it is, HTML stripped).
    :param acl: Principals and groups that may read it; empty means everyone.
    :param created: ISO 8601 date or time, or ``None``.
    :param metadata: Every further field of the record or front matter.
    :raises ValueError: Its id or path is longer than :data:`LONGEST_ID`.
    """

    id: str
    path: str
    title: str
    text: str
    acl: tuple[str, ...] = ()
    created: str | None = None
    modified: str | None = None
    metadata: Mapping[str, JSON] = field(default_factory=dict)

    def __post_init__(self) -> None:
        _require_short("the id", self.id)
        _require_short("the path", self.path)


@dataclass(frozen=True, slots=True)
class SourceEntity:
    """A record of an authoritative registry: a directory, a CRM, a CMDB.

    :param id: The registry's own id, kept; or one from the record's content.
    :param type: As the registry names it, or ``None``.
    :param aliases: Other names, each once.
    :param attributes: Every further field.
    :param source: The file it was read from.
    :raises ValueError: Its id is longer than :data:`LONGEST_ID`.
    """

    id: str
    name: str
    type: str | None = None
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, JSON] = field(default_factory=dict)
    source: str = ""

    def __post_init__(self) -> None:
        _require_short("the id", self.id)

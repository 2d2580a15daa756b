"""The formats that logs come in: one registry, by which a record is told and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from graphstore.errors import SettingsError
from graphstore.records import JSON, Rejected

from . import chats, langfuse, langsmith, mcp, otlp, responses, task_logs
from .conversations import ConversationReader, Piece
from .json_records import JsonRecord
from .log_reader import Each, LogReader, Runs, at
from .outcome import PassedIf
from .published_logs import is_tool_set, is_traject, is_workbench, tool_set, traject, workbench
from .task_graph import is_task, task_runs
from .traces import TraceReader


@dataclass(frozen=True, slots=True)
class Format:
    """A form that logs come in.

    :param name: As ``--format`` takes it.
    :param title: What it is, in words.
    :param marks: Names of which every record of it that is an object has one.
    :param tells: Whether a JSON value looks like a record of it, or was meant as one.
    :param reader: Makes what reads the records of one load.
    :param arrays: Members of a document whose arrays hold its records.
    """

    name: str
    title: str
    marks: frozenset[str]
    tells: Callable[[JSON], bool]
    reader: Callable[[PassedIf | None], LogReader]
    arrays: tuple[str, ...] = ()


def _open_conversation(record: JsonRecord) -> Piece | None:
    value = record.value
    return responses.open_responses(record) if responses.is_responses(value) else chats.open_chat(record)


def _each(
    name: str,
    title: str,
    mark: str,
    tells: Callable[[JSON], bool],
    read: Callable[[JsonRecord, str, PassedIf | None], Runs],
) -> Format:
    return Format(name, title, frozenset([mark]), tells, partial(Each, read))


_OTLP = partial(TraceReader, otlp.otlp_spans)
_LANGSMITH = partial(TraceReader, langsmith.langsmith_spans)
_LANGFUSE = partial(TraceReader, langfuse.langfuse_spans)
_CONVERSATIONS = partial(ConversationReader, _open_conversation)
"""One reader for the formats of conversations: a message alone does not say which of them it is of."""

FORMATS = (
    Format("mcp", "transcripts of MCP (JSON-RPC)", mcp.MARKS, mcp.is_mcp, mcp.McpReader),
    Format("otlp", "OpenTelemetry GenAI spans, OTLP as JSON", otlp.MARKS, otlp.is_otlp, _OTLP, otlp.RESOURCES),
    Format("langsmith", "runs of LangSmith", langsmith.MARKS, langsmith.is_langsmith, _LANGSMITH, task_logs.RUNS),
    Format("langfuse", "traces and scores of Langfuse", langfuse.MARKS, langfuse.is_langfuse, _LANGFUSE),
    Format("anthropic", "Anthropic messages", chats.MARKS, chats.is_anthropic, _CONVERSATIONS),
    Format("openai-responses", "OpenAI Responses items", responses.MARKS, responses.is_responses, _CONVERSATIONS),
    Format("openai-chat", "OpenAI chat messages", chats.MARKS, chats.is_chat, _CONVERSATIONS),
    _each("workbench", "runs of WorkBench", "observed_tool_path", is_workbench, workbench),
    _each("traject-bench", "trajectories of TRAJECT-Bench", "tool list", is_traject, traject),
    _each("toollinkos", "requests of ToolLinkOS", "golden_function_names", is_tool_set, tool_set),
    _each("task-graph", "tasks of TaskBench and UltraTool", "task_nodes", is_task, task_runs),
    Format(
        "task-log",
        "task logs with stages and tool_calls_detail",
        task_logs.MARKS,
        task_logs.is_task_log,
        partial(Each, task_logs.task_log_runs),
        task_logs.RUNS,
    ),
)
"""Every format. A record that several tell is read by the first; ``task-log``, which tells by the least, is last."""

PAGES = ("data",)
"""Members that hold the records of a page, where a record is one page of what an interface lists."""

_UNKNOWN = "is of no format of logs that is known; if it is of one, --format names it"

ARRAYS = tuple(dict.fromkeys([*PAGES, *(name for each in FORMATS for name in each.arrays)]))
"""Members whose arrays hold records, of all formats."""


def is_log(value: JSON) -> bool:
    """Whether a JSON value looks like a record of any format."""
    return any(_told(each.value) for each in _members(JsonRecord(0, "", value)))


def _told(value: JSON) -> Format | None:
    names = value.keys() if isinstance(value, dict) else None
    return next((each for each in FORMATS if not (names and each.marks.isdisjoint(names)) and each.tells(value)), None)


def _members(record: JsonRecord) -> Iterator[JsonRecord]:
    """The record, or those of the page that it is."""
    value = record.value
    name = next((name for name in PAGES if isinstance(value, dict) and isinstance(value.get(name), list)), None)
    members = value[name] if isinstance(value, dict) and name is not None else None
    if not isinstance(members, list) or _told(value) is not None:
        yield record
        return
    for index, member in enumerate(members):
        yield JsonRecord(record.line, f"{record.where}.{name}[{index}]".lstrip("."), member)


def named(name: str) -> Format:
    """The format of that name.

    :raises SettingsError: There is none.
    """
    found = next((each for each in FORMATS if each.name == name), None)
    if found is None:
        raise SettingsError(f"no format of logs is named {name!r}: {', '.join(sorted(each.name for each in FORMATS))}")
    return found


class Formats:
    """The readers of one load: each record goes to that of its format.

    A record that no format tells goes to the last one told in its file, which says what is wrong with it. An object
    that stands before any that is told is of no format.

    :param format: Name of the format that all records have.
    :raises SettingsError: No format is named so.
    """

    def __init__(self, format: str | None, passed_if: PassedIf | None) -> None:
        self.forced = None if format is None else named(format)
        self._passed_if = passed_if
        self._readers: dict[Callable[[PassedIf | None], LogReader], LogReader] = {}
        self._file = ""
        self._last: Format | None = None

    def add(self, record: JsonRecord, path: str) -> Runs:
        """The stage runs that are complete with this record."""
        if path != self._file:
            self._file, self._last = path, None
        for each in _members(record):
            self._last = self.forced or _told(each.value) or self._last
            if self._last is None and isinstance(each.value, dict):
                yield Rejected(path, each.line, at(each.where, ValueError(_UNKNOWN)))
            else:
                yield from self._reader(self._last or FORMATS[-1]).add(each, path)

    def finish(self) -> Runs:
        """The stage runs that waited for further records."""
        for reader in self._readers.values():
            yield from reader.finish()

    def _reader(self, format: Format) -> LogReader:
        if format.reader not in self._readers:
            self._readers[format.reader] = format.reader(self._passed_if)
        return self._readers[format.reader]

"""The formats that logs come in: one registry, by which a record is told and read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

from graphstore.errors import SettingsError
from graphstore.records import JSON

from .chats import is_anthropic, is_chat, open_chat
from .conversations import ConversationReader, Piece
from .json_records import JsonRecord
from .langfuse import is_langfuse, langfuse_spans
from .langsmith import is_langsmith, langsmith_spans
from .log_reader import Each, LogReader, Runs
from .mcp import McpReader, is_mcp
from .otlp import is_otlp, otlp_spans
from .outcome import PassedIf
from .published_logs import is_tool_set, is_traject, is_workbench, tool_set, traject, workbench
from .responses import is_responses, open_responses
from .task_graph import is_task, task_runs
from .task_logs import RUNS, is_task_log, task_log_runs
from .traces import TraceReader


@dataclass(frozen=True, slots=True)
class Format:
    """A form that logs come in.

    :param name: As ``--format`` takes it.
    :param title: What it is, in words.
    :param tells: Whether a JSON value looks like a record of it, or was meant as one.
    :param reader: Makes what reads the records of one load.
    :param arrays: Members of a document whose arrays hold its records.
    """

    name: str
    title: str
    tells: Callable[[JSON], bool]
    reader: Callable[[PassedIf | None], LogReader]
    arrays: tuple[str, ...] = ()


def _open_conversation(record: JsonRecord) -> Piece | None:
    return open_responses(record) if is_responses(record.value) else open_chat(record)


_SPANS = ("resourceSpans", "resource_spans")
_LANGFUSE = partial(TraceReader, langfuse_spans)
_CONVERSATIONS = partial(ConversationReader, _open_conversation)
"""One reader for the formats of conversations: a message alone does not say which of them it is of."""

FORMATS = (
    Format("mcp", "transcripts of MCP (JSON-RPC)", is_mcp, McpReader),
    Format("otlp", "OpenTelemetry GenAI spans, OTLP as JSON", is_otlp, partial(TraceReader, otlp_spans), _SPANS),
    Format("langsmith", "runs of LangSmith", is_langsmith, partial(TraceReader, langsmith_spans), RUNS),
    Format("langfuse", "traces, observations and scores of Langfuse", is_langfuse, _LANGFUSE, ("data",)),
    Format("anthropic", "Anthropic messages, transcripts of Claude Code", is_anthropic, _CONVERSATIONS),
    Format("openai-responses", "OpenAI Responses items", is_responses, _CONVERSATIONS, ("data",)),
    Format("openai-chat", "OpenAI chat messages, also for fine-tuning", is_chat, _CONVERSATIONS, ("data",)),
    Format("workbench", "runs of WorkBench", is_workbench, partial(Each, workbench)),
    Format("traject-bench", "trajectories of TRAJECT-Bench", is_traject, partial(Each, traject)),
    Format("toollinkos", "requests of ToolLinkOS with their tools", is_tool_set, partial(Each, tool_set)),
    Format("task-graph", "tasks of TaskBench and UltraTool", is_task, partial(Each, task_runs)),
    Format("task-log", "task logs with stages and tool_calls_detail", is_task_log, partial(Each, task_log_runs), RUNS),
)
"""Every format. A record that several tell is read by the first; ``task-log``, which tells by the least, is last."""

PAGES = ("data",)
"""Members that hold the records of a page, where a record is one page of what an interface lists."""

ARRAYS = tuple(dict.fromkeys(name for each in FORMATS for name in each.arrays))
"""Members whose arrays hold records, of all formats."""


def is_log(value: JSON) -> bool:
    """Whether a JSON value looks like a record of any format."""
    return any(_told(each.value) for each in _members(JsonRecord(0, "", value)))


def _told(value: JSON) -> Format | None:
    return next((each for each in FORMATS if each.tells(value)), None)


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
        raise SettingsError(f"no format of logs is named {name!r}: {', '.join(each.name for each in FORMATS)}")
    return found


class Formats:
    """The readers of one load: each record goes to that of its format.

    A record that no format tells goes to the last one told in its file, which says what is wrong with it.

    :param format: Name of the format that all records have.
    :raises SettingsError: No format is named so.
    """

    def __init__(self, format: str | None, passed_if: PassedIf | None) -> None:
        self.forced = None if format is None else named(format)
        self._passed_if = passed_if
        self._readers: dict[Callable[[PassedIf | None], LogReader], LogReader] = {}
        self._file = ""
        self._last = FORMATS[-1]

    def add(self, record: JsonRecord, path: str) -> Runs:
        """The stage runs that are complete with this record."""
        if path != self._file:
            self._file, self._last = path, FORMATS[-1]
        for each in _members(record):
            self._last = self.forced or _told(each.value) or self._last
            yield from self._reader(self._last).add(each, path)

    def finish(self) -> Runs:
        """The stage runs that waited for further records."""
        for reader in self._readers.values():
            yield from reader.finish()

    def _reader(self, format: Format) -> LogReader:
        if format.reader not in self._readers:
            self._readers[format.reader] = format.reader(self._passed_if)
        return self._readers[format.reader]

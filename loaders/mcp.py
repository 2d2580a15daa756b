"""Transcripts of the Model Context Protocol: JSON-RPC messages between a client and its servers.

A file is one run of one stage; a server that is initialized once more after calls were made begins a further one. Calls
are the requests ``tools/call``, joined with their responses by id; a call that was sent before the last one had its
answer shares its turn. A tool's id is ``server/name`` if the server named itself (``serverInfo``) or the line names it
(``server``), as a catalog loaded with that server has it. The protocol does not carry what the user asked: a stage has
a request only where a line has one beside its message (``user_query``, ``query`` or ``request``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from graphstore.records import JSON, Rejected, StageRun, ToolCall

from .conversation import stated
from .fields import content_hash, iso_date, kind, text
from .json_records import JsonRecord
from .log_reader import Runs, at
from .messages import arguments
from .outcome import PassedIf
from .trace_fields import opened

_HOLDERS = ("message", "payload", "data", "body", "msg")
_REQUESTS = ("user_query", "query", "request")
MARKS = frozenset(["jsonrpc", *_HOLDERS])
Object = Mapping[str, JSON]


def is_mcp(value: JSON) -> bool:
    """Whether a JSON value looks like a message of the protocol, alone, in a batch, or in the line of a log."""
    batch = value if isinstance(value, list) else [value]
    messages = [message for each in batch if (message := _message(each)) is not None]
    results = [message.get("result") for message in messages]
    return bool(messages) and not any(
        isinstance(each, dict) and isinstance(each.get("tools"), list) for each in results
    )


@dataclass(slots=True)
class _Session:
    """One run. Connections go by the name that the lines give their server, else by none."""

    source: str
    names: dict[str, str] = field(default_factory=dict)
    request: str = ""
    calls: list[tuple[str, ToolCall, int]] = field(default_factory=list)
    waiting: dict[str, int] = field(default_factory=dict)
    digest: list[str] = field(default_factory=list)
    passed: bool | None = None
    finished: str | None = None


@dataclass(slots=True)
class McpReader:
    """Reads the messages of one load, file by file."""

    passed_if: PassedIf | None
    _path: str = ""
    _sessions: list[_Session] = field(default_factory=list)

    def add(self, record: JsonRecord, path: str) -> Runs:
        """The runs of the file before, when another one begins."""
        if path != self._path:
            yield from self.finish()
            self._path = path
        for each in record.value if isinstance(record.value, list) and record.value else [record.value]:
            try:
                message = _message(each)
                if message is None or not isinstance(each, dict):
                    raise ValueError(f"is {kind(each)}, not a message of JSON-RPC")
                self._read(message, each, f"{path}:{record.line}")
            except ValueError as error:
                yield Rejected(path, record.line, at(record.where, error))

    def finish(self) -> Runs:
        """The runs of the file that was read last."""
        sessions, self._sessions = self._sessions, []
        for session in sessions:
            if session.calls:
                try:
                    yield _run(session)
                except ValueError as error:
                    path, _, line = session.source.rpartition(":")
                    yield Rejected(path, int(line), str(error))

    def _read(self, message: Object, line: dict[str, JSON], source: str) -> None:
        connection = text(line, "server", "serverId", "server_name") if line is not message else ""
        again = message.get("method") == "initialize" and any(each.calls for each in self._sessions[-1:])
        if not self._sessions or (again and connection in self._sessions[-1].names):
            self._sessions.append(_Session(source))
        session = self._sessions[-1]
        said = self.passed_if.verdict(line) if self.passed_if else stated(line)
        session.passed = session.passed if said is None else said
        session.finished = next(
            filter(None, map(iso_date, (line.get("timestamp"), line.get("time")))), session.finished
        )
        asked = next((line[name] for name in _REQUESTS if isinstance(line.get(name), str)), "")
        session.request = session.request or str(asked).strip()
        session.digest.append(content_hash(line))
        if message.get("method") == "tools/call":
            _call(session, message, connection)
        elif "result" in message or "error" in message:
            _answer(session, message, connection)
        session.names.setdefault(connection, "")


def _message(value: JSON) -> Object | None:
    if not isinstance(value, dict):
        return None
    if "jsonrpc" in value:
        return value
    held = (opened(value.get(name)) for name in _HOLDERS)
    return next((each for each in held if isinstance(each, dict) and "jsonrpc" in each), None)


def _call(session: _Session, message: Object, connection: str) -> None:
    parameters = message.get("params")
    if not isinstance(parameters, dict):
        raise ValueError(f"params of tools/call is {kind(parameters)}, not an object")
    name = text(parameters, "name")
    if not name.strip():
        raise ValueError("the call of a tool has no name")
    turn = session.calls[-1][2] if session.waiting else len(session.calls)
    session.waiting[f"{connection} {message.get('id')!r}"] = len(session.calls)
    session.calls.append((connection, ToolCall(name, arguments(parameters.get("arguments"))), turn))


def _answer(session: _Session, message: Object, connection: str) -> None:
    result = message.get("result")
    info = result.get("serverInfo") if isinstance(result, dict) else None
    if isinstance(info, dict):
        session.names[connection] = text(info, "name")
    index = session.waiting.pop(f"{connection} {message.get('id')!r}", None)
    if index is None:
        return
    failed = message.get("error") is not None or (isinstance(result, dict) and result.get("isError") is True)
    _, call, turn = session.calls[index]
    answered = replace(call, success=not failed, error=_reason(message) if failed else None)
    session.calls[index] = (connection, answered, turn)


def _reason(message: Object) -> str:
    error = message.get("error")
    if isinstance(error, dict):
        return text(error, "message") or "error"
    result = message.get("result")
    content = result.get("content") if isinstance(result, dict) else None
    blocks = content if isinstance(content, list) else []
    words = [text(block, "text") for block in blocks if isinstance(block, dict)]
    return "\n".join(filter(None, words))[:2000] or "error"


def _run(session: _Session) -> StageRun:
    sizes = Counter(turn for _, _, turn in session.calls)
    numbers = {turn: number for number, turn in enumerate(turn for turn, size in sizes.items() if size > 1)}
    calls = []
    for connection, call, turn in session.calls:
        server = session.names.get(connection) or connection
        calls.append(replace(call, tool=f"{server}/{call.tool}" if server else call.tool, turn=numbers.get(turn)))
    identity = content_hash(list(session.digest))
    return StageRun(
        task=identity,
        stage=f"{identity}/1",
        run=identity,
        request=session.request,
        passed=session.passed,
        calls=tuple(calls),
        source=session.source,
        finished=session.finished,
    )

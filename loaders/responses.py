"""Items of OpenAI's Responses interface as conversations.

A record is a request with its items under ``input`` or ``items``, a response with its items under ``output``, both in
one, a list of items, or one item of a conversation that is its file (also under ``payload``, as Codex writes it).
Responses that name a ``previous_response_id`` or a ``conversation`` go on with that one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphstore.records import JSON

from .conversation import ADJACENT, Answer, Ask, Event, Issue, Say
from .conversations import Piece
from .fields import kind, text
from .json_records import JsonRecord
from .messages import issue, message_events, result_success

_CALLS = ("function_call", "custom_tool_call", "mcp_call")
_RESULTS = ("function_call_output", "custom_tool_call_output")
_HOSTED = "_call"
_QUIET = (
    "reasoning",
    "item_reference",
    "compaction",
    "mcp_list_tools",
    "mcp_approval_request",
    "mcp_approval_response",
)
_LINES = ("response_item", "event_msg", "session_meta", "turn_context", "compacted")
MARKS = frozenset(["type", "payload", "object", "output", "input", "items"])
Object = Mapping[str, JSON]


def is_responses(value: JSON) -> bool:
    """Whether a JSON value looks like a response, a request for one, or an item of either."""
    if isinstance(value, list):
        return any(_is_item(each) for each in value)
    if not isinstance(value, dict) or "messages" in value:
        return False
    if _is_item(value) or _is_line(value) or value.get("object") == "response":
        return True
    return any(any(map(_is_item, _list(value, name))) for name in ("output", "input", "items"))


def open_responses(record: JsonRecord) -> Piece | None:
    """What a record brings; no event for a line of a transcript that is no item."""
    value = record.value
    if isinstance(value, list):
        return Piece(list(_events(value, "", ADJACENT)))
    if not isinstance(value, dict):
        raise ValueError(f"is {kind(value)}, not a response")
    if _is_line(value):
        payload = value["payload"]
        value = payload if isinstance(payload, dict) and value["type"] == "response_item" else {"type": "event"}
    elif not (_is_item(value) or isinstance(value.get("role"), str)):
        return _whole(value)
    return Piece(list(item_events(value, ADJACENT)), continues=True)


def _whole(value: Object) -> Piece:
    own = text(value, "id") or None
    asked = value.get("input")
    events: list[Event] = [Ask(asked.strip())] if isinstance(asked, str) and asked.strip() else []
    events += _events(_list(value, "input"), "input", ADJACENT)
    events += _events(_list(value, "items"), "items", ADJACENT)
    events += _events(_list(value, "output"), "output", own or ADJACENT)
    if not events:
        raise ValueError("the response has no items")
    conversation = value.get("conversation")
    named = text(conversation, "id") if isinstance(conversation, dict) else text(value, "conversation")
    return Piece(
        events,
        id=named or None,
        continues=bool(named),
        response=own,
        after=text(value, "previous_response_id") or None,
    )


def _events(items: list[JSON], name: str, together: str) -> Iterator[Event]:
    for index, item in enumerate(items):
        try:
            yield from item_events(item, together)
        except ValueError as error:
            raise ValueError(f"{name}[{index}]: {error}") from error


def item_events(item: JSON, together: str) -> Iterator[Event]:
    """What one item brings. Tools that OpenAI hosts are called by the item's type: ``web_search``.

    :raises ValueError: It is no item, or a call without name.
    """
    if not isinstance(item, dict):
        raise ValueError(f"is {kind(item)}, not an item")
    written = text(item, "type")
    if written in _CALLS:
        yield Say()
        called = issue(item, item, written, together if written != "mcp_call" else "")
        yield called
        if written == "mcp_call":  # the server calls these, one after the other, and puts the result beside the call
            yield _own_result(called, item)
    elif written in _RESULTS:
        output = item.get("output")
        success = result_success(output, item)
        yield Answer(text(item, "call_id"), success, str(output)[:2000] if success is False else None)
    elif written.endswith(_HOSTED):
        yield Say()
        called = issue(item, {"name": written.removesuffix(_HOSTED)}, written, "")
        yield called
        yield _own_result(called, item)
    elif isinstance(item.get("role"), str):
        yield from message_events(item, together)


def _own_result(called: Issue, item: Object) -> Answer:
    error = item.get("error")
    status = item.get("status")
    failed = error is not None or status in ("failed", "incomplete")
    success = False if failed else True if status == "completed" or item.get("output") is not None else None
    return Answer(called.id or called.tool, success, str(error)[:2000] if error is not None else None)


def _is_item(value: JSON) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("type"), str):
        return False
    written = str(value["type"])
    return written in (*_CALLS, *_RESULTS, *_QUIET) or (
        written.endswith(_HOSTED) and "id" in value and written != "tool_call"
    )


def _is_line(value: Object) -> bool:
    return isinstance(value.get("payload"), dict) and value.get("type") in _LINES


def _list(holder: Object, name: str) -> list[JSON]:
    found = holder.get(name)
    return found if isinstance(found, list) else []

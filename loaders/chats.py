"""Chats of OpenAI's and Anthropic's interfaces as conversations.

A record is a conversation: ``{"messages": […]}`` as in a request or a set for fine-tuning, with the model's answer
beside it if that was logged (``choices`` of OpenAI, a message of Anthropic; each also under ``response`` or ``body``);
or a list of messages; or one message of a conversation that is its file, or, as in the transcripts of Claude Code, that
is named by its ``sessionId``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphstore.records import JSON

from .conversation import Ask, Event
from .conversations import Piece
from .fields import kind, text
from .json_records import JsonRecord
from .messages import message_events

_IDS = ("conversation_id", "session_id", "thread_id", "sessionId", "custom_id")
_INTERRUPTED = "[Request interrupted by user"
MARKS = frozenset(["messages", "role", "choices", "request", "response", "body", "type"])
Object = Mapping[str, JSON]


def is_chat(value: JSON) -> bool:
    """Whether a JSON value looks like a chat, a message of one, or a line of a transcript."""
    if isinstance(value, dict) and isinstance(value.get("messages"), list):
        return True
    return _is_message(value) or bool(_messages(value)) or _line(value) is not None


def is_anthropic(value: JSON) -> bool:
    """Whether a JSON value looks like a chat and holds blocks that only Anthropic's interface has."""
    if _line(value) is not None:
        return True
    messages = [value] if _is_message(value) else _messages(value)
    return any(_has_block(message) for message in messages if isinstance(message, dict))


def open_chat(record: JsonRecord) -> Piece | None:
    """What a record brings; ``None`` for a line of a transcript that is no message."""
    value = record.value
    line = _line(value)
    if line is not None:
        return _transcript(line, record)
    if _is_message(value):
        return Piece(list(message_events(value, f"{record.line} {record.where}")), continues=True)
    messages = _messages(value)
    if not messages:
        raise ValueError(f"is {kind(value)}, not a chat" if not isinstance(value, dict) else "the chat has no messages")
    return Piece(list(_events(messages)), id=_identity(value))


def _events(messages: list[JSON]) -> Iterator[Event]:
    for index, message in enumerate(messages):
        try:
            yield from message_events(message, str(index))
        except ValueError as error:
            raise ValueError(f"messages[{index}]: {error}") from error


def _identity(value: JSON) -> str | None:
    """The conversation's id. An ``id`` beside an answer is the answer's."""
    if not isinstance(value, dict):
        return None
    names = _IDS if any(name in value for name in ("choices", "response", "content")) else (*_IDS, "id")
    metadata = value.get("metadata")
    own = text(value, *names)
    return own or (text(metadata, *_IDS) if isinstance(metadata, dict) else "") or None


def _is_message(value: JSON) -> bool:
    return isinstance(value, dict) and isinstance(value.get("role"), str) and "messages" not in value


def _messages(value: JSON) -> list[JSON]:
    """The messages of a chat, the answer last; empty if it is none."""
    if isinstance(value, list):
        return value if value and all(_is_message(each) for each in value[:1]) else []
    if not isinstance(value, dict):
        return []
    asked = next((found for holder in _holders(value, "request") if (found := _list(holder, "messages"))), [])
    answer = next((found for holder in _holders(value, "response") if (found := _answer(holder))), [])
    return [*asked, *answer]


def _holders(value: Object, name: str) -> Iterator[Object]:
    """The record, what it has under the name, and the ``body`` of either."""
    inner = value.get(name)
    for holder in (value, inner):
        if isinstance(holder, dict):
            yield holder
            body = holder.get("body")
            if isinstance(body, dict):
                yield body


def _list(holder: Object, name: str) -> list[JSON]:
    found = holder.get(name)
    return found if isinstance(found, list) else []


def _answer(holder: Object) -> list[JSON]:
    choices = _list(holder, "choices")
    if choices:
        first = choices[0]
        message = first.get("message") if isinstance(first, dict) else None
        return [] if message is None else [message]
    return [dict(holder)] if _is_message(dict(holder)) and holder.get("type") == "message" else []


def _has_block(message: Object) -> bool:
    content = message.get("content")
    blocks = content if isinstance(content, list) else []
    marks = ("tool_use", "tool_result", "thinking")
    return any(isinstance(block, dict) and str(block.get("type")).endswith(marks) for block in blocks)


def _line(value: JSON) -> Object | None:
    """The line of a transcript: an event that names its session, or another line."""
    if not isinstance(value, dict) or not isinstance(value.get("type"), str) or "jsonrpc" in value:
        return None
    session = value.get("sessionId", value.get("session_id"))
    if isinstance(session, str) and any(name in value for name in ("message", "uuid", "timestamp")):
        return value
    return value if any(name in value for name in ("leafUuid", "messageId")) else None


def _transcript(line: Object, record: JsonRecord) -> Piece | None:
    message = line.get("message")
    session = text(line, "sessionId", "session_id")
    if line.get("type") not in ("user", "assistant") or not isinstance(message, dict):
        return Piece((), id=session, continues=True) if session else None
    if line.get("isMeta") is True or line.get("isCompactSummary") is True:
        return None
    # the blocks of one answer stand in lines of their own, under the id of the answer
    events = list(message_events(message, text(message, "id") or str(record.line)))
    asked_by_model = line.get("isSidechain") is True or line.get("parent_tool_use_id") is not None
    kept = [e for e in events if not (isinstance(e, Ask) and (asked_by_model or e.text.startswith(_INTERRUPTED)))]
    return Piece(kept, id=session, continues=True)

"""What the systems that record traces write alike: times, and messages or texts as the input of a span."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from graphstore.records import JSON

from .conversation import Event, Issue, last_request
from .fields import iso_date
from .json_records import parse
from .messages import message_events

_TEXTS = ("input", "question", "query", "user_query", "user_input", "prompt", "request", "task", "content", "text")
_DEEP = 6


def nanoseconds(value: JSON) -> int | None:
    """A time as nanoseconds since 1970, or ``None``: ISO 8601 (UTC unless it says otherwise) or epoch."""
    written = iso_date(value.replace(" ", "T", 1) if isinstance(value, str) else value)
    if written is None:
        return None
    time = datetime.fromisoformat(written)
    since = (time if time.tzinfo else time.replace(tzinfo=UTC)) - datetime(1970, 1, 1, tzinfo=UTC)
    return ((since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds) * 1_000


def opened(value: JSON) -> JSON:
    """The value; if it is text that is a JSON object or list, what it holds."""
    if isinstance(value, str) and value.lstrip()[:1] in ("{", "["):
        try:
            return parse(value.encode())
        except ValueError:
            return value
    return value


def asked(value: JSON, depth: int = 0) -> str:
    """What the user wrote, in the input of a span: text, messages, or an object that holds either; else empty."""
    value = opened(value)
    if isinstance(value, str):
        return value.strip()
    if depth > _DEEP:
        return ""
    if isinstance(value, list):
        return last_request(_events(value))
    if not isinstance(value, dict):
        return ""
    for name in ("messages", *_TEXTS):
        if value.get(name):
            return asked(value[name], depth + 1)
    alone = next(iter(value.values())) if len(value) == 1 else None
    return alone.strip() if isinstance(alone, str) else ""


def issued(value: JSON, depth: int = 0) -> Iterator[Issue]:
    """The calls that a model's answer issued, in the output of a span."""
    value = opened(value)
    if depth > _DEEP:
        return
    if isinstance(value, list):
        for each in value:
            yield from issued(each, depth + 1)
    elif isinstance(value, dict):
        found = [event for event in _events([value]) if isinstance(event, Issue)]
        if found:
            yield from found
            return
        for name in ("message", "messages", "choices", "generations", "output"):
            yield from issued(value.get(name), depth + 1)


def _events(messages: list[JSON]) -> Iterator[Event]:
    """The events of those elements that are messages, also in lists of lists; others are passed over."""
    for message in messages:
        if isinstance(message, list):
            yield from _events([each for each in message if isinstance(each, dict)])
            continue
        try:
            yield from list(message_events(message, ""))
        except ValueError:
            continue

"""Conversations out of records: whole ones, ones that grow from record to record, and ones of a message a record."""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from graphstore.records import JSON, Rejected

from .conversation import Answer, Ask, Conversation, Event, Issue, Say, stated
from .fields import iso_date
from .json_records import JsonRecord
from .log_reader import Runs, at
from .outcome import PassedIf

_encode = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode

HELD = 4_096
"""Conversations held in case that a later record continues them; the one touched least recently is given up first."""

_FINISHED = ("finished_at", "completed_at", "ended_at", "end_time", "timestamp", "created_at", "created")


@dataclass(frozen=True, slots=True)
class Piece:
    """What a record brings of a conversation.

    :param events: What happens in it.
    :param id: The conversation's id, if the record has one.
    :param continues: The conversation goes on from record to record: under its id, or else in its file.
    :param response: Name under which a later record may say that it goes on after this one.
    :param after: That name, of the record that this one goes on after.
    """

    events: Sequence[Event]
    id: str | None = None
    continues: bool = False
    response: str | None = None
    after: str | None = None


@dataclass(slots=True)
class ConversationReader:
    """Reads records of conversations.

    An agent that logs every request logs the beginning of a conversation again and again. Of records without id that
    begin alike the longest is read, so that each call counts once.

    :param open: What a record brings; raises ``ValueError`` if it is none of the format.
    """

    open: Callable[[JsonRecord], Piece | None]
    passed_if: PassedIf | None
    _held: OrderedDict[str, tuple[Conversation, str | None]] = field(default_factory=OrderedDict)
    _responses: dict[str, str] = field(default_factory=dict)

    def add(self, record: JsonRecord, path: str) -> Runs:
        """The stages of conversations that are given up waiting for."""
        try:
            piece = self.open(record)
            passed = self.passed_if.verdict(record.value) if self.passed_if else stated(record.value)
            if piece is None:
                return
            conversation = self._conversation(piece, path, f"{path}:{record.line}")
        except ValueError as error:
            yield Rejected(path, record.line, at(record.where, error))
            return
        conversation.events += piece.events
        conversation.passed = conversation.passed if passed is None else passed
        conversation.finished = _finished(record.value) or conversation.finished
        while len(self._held) > HELD:
            yield from _runs(*self._held.popitem(last=False)[1])

    def finish(self) -> Runs:
        """The stages of every conversation that is still held."""
        while self._held:
            yield from _runs(*self._held.popitem(last=False)[1])

    def _conversation(self, piece: Piece, path: str, source: str) -> Conversation:
        """The conversation that the piece is added to, as the one touched last."""
        if piece.continues or piece.after in self._responses:
            key = self._responses.get(piece.after or "") or (f"id {piece.id}" if piece.id else f"file {path}")
        elif piece.id:
            key = f"id {piece.id}"
            self._held.pop(key, None)
        else:
            beginnings = list(_beginnings(piece.events))
            for beginning in beginnings:
                self._held.pop(f"begins {beginning}", None)
            key = f"begins {beginnings[-1]}" if beginnings else f"empty {source}"
        if piece.response:
            self._responses[piece.response] = key
        held = self._held.setdefault(key, (Conversation(source), piece.id))
        self._held.move_to_end(key)
        return held[0]


def _runs(conversation: Conversation, identity: str | None) -> Runs:
    try:
        yield from conversation.runs(identity or _content(conversation.events))
    except ValueError as error:
        path, _, line = conversation.source.rpartition(":")
        yield Rejected(path, int(line), str(error))


def _beginnings(events: Sequence[Event]) -> Iterator[str]:
    """A hash of the conversation up to each event; words of the model are left out, as they are logged variously."""
    digest = hashlib.sha256()
    for event in events:
        if not isinstance(event, Say):
            digest.update(_canonical(event).encode("utf-8", "surrogatepass"))
            yield digest.hexdigest()


def _content(events: Sequence[Event]) -> str:
    *_, last = ["", *_beginnings(events)]
    return last[:16]


def _canonical(event: Ask | Issue | Answer) -> str:
    if isinstance(event, Ask):
        return f"ask\0{event.text}\0"
    if isinstance(event, Answer):
        return f"answer\0{event.id}\0{event.success}\0{event.error}\0"
    try:
        return f"issue\0{event.id}\0{event.tool}\0{_encode(dict(event.arguments)) if event.arguments else ''}\0"
    except RecursionError as error:
        raise ValueError("the arguments of a call are nested too deeply") from error


def _finished(record: JSON) -> str | None:
    if not isinstance(record, dict):
        return None
    return next((date for name in _FINISHED if (date := iso_date(record.get(name)))), None)

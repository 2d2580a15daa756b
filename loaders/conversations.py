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

_HASH = 32
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
class _Held:
    """A conversation that a later record may continue.

    :param id: The one that its records name, if they do.
    :param begun: A hash of it up to each event, if one record holds it whole and names no id.
    """

    conversation: Conversation
    id: str | None
    begun: Sequence[str] = ()


@dataclass(slots=True)
class ConversationReader:
    """Reads records of conversations.

    An agent that logs every request logs the beginning of a conversation again and again. Of records that begin alike,
    under one id or without any, the longest is read, so that each call counts once, whatever the order of the records.

    :param open: What a record brings; raises ``ValueError`` if it is none of the format.
    """

    open: Callable[[JsonRecord], Piece | None]
    passed_if: PassedIf | None
    _held: OrderedDict[str, _Held] = field(default_factory=OrderedDict)
    _begun: dict[str, str] = field(default_factory=dict)
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
        if conversation is None:
            return
        conversation.events += piece.events
        conversation.passed = conversation.passed if passed is None else passed
        conversation.finished = _finished(record.value) or conversation.finished
        while len(self._held) > HELD:
            yield from self._first()

    def finish(self) -> Runs:
        """The stages of every conversation that is still held."""
        while self._held:
            yield from self._first()

    def _first(self) -> Runs:
        held = self._let_go(next(iter(self._held)))
        if held is not None:
            yield from _runs(held.conversation, held.id)

    def _let_go(self, key: str) -> _Held | None:
        held = self._held.pop(key, None)
        for beginning in held.begun if held else ():
            if self._begun.get(beginning) == key:
                del self._begun[beginning]
        return held

    def _conversation(self, piece: Piece, path: str, source: str) -> Conversation | None:
        """The conversation that the piece is added to, as the one touched last; ``None`` if it was read already."""
        begun: Sequence[str] = ()
        if piece.continues or piece.after in self._responses:
            key = self._responses.get(piece.after or "") or (f"id {piece.id}" if piece.id else f"file {path}")
        else:
            begun = [] if piece.id else list(_beginnings(piece.events))
            if longer := self._longer(piece, begun):
                self._held.move_to_end(longer)
                return None
            key = self._whole(piece.id, begun, source)
        if piece.response:
            self._responses[piece.response] = key
        held = self._held.setdefault(key, _Held(Conversation(source), piece.id, begun))
        self._held.move_to_end(key)
        return held.conversation

    def _longer(self, piece: Piece, begun: Sequence[str]) -> str | None:
        """The key of a conversation of which the piece is but a beginning, if one was read before."""
        if not piece.id:
            return self._begun.get(begun[-1]) if begun else None
        held = self._held.get(key := f"id {piece.id}")
        if held is None or len(held.conversation.events) <= len(piece.events):
            return None
        mine, its = ([*map(_canonical, _told(events))] for events in (piece.events, held.conversation.events))
        return key if mine == its[: len(mine)] != its else None

    def _whole(self, id: str | None, begun: Sequence[str], source: str) -> str:
        """The key of a conversation that a record holds whole; what was read of it before is given up."""
        if id:
            key = f"id {id}"
            self._let_go(key)
            return key
        for beginning in begun:
            self._let_go(f"begins {beginning}")
        key = f"begins {begun[-1]}" if begun else f"empty {source}"
        self._begun.update(dict.fromkeys(begun[:-1], key))
        return key


def _runs(conversation: Conversation, identity: str | None) -> Runs:
    try:
        yield from conversation.runs(identity or _content(conversation.events))
    except ValueError as error:
        path, _, line = conversation.source.rpartition(":")
        yield Rejected(path, int(line), str(error))


def _beginnings(events: Sequence[Event]) -> Iterator[str]:
    """A hash of the conversation up to each event; words of the model are left out, as they are logged variously."""
    digest = hashlib.sha256()
    for event in _told(events):
        digest.update(_canonical(event).encode("utf-8", "surrogatepass"))
        yield digest.hexdigest()[:_HASH]


def _told(events: Sequence[Event]) -> Iterator[Ask | Issue | Answer]:
    return (event for event in events if not isinstance(event, Say))


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

"""What one document says by itself: names, places where a name could stand, and stated aliases.

An extraction depends on its document alone. It is kept on the document as JSON, so that resolution is a pure function
of all stored extractions, whatever the order, the batches or the interruptions in which they came.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from typing import Any

from graphstore.corpusmap.keys import name_key

FORMAT = 5
"""Raised when extraction changes, so that a build extracts again."""

_READABLE = frozenset({2, 3, 4, 5})
"""Formats whose layout is still understood."""

LOCAL = "local"
"""What made an extraction, where no catalog and no optional recogniser had a say."""

INITIAL, LINE, PHRASE = 1, 2, 4
"""Flags of a window: one word that begins its sentence; fills its line; could be a name that a model missed."""


@dataclass(frozen=True, slots=True)
class Name:
    """A name at a place.

    :param start: Character offset in the text; negative inside the title, which stands before it.
    :param qualifiers: What tells the bearer from others of the name: ``mail:…``, ``dept:…``.
    :param type: A built-in type: its rules say which names are one thing.
    :param strong: Whether its type is certain by form ("Dr. …", "… Ltd."), not by a model.
    :param key: Of the name, or of the fuller name that the document has for the same thing (田中 for 田中太郎).
    :param label: The type of the store's catalog that readers see in place of ``type``; empty for a built-in one.
    """

    start: int
    end: int
    text: str
    type: str
    qualifiers: tuple[str, ...]
    strong: bool
    key: str
    label: str = ""


@dataclass(frozen=True, slots=True)
class Window:
    """A run of whole capitalised segments: a name, if another document says so."""

    start: int
    end: int
    text: str
    flags: int
    key: str


@dataclass(frozen=True, slots=True)
class StatedAlias:
    """Two names that the document states to be one thing; ``b`` is the other, code or short name."""

    a: str
    b: str
    acronym: bool


@dataclass(frozen=True, slots=True)
class Group:
    """Names that a model found to be one thing in this document, of whatever form.

    :param names: As written, the fullest first.
    :param said: Offsets in the text of what the document says of it; the sentence that begins or lies there is meant.
    """

    names: tuple[str, ...]
    said: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Extraction:
    """All of one document.

    :param groups: Of a model that reads; the local builder groups by form, when names are resolved.
    :param by: Name of what made it, as :meth:`~graphstore.corpusmap.builder.Builder.stamp` gives it: another one makes
        a build extract again.
    """

    names: tuple[Name, ...] = ()
    windows: tuple[Window, ...] = ()
    aliases: tuple[StatedAlias, ...] = ()
    by: str = LOCAL
    groups: tuple[Group, ...] = ()

    def to_json(self) -> str:
        """Compact JSON that :func:`from_json` reads back to an equal value."""
        return json.dumps(
            {
                "v": FORMAT,
                "by": self.by,
                "n": [_name_row(name) for name in self.names],
                "w": [[w.start, w.end, w.text, w.flags] for w in self.windows],
                "a": [[a.a, a.b, int(a.acronym)] for a in self.aliases],
                **({"g": [[g.names, g.said] for g in self.groups]} if self.groups else {}),
            },
            ensure_ascii=False,
            separators=(",", ":"),
        )


def extraction_hash(extraction: Extraction) -> str:
    """Hash of all that an extraction says."""
    return hashlib.sha256(extraction.to_json().encode()).hexdigest()[:32]


def from_json(text: str | None) -> Extraction | None:
    """The extraction, or ``None`` where there is none or one of another format, so that it is to be made anew.

    What a model read stays while it can be read: it was paid for, and is made anew only where that is asked for.
    """
    if not text:
        return None
    data = json.loads(text)
    version, by = data.get("v"), data.get("by", LOCAL)
    if version != FORMAT and (by.startswith(LOCAL) or version not in _READABLE):
        return None
    return Extraction(
        tuple(_name(row) for row in data["n"]),
        tuple(Window(s, e, t, f, name_key(t)) for s, e, t, f in data["w"]),
        tuple(StatedAlias(a, b, bool(acronym)) for a, b, acronym in data["a"]),
        data["by"],
        tuple(Group(tuple(names), tuple(said)) for names, said in data.get("g", ())),
    )


def _name_row(name: Name) -> list[Any]:
    """Name as JSON: its key only where it is another name's, its label only where it has one."""
    row = [name.start, name.end, name.text, name.type, name.qualifiers, int(name.strong)]
    if name.key != key_of(name.text, name.type):
        return [*row, name.label, name.key]
    return [*row, name.label] if name.label else row


def _name(row: list[Any]) -> Name:
    start, end, text, kind, qualifiers, strong, label, key = [*row, "", ""][:8] if len(row) < 8 else row
    return Name(start, end, text, kind, tuple(qualifiers), bool(strong), key or key_of(text, kind), label)


def key_of(text: str, kind: str) -> str:
    """The key of a name; codes and addresses keep every character, only their case is folded."""
    return text.casefold() if kind in ("code", "email") else name_key(text)

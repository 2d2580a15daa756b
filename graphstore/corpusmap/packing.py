"""What a registry holds as text and back, for its tables. What comes back is equal; JSON keeps every float as it is."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from graphstore.corpusmap.evidence import Evidence
from graphstore.corpusmap.locals import Local

pack = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
"""Text of what JSON has words for."""

unpack = json.JSONDecoder().decode
"""What :func:`pack` was given, tuples as lists."""


def unpack_counter(text: str) -> Counter[str]:
    """Counts."""
    found: Counter[str] = Counter()
    dict.update(found, unpack(text))  # not Counter's own, which adds one by one
    return found


def pack_names(names: frozenset[str]) -> str:
    """Text of a set of names; ``unpack_names`` reads it."""
    return pack(sorted(names))


def unpack_names(text: str) -> frozenset[str]:
    """A set of names."""
    return frozenset(unpack(text))


def pack_evidence(rivals: dict[str, Evidence]) -> str:
    """Text of the rivals of a name; ``unpack_evidence`` reads it."""
    return pack({key: [e.score, e.reason, e.unique, e.apart, e.needs] for key, e in rivals.items()}) if rivals else "{}"


def unpack_evidence(text: str) -> dict[str, Evidence]:
    """The rivals of a name, each with what speaks for it."""
    return {key: Evidence(*told) for key, told in unpack(text).items()}


def unpack_edges(text: str) -> dict[str, tuple[float, str]]:
    """The names that are the same as one, each with score and reason."""
    return {key: (score, reason) for key, (score, reason) in unpack(text).items()}


def unpack_claim(text: str) -> tuple[str, bool, bool, bool, bool, bool]:
    """What decides with which others there is evidence."""
    kind, written, titled, recorded, certain, acronym = unpack(text)
    return kind, written, titled, recorded, certain, acronym


def pack_locals(found: tuple[Local, ...]) -> str:
    """Text of what a document speaks of; ``unpack_locals`` reads it."""
    return pack([[f.key, f.names, f.votes, f.strong, f.spans, sorted(f.qualifiers), f.own, f.labels] for f in found])


def unpack_locals(text: str) -> tuple[Local, ...]:
    """What a document speaks of."""
    return tuple(map(_local, unpack(text)))


def _local(row: list[Any]) -> Local:
    key, names, votes, strong, places, qualifiers, own, labels = row
    counted = tuple((kind, count) for kind, count in votes)
    return Local(key, tuple(names), counted, strong, spans(places), frozenset(qualifiers), own, tuple(labels))


def spans(rows: list[list[int]]) -> tuple[tuple[int, int], ...]:
    """Places in a text."""
    return tuple((start, end) for start, end in rows)

"""Records of registries that may be one, by all that they say: names, addresses and every other column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from graphstore.corpusmap.duplicates import Candidate, Duplicate
from graphstore.linkage import link
from graphstore.records import JSON


def record_duplicates(records: Sequence[Candidate], said: Mapping[str, Mapping[str, JSON]]) -> list[Duplicate]:
    """Pairs of records that are one thing by their own statistics, surest first: what a person may be shown.

    Work a record does not grow with their number.

    :param said: Attributes of each, by id.
    """
    ordered = sorted(records, key=lambda each: each.id)
    rows = [{"name": " ".join(each.forms), **_columns(said.get(each.id, {}))} for each in ordered]
    found = []
    for pair in link(rows, apart=lambda a, b: _apart(ordered[a], ordered[b])).proposals() if len(rows) > 1 else ():
        a, b = ordered[pair.a], ordered[pair.b]
        keep, merge = sorted((a, b), key=lambda each: (-len(each.documents), each.name, each.id))
        reasons = tuple(f"{reason.column} {reason.says}" for reason in pair.reasons if reason.weight > 0)
        shared = len(a.documents.keys() & b.documents.keys())
        found.append(Duplicate(keep, merge, pair.confidence, reasons, shared))
    return found


def _apart(a: Candidate, b: Candidate) -> bool:
    return b.id in a.distinct or a.id in b.distinct or a.kind != b.kind


def _columns(attributes: Mapping[str, JSON]) -> dict[str, str]:
    return {f"{name}": text for name, value in attributes.items() if (text := _text(value))}


def _text(value: Any) -> str:
    if isinstance(value, list):
        return " ".join(filter(None, map(_text, value)))
    return "" if value is None or isinstance(value, (bool, dict)) else str(value)

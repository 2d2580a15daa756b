"""Typed reading of JSON fields; a wrong type is said with the field's name."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from email.utils import parsedate_to_datetime

from graphstore.records import JSON

_DAY = re.compile(r"(\d{4})[/.](\d{1,2})[/.](\d{1,2})")


def text(record: Mapping[str, JSON], *names: str) -> str:
    """The first of these fields that is there and not null, as text; ``""`` if none is.

    :raises ValueError: It is neither text nor a number.
    """
    for name in names:
        value = record.get(name)
        if value is not None:
            if isinstance(value, bool) or not isinstance(value, (str, int, float)):
                raise ValueError(f"{name} is {kind(value)}, not text")
            return str(value)
    return ""


def objects(value: JSON, name: str) -> list[dict[str, JSON]]:
    """The value as a list of objects; null is an empty list.

    :raises ValueError: It is something else, or holds something else.
    """
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError(f"{name} is {kind(value)}, not a list")
    found: list[dict[str, JSON]] = []
    for index, element in enumerate(value):
        if not isinstance(element, dict):
            raise ValueError(f"{name}[{index}] is {kind(element)}, not an object")
        found.append(element)
    return found


def flag(record: Mapping[str, JSON], name: str) -> bool | None:
    """The field as a truth value; ``None`` if absent or null.

    :raises ValueError: It is no truth value.
    """
    value = record.get(name)
    if value is None or isinstance(value, bool):
        return value
    raise ValueError(f"{name} is {kind(value)}, not true or false")


def kind(value: JSON) -> str:
    """What a JSON value is, in words."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true or false"
    names: dict[type, str] = {str: "text", int: "a number", float: "a number", list: "a list", dict: "an object"}
    return names[type(value)]


def content_hash(value: JSON) -> str:
    """16 hex digits of the SHA-256 of the canonical JSON: equal content, equal hash, in any order of names."""
    try:
        canonical = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def iso_date(value: JSON) -> str | None:
    """A date or time as ISO 8601, or ``None`` if it is none.

    Read are ISO 8601, ``2026/1/5``, the form of mail headers, and epoch seconds or milliseconds (as UTC).
    """
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, (int, float)):
        return _from_number(value)
    if not isinstance(value, str):
        return None
    written = value.strip()
    if day := _DAY.fullmatch(written):
        written = f"{int(day[1]):04}-{int(day[2]):02}-{int(day[3]):02}"
    try:
        read = datetime.fromisoformat(written)
    except ValueError:
        return _from_mail(written)
    return read.date().isoformat() if "T" not in written and len(written) <= len("2026-01-05") else read.isoformat()


def _from_number(value: float) -> str | None:
    if not abs(value) < 1e14:  # compared, not converted: a whole number may be larger than any float
        return None
    if isinstance(value, int) and 1000_01_01 <= value <= 9999_12_31:
        try:
            return date.fromisoformat(str(value)).isoformat()
        except ValueError:
            return None
    seconds = value / 1000 if abs(value) >= 1e11 else value
    if not 1e8 < seconds < 1e11:
        return None
    return datetime.fromtimestamp(seconds, UTC).isoformat()


def _from_mail(written: str) -> str | None:
    try:
        return parsedate_to_datetime(written).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return None

"""Whether a run passed, by a condition on its record: ``reward>=0.5``, ``metadata.status=ok``, ``resolved``.

A condition is a field, alone or compared with a value; nothing is evaluated. The field is a path with dots; a name that
holds dots itself is found too. In a list a step is a position, or the ``name`` or ``key`` of an element, which then
stands for its ``value`` or ``score``: so ``scores.correctness>=0.5`` reads the scores of a trace.
"""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import cast

from graphstore.errors import SettingsError
from graphstore.records import JSON

from .fields import kind

_CONDITION = re.compile(
    r"\s*(?P<field>[^=<>!\s][^=<>!]*?)\s*(?:(?P<sign>>=|<=|!=|==|=|>|<)\s*(?P<value>[^=<>].*?|)\s*)?", re.DOTALL
)
_ORDER: Mapping[str, Callable[[float, float], bool]] = {
    ">=": operator.ge,
    "<=": operator.le,
    ">": operator.gt,
    "<": operator.lt,
}
_NAMES = ("name", "key")
_VALUES = ("value", "score")


class _Missing:
    """No such field."""


_MISSING = _Missing()


@dataclass(frozen=True, slots=True)
class PassedIf:
    """A condition on the record of a run.

    :param field: Path of the field; empty if the condition is the same for every run.
    :param sign: How it is compared; empty if the field is a truth value itself.
    :param value: What it is compared with, or the constant.
    """

    field: str
    sign: str = ""
    value: JSON = None

    def verdict(self, *records: JSON) -> bool | None:
        """Whether the condition holds; ``None`` if no record has the field.

        :param records: What is looked into, in turn: the stage, then its run. The first that has the field decides.
        :raises ValueError: The field holds what cannot be compared so.
        """
        if not self.field:
            return bool(self.value)
        values = (_found(record, self.field) for record in records)
        value = next((value for value in values if not isinstance(value, _Missing)), None)
        if not self.sign:
            return self._truth(value)
        if self.value is None:
            return (value is None) is (self.sign in ("=", "=="))
        if value is None:
            return None
        if self.sign in _ORDER:
            return _ORDER[self.sign](self._number(value), self._number(self.value))
        return _equal(value, self.value) is (self.sign != "!=")

    def _truth(self, value: JSON) -> bool | None:
        if value is None or isinstance(value, bool):
            return value
        if value in (0, 1):
            return bool(value)
        if isinstance(value, str) and value.strip().lower() in ("true", "false"):
            return value.strip().lower() == "true"
        raise ValueError(f"{self.field} is {kind(value)}, not true or false: compare it ({self.field}=VALUE)")

    def _number(self, value: JSON) -> float:
        number = _number(value)
        if number is None:
            raise ValueError(f"{self.field} is {kind(value)}, not a number: it cannot be compared by {self.sign}")
        return number


def passed_if(condition: str) -> PassedIf:
    """The condition that a text states: ``FIELD``, ``FIELD=VALUE``, ``FIELD>=NUMBER``, or ``true`` for every run.

    >>> passed_if("reward >= 0.5")
    PassedIf(field='reward', sign='>=', value=0.5)

    :raises SettingsError: It states none.
    """
    if condition.strip().lower() in ("true", "false"):
        return PassedIf("", value=condition.strip().lower() == "true")
    match = _CONDITION.fullmatch(condition)
    if match is None or match["value"] == "":
        raise SettingsError(f"--passed-if {condition!r}: write FIELD, FIELD=VALUE or FIELD>=NUMBER (also != <= > <)")
    sign = match["sign"] or ""
    value = _value(match["value"]) if sign else None
    if sign in _ORDER and _number(value) is None:
        raise SettingsError(f"--passed-if {condition!r}: {sign} compares with a number")
    return PassedIf(match["field"], sign, value)


def stage_verdict(whole: bool | None, stages: int) -> bool | None:
    """What the verdict of a run says of each of its stages: a run of several that failed does not say which one did."""
    return None if whole is False and stages > 1 else whole


def _value(written: str) -> JSON:
    try:
        return cast("JSON", json.loads(written))
    except ValueError:
        return written


def _found(value: JSON, path: str) -> JSON | _Missing:
    """The field at the path, or ``_MISSING``. Of names with dots in them the longest that is there is taken."""
    ends = [match.start() for match in re.finditer(r"\.", path)]
    for end in (len(path), *reversed(ends)):
        here = _member(value, path[:end], last=end == len(path))
        if not isinstance(here, _Missing):
            found = here if end == len(path) else _found(here, path[end + 1 :])
            if not isinstance(found, _Missing):
                return found
    return _MISSING


def _member(value: JSON, name: str, *, last: bool) -> JSON | _Missing:
    if isinstance(value, dict):
        return value.get(name, _MISSING)
    if not isinstance(value, list):
        return _MISSING
    if name.isascii() and name.isdigit():
        return value[int(name)] if len(name) < 10 and int(name) < len(value) else _MISSING
    element = next((e for e in value if isinstance(e, dict) and any(e.get(n) == name for n in _NAMES)), None)
    if element is None:
        return _MISSING
    return next((element[field] for field in _VALUES if field in element), element) if last else element


def _equal(one: JSON, other: JSON) -> bool:
    numbers = _number(one), _number(other)
    if None not in numbers:
        return numbers[0] == numbers[1]
    if isinstance(one, bool) or isinstance(other, bool):
        return _written(one).lower() == _written(other).lower()
    return _written(one) == _written(other)


def _written(value: JSON) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, sort_keys=True)


def _number(value: JSON) -> float | None:
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        return float(value)
    except (ValueError, OverflowError):
        return None

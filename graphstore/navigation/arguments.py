"""What a tool may be given: checked before it is called, with one line for the model that called it. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graphstore.errors import SettingsError
from graphstore.navigation.budget import in_line, sendable

_JSON_TYPES = {"text": "string", "whole": "integer", "truth": "boolean"}
_WORDS = {"text": "a text", "whole": "a whole number", "truth": "true or false"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """An argument of a tool.

    :param kind: ``text``, ``whole`` (number) or ``truth``.
    :param default: What stands for it where it is not given; ``None`` is nothing. A required one has none.
    """

    name: str
    kind: Literal["text", "whole", "truth"]
    about: str
    required: bool = False
    default: str | int | bool | None = None
    least: int | None = None
    most: int | None = None

    @property
    def schema(self) -> dict[str, Any]:
        """Its JSON Schema."""
        out: dict[str, Any] = {"type": _JSON_TYPES[self.kind], "description": self.about}
        if self.kind == "text":
            out["minLength"] = 1
        for name, value in (("minimum", self.least), ("maximum", self.most), ("default", self.default)):
            if value is not None:
                out[name] = value
        return out

    def checked(self, value: Any) -> Any:
        """The value, as the tool takes it. Numbers and truth values may come as text: many models send them so.

        :raises SettingsError: It is of another kind, or out of range.
        """
        found = _read(self.kind, value)
        if found is None:
            raise SettingsError(f"{self.name} is {_WORDS[self.kind]}: got {in_line(_shown(value), 60)}")
        if self.kind == "text" and not found.strip():
            raise SettingsError(f"{self.name} is blank")
        if self.kind == "text" and found != sendable(found):
            raise SettingsError(f"{self.name} is no Unicode text (half of a surrogate pair): write it anew")
        if self.kind == "whole" and not (self.least or 0) <= found <= (self.most or found):
            to = f" to {self.most}" if self.most is not None else " or more"
            raise SettingsError(f"{self.name} is {self.least or 0}{to}: got {found}")
        return found


def schema_of(parameters: Sequence[Parameter]) -> dict[str, Any]:
    """The JSON Schema of a tool's arguments."""
    return {
        "type": "object",
        "properties": {each.name: each.schema for each in parameters},
        "required": [each.name for each in parameters if each.required],
        "additionalProperties": False,
    }


def checked(parameters: Sequence[Parameter], arguments: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments of a call, defaults filled in; ``null`` is as good as not given.

    :raises SettingsError: One is unknown, missing, of another kind or out of range.
    """
    names = [each.name for each in parameters]
    for name in arguments:
        if name not in names:
            raise SettingsError(f"there is no argument {in_line(str(name), 40)!r}; there are {', '.join(names)}")
    out: dict[str, Any] = {}
    for each in parameters:
        value = arguments.get(each.name)
        if value is None and each.required:
            raise SettingsError(f"{each.name} is missing: {each.about}")
        out[each.name] = each.default if value is None else each.checked(value)
    return out


def _read(kind: str, value: Any) -> Any:
    """The value as this kind, or ``None``."""
    if kind == "text":
        # a path or a section may be a number, which models then write as one
        return (
            str(value) if isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool)) else None
        )
    if kind == "truth":
        return {"true": True, "false": False}.get(str(value).strip().lower())
    if isinstance(value, bool):
        return None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.strip().lstrip("-").isdecimal() and len(value) < 20:
        return int(value)
    return value if isinstance(value, int) else None


def _shown(value: Any) -> str:
    try:
        return sendable(json.dumps(value, ensure_ascii=False))
    except (TypeError, ValueError):
        return type(value).__name__

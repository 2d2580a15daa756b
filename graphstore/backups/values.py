"""Properties as JSON and back, without loss. Pure.

Texts, numbers, truth values and lists of them are themselves. Three kinds are objects with one key: bytes (``bytes``),
lists of fractions (``f4`` where four bytes a number hold them exactly, as they do vectors, else ``f8``), and a number
that JSON has no word for (``number``, such as ``inf``).
"""

from __future__ import annotations

import base64
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

_FEW = 8
"""Shorter lists of fractions are written out, to be read by people."""


def packed(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Properties of a node or relationship, as JSON holds them.

    :raises TypeError: one is of a kind that graphstore never writes, such as a date or a point; the text names it.
    """
    out = {}
    for name, value in properties.items():
        try:
            out[name] = _packed(value)
        except TypeError as error:
            raise TypeError(f"{name} is a {error}") from None
    return out


def unpacked(properties: Mapping[str, Any]) -> dict[str, Any]:
    """The properties that :func:`packed` was given."""
    return {name: _unpacked(value) for name, value in properties.items()}


def _packed(value: Any) -> Any:
    if isinstance(value, bool | int | str):
        return value
    if isinstance(value, float):
        return value if math.isfinite(value) else {"number": str(value)}
    if isinstance(value, bytes | bytearray):
        return {"bytes": base64.b64encode(value).decode("ascii")}
    if isinstance(value, list):
        if len(value) >= _FEW and all(type(item) is float for item in value):
            return _numbers(np.array(value, dtype="<f8"))
        return [_packed(item) for item in value]
    raise TypeError(type(value).__name__)


def _numbers(numbers: np.ndarray[Any, np.dtype[np.float64]]) -> dict[str, str]:
    with np.errstate(over="ignore"):
        single = numbers.astype("<f4")
    short = np.array_equal(single.astype("<f8"), numbers, equal_nan=True)
    data = single.tobytes() if short else numbers.tobytes()
    return {"f4" if short else "f8": base64.b64encode(data).decode("ascii")}


def _unpacked(value: Any) -> Any:
    if isinstance(value, list):
        return [_unpacked(item) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, text),) = value.items()
    if kind == "number":
        return float(text)
    data = base64.b64decode(text)
    return data if kind == "bytes" else np.frombuffer(data, dtype=f"<{kind}").astype(float).tolist()

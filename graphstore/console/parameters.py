"""Values of statement parameters as a person writes them."""

from __future__ import annotations

import json
from typing import Any

from graphstore.errors import SettingsError


def parameter(text: str) -> tuple[str, Any]:
    """Name and value of ``name=value``; the value is JSON, or else the text as it stands.

    :raises SettingsError: it is not of this form.
    """
    name, separator, value = text.partition("=")
    name = name.strip().removeprefix("$")
    if not separator or not name.isidentifier():
        raise SettingsError(f"{text!r}: write name=value")
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value.strip()

"""Prompts, one a file; their text is part of what an extraction is named by, so a changed prompt reads again."""

from __future__ import annotations

import hashlib
from functools import cache
from importlib import resources


@cache
def prompt(name: str) -> str:
    """The text of a prompt."""
    return resources.files(__name__).joinpath(f"{name}.md").read_text("utf-8").strip()


@cache
def prompt_digest(*names: str) -> str:
    """Hash of prompts, in eight hexadecimal digits."""
    return hashlib.sha256("\0".join(map(prompt, names)).encode()).hexdigest()[:8]

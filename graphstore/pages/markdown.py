"""Words of documents as Markdown: they stand as they are, but for characters that would turn into markup."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import yaml

Count = Callable[[str], int]
"""How many tokens a text has."""

_Dumper = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper

# Underscores inside a word are no markup, and codes such as SR_2023_052 shall be found by grep.
_MARKUP = re.compile(
    r"<[\w.+-]+@[\w-]+(?:\.[\w-]+)+>|\*\*(?=[^\s*])[^*\\]*[^\s*\\]\*\*|[\\`*\[\]<]|(?<!\w)_|_(?!\w)|&(?=#?\w+;)|~~"
)
_BLOCK = re.compile(r"^(?:([#>+=-])|(\d{1,9})([.)]))")
_CUT = " …"


def escape(text: str) -> str:
    r"""Text in one line that Markdown shows as it is; words set in bold stay so, a row of a table loses its outer bars.

    >>> escape("SR_2023_052 *new* [x](y)")
    'SR_2023_052 \\*new\\* \\[x\\](y)'
    >>> escape("1. not a list")
    '1\\. not a list'
    """
    flat = " ".join(text.split())
    row = flat.strip("| ") if flat.startswith("|") or flat.endswith("|") else flat
    line = _MARKUP.sub(_escaped, row or flat)
    return _BLOCK.sub(lambda found: f"\\{found[1]}" if found[1] else f"{found[2]}\\{found[3]}", line)


def _escaped(found: re.Match[str]) -> str:
    if "@" in found[0]:  # an address in angle brackets is a link to it
        return found[0]
    if found[0].startswith("**") and len(found[0]) > len("****"):
        return f"**{_MARKUP.sub(_escaped, found[0][2:-2])}**"
    return "".join(f"\\{char}" for char in found[0])


def front(fields: Mapping[str, Any]) -> str:
    """YAML front matter of the fields that are not ``None``."""
    body = yaml.dump(
        {name: value for name, value in fields.items() if value is not None},
        Dumper=_Dumper,
        allow_unicode=True,
        sort_keys=False,
        width=10_000,
    )
    return f"---\n{body}---"


def listed(lines: Iterable[str]) -> str:
    """A list."""
    return "\n".join(f"- {line}" for line in lines)


def joined(first: str, *rest: str | None) -> str:
    """What there is, with dashes between."""
    return " — ".join([first, *(each for each in rest if each)])


def cut(text: str, most: int, count: Count) -> str:
    """The longest beginning that has no more tokens, with a mark where something was cut."""
    if count(text) <= most:
        return text
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(text[:middle] + _CUT) <= most else (low, middle - 1)
    return text[:low].rstrip() + _CUT

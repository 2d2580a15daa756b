"""YAML front matter of a text document.

Strict where leniency would open a restricted document: front matter that is not closed, not valid, or that names a
field twice is an error, since its ``acl`` would be lost.
"""

from __future__ import annotations

import math
import re
from collections.abc import Hashable
from datetime import date, datetime
from typing import Any

import yaml

from graphstore.records import JSON

_OPEN = re.compile(r"---[ \t]*\r?\n")
_CLOSE = re.compile(r"^(---|\.\.\.)[ \t]*\r?$\n?", re.MULTILINE)
_FIELD = re.compile(r"[\w-]+[ \t]*:([ \t]|\r?$)", re.MULTILINE)


class FrontMatterError(ValueError):
    """The front matter cannot be read.

    :param line: Line of the document, from 1.
    """

    def __init__(self, reason: str, line: int) -> None:
        super().__init__(reason)
        self.line = line


class _Loader(yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader):  # type: ignore[misc]
    """Plain values only, and no field twice."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    raise yaml.MarkedYAMLError(problem=f"the field {key.value!r} twice", problem_mark=key.start_mark)
                seen.add(key.value)
        return dict(super().construct_mapping(node, deep))


def front_matter(text: str) -> tuple[dict[str, JSON], str]:
    """The fields, and the text after them; no fields if the text does not open with front matter.

    Dates come as ISO 8601 text.

    :raises FrontMatterError: The front matter is not closed or no valid YAML.
    """
    opening = _OPEN.match(text)
    if opening is None:
        return {}, text
    closing = _CLOSE.search(text, opening.end())
    if closing is None:
        if _FIELD.match(text, opening.end()):
            raise FrontMatterError("the front matter is not closed: put --- on a line after it", 1)
        return {}, text  # a rule across the page
    source = text[opening.end() : closing.start()]
    fields = _parsed(source)
    if fields is None:
        return {}, text if source.strip() else text[closing.end() :]
    return {str(name): _json(value) for name, value in fields.items()}, text[closing.end() :]


def _parsed(source: str) -> dict[Hashable, Any] | None:
    aliases = False
    try:
        aliases = "*" in source and any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(source, _Loader))
        value = None if aliases else yaml.load(source, _Loader)
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        problem = getattr(error, "problem", None) or str(error).splitlines()[0]
        line = 2 if mark is None else mark.line + 2
        raise FrontMatterError(f"the front matter is not valid YAML ({problem})", line) from error
    except (ValueError, TypeError, RecursionError, OverflowError) as error:  # a date such as 2026-02-30, deep nesting
        raise FrontMatterError(f"the front matter is not valid YAML ({error})", 2) from error
    if aliases:  # a few lines of them stand for gigabytes
        raise FrontMatterError("the front matter uses YAML aliases: write the values out", 2)
    return value if isinstance(value, dict) else None


def _json(value: object) -> JSON:
    if isinstance(value, (datetime, date)):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): _json(each) for key, each in value.items()}
    if isinstance(value, (list, tuple, set)):
        return [_json(each) for each in value]
    if value is None or isinstance(value, (str, bool, int)) or (isinstance(value, float) and math.isfinite(value)):
        return value
    return str(value)

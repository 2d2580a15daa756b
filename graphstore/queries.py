"""Named Cypher statements from ``cypher/``, checked when they are read.

A file is a header of ``//`` lines and one statement::

    // Purpose in a sentence or two.
    // Parameters:
    //   $rows: LIST<MAP>, meaning
    // Columns:
    //   id: STRING, meaning
    MATCH …

``Parameters: none`` and ``Columns: none`` say that there are none. The file's format is that of aiosql
(https://nackjicholson.github.io/aiosql/), made stricter: declared and used parameters must be equal.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import resources

from graphstore.errors import QueryFileError

_DECLARED_PARAMETER = re.compile(r"^\s*\$(\w+):\s*\S")
_DECLARED_COLUMN = re.compile(r"^\s*`?(\w+)`?:\s*\S")
_USED = re.compile(r"\$(\w+)")
_LITERALS = re.compile(r"//[^\n]*|/\*.*?\*/|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Query:
    """One statement.

    :param name: Path below ``cypher/`` without suffix, such as ``retrieve/tool_edges``.
    :param purpose: The header's first paragraph.
    :param parameters: Names of its parameters, without ``$``.
    :param columns: Names of the returned columns, in order.
    :param text: The file as it is, header included: what is run, pasted and shown are the same text.
    """

    name: str
    purpose: str
    parameters: frozenset[str]
    columns: tuple[str, ...]
    text: str


@cache
def load(name: str) -> Query:
    """The named statement.

    :raises QueryFileError: no such file, no header, no statement, or declared and used parameters differ.
    """
    source = resources.files("graphstore.cypher").joinpath(f"{name}.cypher")
    try:
        text = source.read_text("utf-8")
    except FileNotFoundError:
        raise QueryFileError(f"cypher/{name}.cypher: no such file") from None
    return parse(name, text)


def names() -> list[str]:
    """Names of all statements, sorted."""
    root = resources.files("graphstore.cypher")
    return sorted(
        f"{folder.name}/{file.name.removesuffix('.cypher')}"
        for folder in root.iterdir()
        if folder.is_dir()
        for file in folder.iterdir()
        if file.name.endswith(".cypher")
    )


def parse(name: str, text: str) -> Query:
    """The statement in ``text``.

    :raises QueryFileError: as for :func:`load`; the message names file and line.
    """
    purpose: list[str] = []
    declared: dict[str, int] = {}
    columns: list[str] = []
    section = "purpose"
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.startswith("//"):
            break
        comment = line[2:]
        title = comment.strip()
        # capitalised: a column or a parameter may be called `parameters`
        if title.startswith("Parameters:"):
            section = "parameters"
        elif title.startswith("Columns:"):
            section = "columns"
        elif section == "purpose":
            purpose.append(comment.strip())
        elif section == "parameters" and (match := _DECLARED_PARAMETER.match(comment)):
            declared[match[1]] = number
        elif section == "columns" and (match := _DECLARED_COLUMN.match(comment)):
            columns.append(match[1])
    body = _LITERALS.sub(" ", text)
    used = frozenset(_USED.findall(body))
    _require(name, purpose and section == "columns", "the header must give purpose, Parameters: and Columns:")
    _require(name, body.strip(), "holds no statement")
    for missing in sorted(used - set(declared)):
        raise QueryFileError(f"cypher/{name}.cypher: uses ${missing}, which its header does not declare")
    for unused in sorted(set(declared) - used):
        raise QueryFileError(f"cypher/{name}.cypher:{declared[unused]}: declares ${unused}, which is not used")
    return Query(name, " ".join(purpose).strip(), used, tuple(columns), text)


def _require(name: str, condition: object, message: str) -> None:
    if not condition:
        raise QueryFileError(f"cypher/{name}.cypher: {message}")

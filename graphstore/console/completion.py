"""What could be typed next: decided by the text before the cursor alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphstore.console.vocabulary import Vocabulary

KEYWORDS = re.findall(
    r"\w+",
    "ALL ANY AND AS ASC BY CALL CASE CONTAINS CREATE DELETE DESC DETACH DISTINCT ELSE END ENDS EXISTS EXPLAIN "
    "FALSE FOREACH IN IS LIMIT MATCH MERGE NOT NULL ON OPTIONAL OR ORDER PROFILE REMOVE RETURN SET SHOW SKIP STARTS "
    "THEN TRANSACTIONS TRUE UNION UNWIND WHEN WHERE WITH XOR YIELD",
)

_LITERALS = re.compile(r"//[^\n]*\n|/\*.*?\*/|'(?:\\.|[^'\\])*'|\"(?:\\.|[^\"\\])*\"|`[^`]*`", re.DOTALL)
_UNFINISHED = re.compile(r"//|/\*|['\"`]")
_PARAMETER = re.compile(r"\$(\w*)$")
_CALL = re.compile(r"\bCALL\s+([\w.]*)$", re.IGNORECASE)
_VALUE = re.compile(r"[{,]\s*\w+\s*:\s*(\w*)$")
_KEY = re.compile(r"[{,]\s*(\w*)$")
_NAMED = re.compile(r"(?:[(\[]\s*|\w\s*):[\w\s|&!%:()]*?(\w*)$")
_MEMBER = re.compile(r"\b((?:[^\W\d]\w*\.)+)(\w*)$")
_WORD = re.compile(r"\w+$")


@dataclass(frozen=True, slots=True)
class Candidate:
    """Text that could stand in place of what was begun.

    :param text: The whole of it.
    :param begun: How many characters of it are typed already, in any case.
    :param kind: What it is, in a word.
    """

    text: str
    begun: int
    kind: str


def candidates(before: str, names: Vocabulary, parameters: Sequence[str] = ()) -> Iterator[Candidate]:
    """What could follow ``before``, the statement up to the cursor; nothing inside strings and comments."""
    text = _LITERALS.sub("_ ", before)
    if _UNFINISHED.search(text):
        return
    if match := _PARAMETER.search(text):
        yield from starting(match[1], parameters, "parameter")
    elif match := _CALL.search(text):
        yield from starting(match[1], names.procedures, "procedure")
    elif match := _MEMBER.search(text):
        yield from starting(match[2], map(quoted, names.properties), "property")
        yield from starting(match[1] + match[2], names.functions, "function")
    else:
        yield from _by_bracket(text, names)


def _by_bracket(text: str, names: Vocabulary) -> Iterator[Candidate]:
    bracket = _innermost(text)
    if bracket == "{" and not _VALUE.search(text) and (match := _KEY.search(text)):
        yield from starting(match[1], map(quoted, names.properties), "property")
    elif bracket == "[" and (match := _NAMED.search(text)):
        yield from starting(match[1], map(quoted, names.types), "type")
    elif not (bracket == "{" and _VALUE.search(text)) and (match := _NAMED.search(text)):
        yield from starting(match[1], map(quoted, names.labels), "label")
    elif match := _WORD.search(text):
        yield from starting(match[0], KEYWORDS, "keyword")
        yield from starting(match[0], names.functions, "function")


def quoted(name: str) -> str:
    """``name`` as Cypher needs it: in backticks unless it is a plain word."""
    return name if re.fullmatch(r"[^\W\d]\w*", name) else "`" + name.replace("`", "``") + "`"


def starting(begun: str, known: Iterable[str], kind: str) -> Iterator[Candidate]:
    """Those of ``known`` that start with ``begun``, in any case."""
    low = begun.lower()
    for name in known:
        if name.lower().startswith(low) and name != begun:
            yield Candidate(name, len(begun), kind)


def _innermost(text: str) -> str:
    """The bracket that is open at the end of ``text``, or nothing."""
    is_open: list[str] = []
    for character in text:
        if character in "([{":
            is_open.append(character)
        elif character in ")]}" and is_open:
            is_open.pop()
    return is_open[-1] if is_open else ""

"""Citations in an answer, checked against the documents that were opened. Pure.

A citation stands in square brackets, by a document's path or id, or as the target of a Markdown link. What else stands
in brackets, such as ``[sic]`` or words of a sentence, is no citation and stays.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from graphstore.agent.records import Citation

_BRACKETS = re.compile(r"(?P<space>[ \t]*)\[(?P<inner>[^\[\]\n]{1,500})\](?:\((?P<target>[^()\s]{1,500})\))?")
_LINES = re.compile(r"(?::\d+(?:[-–]\d+)?|#L?\d+(?:-L?\d+)?|,? lines? \d+(?:\s*[-–]\s*\d+)?)\Z", re.IGNORECASE)
_PREFIX = re.compile(r"\A(?:(?:document|doc|source|path|id|see)\b:?\s+|graphstore://document/|\./|/)", re.IGNORECASE)
_PATH = re.compile(r"[^\s/]/[^\s/]|\.[a-z]{2,5}\Z", re.IGNORECASE)
_WORDS = frozenset({"sic", "…", "..."})


@dataclass(frozen=True, slots=True)
class Checked:
    """An answer whose citations are looked at.

    :param text: The answer with its citations in one form, ``[path]``, and without those that are refused.
    :param cited: Documents that were opened, in the order of the answer, each once.
    :param refused: What was cited and not opened, each once.
    """

    text: str
    cited: tuple[Citation, ...]
    refused: tuple[str, ...]


def checked(answer: str, opened: Iterable[Citation]) -> Checked:
    """The answer, its citations checked.

    :param opened: The documents that were opened.
    """
    known = _known(opened)
    cited: dict[str, Citation] = {}
    refused: dict[str, None] = {}

    def replaced(match: re.Match[str]) -> str:
        wanted = _wanted(match["target"] or match["inner"], known)
        if wanted is None:
            return match[0]
        kept = []
        for name in wanted:
            if (document := known.get(_key(name))) is not None:
                cited.setdefault(document.id, document)
                kept.append(f"[{document.path}]")
            else:
                refused.setdefault(name)
        label = f"{match['inner']} " if match["target"] and kept else ""
        return f"{match['space']}{label}{' '.join(kept)}" if kept else ""

    text = _BRACKETS.sub(replaced, answer)
    return Checked(text.strip(), tuple(cited.values()), tuple(refused))


def _known(opened: Iterable[Citation]) -> dict[str, Citation]:
    """Documents by what may name them: path, id, and the file's name where no other document has it."""
    known: dict[str, Citation] = {}
    files: dict[str, list[Citation]] = {}
    for each in opened:
        known.setdefault(_key(each.path), each)
        known.setdefault(_key(each.id), each)
        files.setdefault(_key(each.path.rsplit("/", 1)[-1]), []).append(each)
    for name, documents in files.items():
        if len({each.id for each in documents}) == 1:
            known.setdefault(name, documents[0])
    return known


def _wanted(inner: str, known: dict[str, Citation]) -> list[str] | None:
    """What a pair of brackets cites; ``None`` if it is no citation."""
    if _key(inner) in known:
        return [inner]
    parts = [part.strip() for part in re.split(r"[;,]|\band\b", inner) if part.strip()]
    if not parts or not all(_key(part) in known or _is_citation(part) for part in parts):
        return None if not _is_citation(inner) else [inner]
    return parts


def _is_citation(text: str) -> bool:
    """Whether a text means a document: a path, or one word such as an id or a number."""
    return text.strip().lower() not in _WORDS and (
        bool(_PATH.search(text.strip())) or not re.search(r"\s", text.strip())
    )


def _key(name: str) -> str:
    plain = _LINES.sub("", name.strip().strip("`\"'*"))
    while match := _PREFIX.match(plain):
        plain = plain[match.end() :]
    return plain.casefold()

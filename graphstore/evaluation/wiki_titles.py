"""``graphstore eval entities 2wikimultihopqa-101``: documents that name another's title, linked to what it is about.

A title stands in a text if its words do, in capitals, and no capitalised word adjoins them to a longer name, directly
("Nora Lindqvist Holm") or through a small word ("Nora of Lund"), and no longer title nor quotation marks hold more.
Titles that several documents share, but for a parenthesis, name nothing for sure; nor does one that is a part of the
document's own title, which may mean that. Whether a link means its document is for a person to judge: the report holds
a sample, drawn with a seed.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from pathlib import Path
from typing import Any

from graphstore.corpusmap.decisions import Link
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.keys import split_title, title_key
from graphstore.corpusmap.resolve import Resolver
from graphstore.errors import LoadError
from graphstore.progress import Progress
from graphstore.records import SourceDocument

FILE = "2wikimultihopqa_corpus.json.gz"
SEED = 11
_SAMPLE = 100
_DECIMALS = 4
_WORD = re.compile(r"[^\W_]+(?:['’.&-]+[^\W_]+)*")
_ADJOINS = re.compile(r"[ \-–&]|\. |[-–&] | [-–&] |['’]s? ")
_SMALL = frozenset("al bin da de del der di ibn la le of the van von".split())  # noqa: SIM905 - read as prose
_LONGEST = 8
_BATCH = 512


PARTS = ("local", "marked", "ambiguous", "own-title", "inside", "lower-case")
"""What pairs of a document and a title are told apart by."""


@dataclass(frozen=True, slots=True)
class Match:
    """A title at a place of another document's text.

    :param how: ``local``: in capitals; ``inside``: in capitals, but a small word joins a further capital; or
        ``lower-case``.
    """

    document: str
    title: str
    start: int
    end: int
    how: str


def wiki_figures(folder: Path, *, protocol: str | None, progress: Progress) -> dict[str, Any]:
    """The report, as ``--json`` prints it.

    :raises LoadError: the data set is not there, or a protocol was named: there is one only.
    """
    if protocol is not None:
        raise LoadError("has one protocol only", folder)
    try:
        with gzip.open(folder / FILE, "rt", encoding="utf-8") as file:
            texts = {row["title"]: row["text"] for row in json.load(file)}
    except (OSError, KeyError, ValueError, TypeError) as error:
        raise LoadError(f"is no copy of 2wikimultihopqa-101: {error!r}", folder) from None
    return report_of(texts, progress=progress)


def report_of(texts: Mapping[str, str], *, progress: Progress) -> dict[str, Any]:
    """The report of texts by title.

    ``local``: recall of pairs of a document and an unambiguous title. Of all other pairs, how many were linked all the
    same: ``marked``, the title says in brackets which of several it is, but the others are no titles; ``ambiguous``, it
    is several documents'; ``own-title``, it is a part of the document's own; ``inside``, it stands inside longer names
    only; ``lower-case``, it stands in lower case only.
    ``sample`` holds pairs of the first two that were linked, drawn with a seed.
    """
    resolver = resolved(texts, progress)
    shared = Counter(key[0] for title in texts if (key := title_key(title)))
    of_title = {title: _own(resolver, title) for title in texts}
    pairs: dict[str, dict[tuple[str, str], bool]] = {part: {} for part in PARTS}
    for (document, title), found in _by_pair(texts).items():
        key = title_key(title)
        if key is None:
            continue
        how = min((match.how for match in found), key=PARTS.index)
        part = _part(document, title, key, shared) if how == "local" else how
        pairs[part][document, title] = any(
            _linked(resolver, match, of_title[title]) for match in found if match.how == how
        )
    known = sorted(pair for part in PARTS[:2] for pair, linked in pairs[part].items() if linked)
    return {
        "dataset": "2wikimultihopqa-101",
        "protocol": f"titles, seed {SEED}",
        "encoder": None,
        "questions": len(texts),
        "items": "documents",
        "methods": {part: _figures(found) for part, found in pairs.items()},
        "comparisons": [],
        "sample": random.Random(SEED).sample(known, min(_SAMPLE, len(known))),
    }


def _part(document: str, title: str, key: tuple[str, str | None], shared: Mapping[str, int]) -> str:
    """What a title is that stands in capitals in a document."""
    if shared[key[0]] > 1:
        return "ambiguous"
    if _is_own(title, document):
        return "own-title"
    return "marked" if key[1] else "local"


def resolved(texts: Mapping[str, str], progress: Progress) -> Resolver:
    """A resolver of the documents; the title is a document's id."""
    resolver = Resolver()
    sources = [SourceDocument(id=title, path=title, title=title, text=text) for title, text in texts.items()]
    for first in range(0, len(sources), _BATCH):
        part = sources[first : first + _BATCH]
        for source, extraction in zip(part, extract(part), strict=True):
            resolver.put(source.id, source.title, "", extraction)
        progress("extracting", first + len(part), len(sources))
    resolver.settle()
    return resolver


def _by_pair(texts: Mapping[str, str]) -> dict[tuple[str, str], list[Match]]:
    """The matches of each document and title; one within a longer title is inside a longer name."""
    found: dict[tuple[str, str], list[Match]] = defaultdict(list)
    for _, group in groupby(matches(texts), key=lambda match: match.document):
        here = list(group)
        for match in here:
            inside = match.how == "local" and any(_covers(longer, match) for longer in here)
            found[match.document, match.title].append(replace(match, how="inside") if inside else match)
    return found


def _covers(longer: Match, match: Match) -> bool:
    whole = longer.how == "local" and longer.start <= match.start and match.end <= longer.end
    return whole and longer.end - longer.start > match.end - match.start


def matches(texts: Mapping[str, str]) -> Iterator[Match]:
    """Titles in other documents' texts, but where a capitalised word adjoins them."""
    titles: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for title in texts:
        words = _words(title)
        if words and words[0][:1].isupper() and len(words) <= _LONGEST:
            titles[words].append(title)
            if len(words) > 1:
                titles[tuple(word.lower() for word in words)].append(title)
    for document, text in texts.items():
        found = list(_WORD.finditer(text))
        for first in range(len(found)):
            for size in range(1, min(_LONGEST, len(found) - first) + 1):
                window = found[first : first + size]
                for title in titles.get(tuple(word[0] for word in window), ()):
                    how = _how(text, found, first, size)
                    if how == "local" and _is_quoted_in_part(text, window[0].start(), window[-1].end()):
                        how = "inside"
                    if title != document and how:
                        yield Match(document, title, window[0].start(), window[-1].end(), how)


def _words(title: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(split_title(title)[0]))


def _is_own(title: str, document: str) -> bool:
    """Whether a title is a part of a document's own."""
    part, whole = _words(title), _words(document)
    return any(whole[at : at + len(part)] == part for at in range(len(whole) - len(part) + 1))


def _how(text: str, found: Sequence[re.Match[str]], first: int, size: int) -> str | None:
    """How a title stands there; ``None`` inside a longer name."""
    if not found[first][0][:1].isupper():
        return "lower-case"
    last = first + size - 1
    inside = False
    for inner, step in ((first, -1), (last, 1)):
        outer = inner + step
        small = 0
        while 0 <= outer < len(found) and _adjoin(text, found[min(inner, outer)], found[max(inner, outer)]):
            if _is_capital(found[outer][0]):
                if not small:
                    return None
                inside = True
                break
            if found[outer][0] not in _SMALL:
                break
            inner, outer, small = outer, outer + step, small + 1
    return "inside" if inside else "local"


def _is_quoted_in_part(text: str, start: int, end: int) -> bool:
    """Whether quotation marks hold more words than these: "Cries and Whispers" is no "Whispers"."""
    line = text.rfind("\n", 0, start) + 1
    opened = text.rfind('"', line, start)
    closed = text.find('"', end)
    if opened < 0 or closed < 0 or text.count('"', line, start) % 2 == 0 or "\n" in text[end:closed]:
        return False
    return bool(_WORD.search(text, opened, start) or _WORD.search(text, end, closed))


def _adjoin(text: str, left: re.Match[str], right: re.Match[str]) -> bool:
    return bool(_ADJOINS.fullmatch(text[left.end() : right.start()]))


def _is_capital(word: str) -> bool:
    return word[:1].isupper() or word[:1].isdigit()


def _own(resolver: Resolver, title: str) -> str | None:
    """The entity that a document's title names."""
    links = [d for d in resolver.decisions.get(title, ()) if isinstance(d, Link)]
    return next((found.entity for found in links if found.own), None)


def _linked(resolver: Resolver, match: Match, entity: str | None) -> bool:
    return entity is not None and any(
        isinstance(decision, Link)
        and decision.entity == entity
        and any(start < match.end and match.start < end for start, end in decision.spans)
        for decision in resolver.decisions.get(match.document, ())
    )


def _figures(pairs: Mapping[tuple[str, str], bool]) -> dict[str, float]:
    linked = sum(pairs.values())
    return {"pairs": len(pairs), "linked": linked, "recall": round(linked / len(pairs), _DECIMALS) if pairs else 0.0}

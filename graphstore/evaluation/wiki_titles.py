"""``graphstore eval entities 2wikimultihopqa-101``: documents that name another's title, linked to what it is about.

A title stands in a text if its words do, in capitals, and no capitalised word adjoins them to a longer name.
Titles that several documents share, but for a parenthesis, name nothing for sure. Whether a link means its document is
for a person to judge: the report holds a sample, drawn with a seed.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
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
_ADJOINS = re.compile(r"[ \-–&]|\. ")
_LONGEST = 8
_BATCH = 512


@dataclass(frozen=True, slots=True)
class Match:
    """A title at a place of another document's text."""

    document: str
    title: str
    start: int
    end: int


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

    ``local``: recall of pairs of a document and an unambiguous title. ``ambiguous``: pairs of a title that several
    documents share; ``lower-case``: pairs whose title stands in lower case only: of both, how many were linked all the
    same. ``sample`` holds pairs that were linked, drawn with a seed.
    """
    resolver = resolved(texts, progress)
    shared = Counter(key[0] for title in texts if (key := title_key(title)))
    of_title = {title: _own(resolver, title) for title in texts}
    pairs: dict[str, dict[tuple[str, str], bool]] = {"local": {}, "ambiguous": {}, "lower-case": {}}
    for match, capital in matches(texts):
        key = title_key(match.title)
        if key is None:
            continue
        part = "lower-case" if not capital else "local" if shared[key[0]] == 1 else "ambiguous"
        linked = _linked(resolver, match, of_title[match.title])
        pair = match.document, match.title
        pairs[part][pair] = pairs[part].get(pair, False) or linked
    known = sorted(pair for pair, linked in pairs["local"].items() if linked)
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


def matches(texts: Mapping[str, str]) -> Iterator[tuple[Match, bool]]:
    """Titles in other documents' texts, and whether they stand there in capitals, adjoined by none."""
    titles: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for title in texts:
        words = tuple(_WORD.findall(split_title(title)[0]))
        if words and words[0][:1].isupper() and len(words) <= _LONGEST:
            titles[words].append(title)
            if len(words) > 1:
                titles[tuple(word.lower() for word in words)].append(title)
    for document, text in texts.items():
        found = list(_WORD.finditer(text))
        for first in range(len(found)):
            for size in range(1, _LONGEST + 1):
                window = found[first : first + size]
                if len(window) < size:
                    break
                for title in titles.get(tuple(word[0] for word in window), ()):
                    capital = window[0][0][:1].isupper()
                    if title != document and not (capital and _is_longer(text, found, first, size)):
                        yield Match(document, title, window[0].start(), window[-1].end()), capital


def _is_longer(text: str, found: Sequence[re.Match[str]], first: int, size: int) -> bool:
    """Whether a capitalised word adjoins a run of words."""
    last = first + size - 1
    before = found[first - 1] if first else None
    after = found[last + 1] if last + 1 < len(found) else None
    return bool(
        (before and _is_capital(before[0]) and _ADJOINS.fullmatch(text[before.end() : found[first].start()]))
        or (after and _is_capital(after[0]) and _ADJOINS.fullmatch(text[found[last].end() : after.start()]))
    )


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

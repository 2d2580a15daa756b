"""A type catalog from the documents themselves: proposed from several samples, put together, tried on documents held
out, revised, frozen. Deterministic: the same documents in any order give the same catalog.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphstore.corpusmap.builder import LocalBuilder
from graphstore.corpusmap.candidates import Candidate, candidates, entity_type
from graphstore.corpusmap.catalog import Catalog, Refused, catalog_of
from graphstore.corpusmap.extraction import Extraction
from graphstore.corpusmap.labelling import Labeller
from graphstore.corpusmap.types import BUILT_IN, PERSON, EntityType
from graphstore.records import SourceDocument

SAMPLES = 3
_PER_SAMPLE = 400
_AGREE = 2
"""Samples that must suggest a type."""
_OVERLAP = 0.5
"""Share of the smaller type's names from which on two types are one."""
_FREE_TEXT = 0.8
"""Different values a document from which on a field of front matter holds no names."""

Read = tuple[SourceDocument, Extraction]


@dataclass(frozen=True, slots=True)
class _Tried:
    """What a type does in documents that it was not proposed from: names, and documents that hold them."""

    kind: EntityType
    names: frozenset[str]
    mentions: int
    documents: int


def propose(documents: Iterable[SourceDocument]) -> Catalog:
    """A frozen catalog: the built-in types and what the documents show to be missing; what was refused, with reasons.

    Documents that only some may read are left out: names out of them would be seen by everybody as examples.
    """
    chosen = heapq.nsmallest(
        (SAMPLES + 1) * _PER_SAMPLE, (d for d in documents if not d.acl and d.text.strip()), key=_rank
    )
    read = list(zip(chosen, LocalBuilder().extract(chosen), strict=True))
    held_out, *samples = [read[part :: SAMPLES + 1] for part in range(SAMPLES + 1)]
    proposed = [candidates(sample) for sample in samples]
    types, refused = _synthesised(proposed)
    verified: list[_Tried] = []
    for kind in types:
        tried = _try(kind, held_out)
        if reason := _objection(tried, bool(held_out)):
            refused.append(Refused(kind.name, reason))
        else:
            verified.append(tried)
    kept, merged = _revised(verified)
    return catalog_of(kept, source="local", refused=sorted([*refused, *merged], key=lambda r: (r.name, r.reason)))


def _rank(document: SourceDocument) -> str:
    return hashlib.sha256(document.id.encode()).hexdigest()


def _synthesised(proposed: Sequence[dict[tuple[str, str], Candidate]]) -> tuple[list[EntityType], list[Refused]]:
    """One type for what several samples suggest; what one sample alone suggests may be chance."""
    marks = Counter(mark for found in proposed for mark in found)
    types: dict[str, EntityType] = {}
    refused: list[Refused] = []
    for mark in sorted(marks):
        whole = Candidate(mark)
        for found in proposed:
            if mark in found:
                whole.names += found[mark].names
                whole.kinds += found[mark].kinds
                whole.words += found[mark].words
                whole.documents |= found[mark].documents
        kind = entity_type(whole)
        if marks[mark] < min(_AGREE, len(proposed)):
            refused.append(Refused(kind.name, "one of the samples suggests it, the others hold too little of it"))
        elif kind.name in BUILT_IN:
            refused.append(Refused(kind.name, "it is built in"))
        elif whole.kinds[PERSON] * 2 > sum(whole.kinds.values()) and mark[0] == "word":
            refused.append(Refused(kind.name, "most of its names are persons, so the word is a surname"))
        elif kind.name in types:
            types[kind.name] = _both(types[kind.name], kind)
        else:
            types[kind.name] = kind
    return list(types.values()), refused


def _both(a: EntityType, b: EntityType) -> EntityType:
    return replace(
        a,
        examples=tuple(dict.fromkeys((*a.examples, *b.examples)))[:4],
        patterns=tuple(dict.fromkeys((*a.patterns, *b.patterns))),
        keywords=tuple(dict.fromkeys((*a.keywords, *b.keywords))),
        fields=tuple(dict.fromkeys((*a.fields, *b.fields))),
    )


def _try(kind: EntityType, held_out: Sequence[Read]) -> _Tried:
    labeller = Labeller(catalog_of([kind], source="local"))
    mentions: Counter[str] = Counter()
    documents = 0
    for document, extraction in held_out:
        keys = {n.key for n in labeller.label(document, extraction).names if n.label == kind.name}
        mentions.update(keys)
        documents += bool(keys)
    return _Tried(kind, frozenset(mentions), mentions.total(), documents)


def _objection(tried: _Tried, held: bool) -> str:
    """Why a type does not stand, tried on documents that it was not made from; empty if it does."""
    if not held:
        return ""
    if not tried.names:
        return "no document held out has anything of it"
    if tried.kind.fields and not tried.kind.patterns and not tried.kind.keywords:
        if len(tried.names) == 1 and tried.documents > 1:
            return "it has one value only, so it tells nothing apart"
        if tried.documents > 3 and len(tried.names) >= _FREE_TEXT * tried.mentions:
            return "nearly every document has a value of its own, so that it is no name that documents share"
    return ""


def _revised(verified: Sequence[_Tried]) -> tuple[list[EntityType], list[Refused]]:
    """Types that hold the same names are put together, the one with more names giving its name."""
    kept: list[_Tried] = []
    refused: list[Refused] = []
    for tried in sorted(verified, key=lambda each: (-len(each.names), each.kind.name)):
        other = next((each for each in kept if _overlap(each, tried) >= _OVERLAP), None)
        if other is None:
            kept.append(tried)
            continue
        reason = f"its names are mostly those of {other.kind.name!r}, which takes it in"
        refused.append(Refused(tried.kind.name, reason))
        kept[kept.index(other)] = replace(other, kind=_both(other.kind, tried.kind))
    return [each.kind for each in kept], refused


def _overlap(a: _Tried, b: _Tried) -> float:
    smaller = min(len(a.names), len(b.names))
    return len(a.names & b.names) / smaller if smaller else 0.0

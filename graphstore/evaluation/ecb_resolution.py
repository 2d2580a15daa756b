"""Marked mentions through the product's own resolution, in one registry a topic or in one for all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from graphstore.corpusmap.decisions import Link
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.extraction import Extraction, Name, key_of
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE, PRODUCT, TOPIC
from graphstore.evaluation.ecb_mentions import Named
from graphstore.evaluation.ecb_plus import Document
from graphstore.records import SourceDocument

Item = tuple[int, str, str]
"""A mention: topic, document, its id there."""

_GOLD_TYPES = {
    "HUMAN_PART_PER": PERSON,
    "HUMAN_PART_ORG": ORGANISATION,
    "HUMAN_PART_MET": ORGANISATION,
    "HUMAN_PART_GPE": PLACE,
    "HUMAN_PART_VEH": PRODUCT,
    "LOC_FAC": PLACE,
    "LOC_GEO": PLACE,
    "LOC_OTHER": PLACE,
}


@dataclass(frozen=True, slots=True)
class Given:
    """A document with what its mentions name and what extraction finds in it."""

    document: Document
    mentions: tuple[Named, ...]
    own: Extraction


@dataclass(frozen=True, slots=True)
class Placed:
    """What became of a mention.

    :param cluster: Those of equal clusters are one thing; of a mention left open, its own document's name.
    :param confidence: Of its link, or ``None`` where it was left open.
    """

    cluster: tuple[object, ...]
    confidence: float | None


def gold_type(kind: str) -> str:
    """The product's type for one of ECB+."""
    return _GOLD_TYPES.get(kind, TOPIC)


def given(documents: Sequence[Document], mentions: Mapping[str, Sequence[Named]]) -> list[Given]:
    """The documents as resolution gets them; they have no titles and no folders."""
    sources = [SourceDocument(id=d.id, path=d.id, title="", text=d.text) for d in documents]
    found = extract(sources)
    return [Given(d, tuple(mentions[d.id]), own) for d, own in zip(documents, found, strict=True)]


def placed(documents: Sequence[Given], *, types: str, one_registry: bool) -> dict[Item, Placed]:
    """Where the mentions end up when they are given to resolution as the names of their documents.

    :param types: ``gold``: the annotators'; ``own``: the model's guesses, voted on by the registry.
    :param one_registry: All topics in one registry, instead of one for each.
    """
    out: dict[Item, Placed] = {}
    for part in _registries(documents, one_registry):
        made = {d.document.id: _extraction(d, types) for d in part}
        resolver = _resolved(part, made)
        for document in part:
            out.update(_by_span(document, resolver))
    return out


def placed_end_to_end(documents: Sequence[Given], *, one_registry: bool) -> dict[Item, Placed]:
    """Where the mentions end up when nothing is given: those that extraction did not find stand alone."""
    out: dict[Item, Placed] = {}
    for part in _registries(documents, one_registry):
        resolver = _resolved(part, {d.document.id: d.own for d in part})
        for document in part:
            out.update(_by_overlap(document, resolver))
    return out


def item_of(document: Document, mention: Named) -> Item:
    """The key of a mention."""
    return document.topic, document.id, mention.mention.id


def _registries(documents: Sequence[Given], one: bool) -> Iterable[list[Given]]:
    if one:
        yield list(documents)
        return
    ordered = sorted(documents, key=lambda d: (d.document.topic, d.document.id))
    for _, part in groupby(ordered, key=lambda d: d.document.topic):
        yield list(part)


def _resolved(documents: Sequence[Given], extractions: Mapping[str, Extraction]) -> Resolver:
    resolver = Resolver()
    for d in documents:
        # A file name says nothing here; a blank line is no title.
        resolver.put(d.document.id, "", "", extractions[d.document.id])
    resolver.settle()
    return resolver


def _extraction(document: Given, types: str) -> Extraction:
    """The mentions as names, with what extraction found beside them."""
    names = {name for mention in document.mentions if (name := _name(mention, types)).key}
    taken = sorted((name.start, name.end) for name in names)

    def free(start: int, end: int) -> bool:
        return not any(start < stop and begin < end for begin, stop in taken)

    rest = [name for name in document.own.names if free(name.start, name.end)]
    windows = tuple(window for window in document.own.windows if free(window.start, window.end))
    ordered = sorted({*names, *rest}, key=lambda n: (n.start, n.end, n.type, n.text, n.qualifiers))
    return replace(document.own, names=tuple(ordered), windows=windows)


def _name(mention: Named, types: str) -> Name:
    gold = types == "gold"
    kind = gold_type(mention.mention.type) if gold else mention.type
    start, end = mention.span
    return Name(start, end, mention.text, kind, (), gold and kind != TOPIC, key_of(mention.text, kind))


def _by_span(document: Given, resolver: Resolver) -> dict[Item, Placed]:
    there = _spans(document, resolver)
    return {
        (item := item_of(document.document, mention)): there.get(mention.span, Placed(("alone", *item), None))
        for mention in document.mentions
    }


def _by_overlap(document: Given, resolver: Resolver) -> dict[Item, Placed]:
    spans = sorted(_spans(document, resolver).items())
    out = {}
    for mention in document.mentions:
        start, end = mention.span
        # The name whose end is nearest to the mention's: "actor Tom Hanks" and "Tom Hanks" end alike.
        meeting = [(abs(stop - end), begin, found) for (begin, stop), found in spans if begin < end and start < stop]
        item = item_of(document.document, mention)
        out[item] = min(meeting, key=lambda m: m[:2])[2] if meeting else Placed(("alone", *item), None)
    return out


def _spans(document: Given, resolver: Resolver) -> dict[tuple[int, int], Placed]:
    found: dict[tuple[int, int], Placed] = {}
    for decision in resolver.decisions.get(document.document.id, ()):
        if isinstance(decision, Link):
            here = Placed((document.document.topic, decision.entity), decision.confidence)
        else:
            here = Placed((document.document.topic, document.document.id, decision.name), None)
        found.update(dict.fromkeys(decision.spans, here))
    return found

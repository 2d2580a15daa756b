"""Names that mean one thing: edges of evidence between keys, joined best first under vetoes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import product

from graphstore.corpusmap.context import SIDE, said_in, shared_context
from graphstore.corpusmap.directory import RECORD_THRESHOLD
from graphstore.corpusmap.evidence import (
    SLIP,
    THRESHOLD,
    Evidence,
    compare,
    is_part,
    parts,
    total,
)
from graphstore.corpusmap.keys import is_word, numbers
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.rivals import kinds_of, near_names, rivals_of
from graphstore.corpusmap.support import called_so_elsewhere, supported
from graphstore.corpusmap.types import PERSON, PLACE
from graphstore.corpusmap.used import side_by_side

_RARE = 2
"""How many times as many documents make one of two readings the usual one."""

_SLIPS = 2
"""Documents that make the same slip of the pen, at most."""

Edge = tuple[float, str]


def edges_of(registry: Registry, key: str) -> dict[str, Edge]:
    """Other keys that are the same thing as ``key`` by evidence and context, with score and reason."""
    found = _alias_edges(registry, key)
    written = key in registry.key_docs
    if not written and not (key in registry.directory and _near_documents(registry, key)):
        return found
    for other, evidence in rivals_of(registry, key).items():
        if not written and other not in registry.key_docs:
            continue  # two records that no document mentions: nothing to decide
        if other in found or (evidence.apart and registry.key_docs.meet(key, other)):
            continue
        if slip := _slip_of_record(registry, key, other, evidence):
            found[other] = slip
            continue
        if evidence.unique and not _unique(registry, key, other):
            continue
        score = _scored(registry, key, other, evidence)
        recorded = key in registry.directory or other in registry.directory
        enough = score >= (RECORD_THRESHOLD if recorded else THRESHOLD)
        if enough and (recorded or supported(registry, key, other, evidence, score)):
            found[other] = (score, evidence.reason)
    return found


def _near_documents(registry: Registry, key: str) -> bool:
    """Whether a document has a name that is compared with this one."""
    person = registry.kind(key) == PERSON
    near = near_names(registry, key, person=person) | (registry.part_keys.at(key) if is_word(key) else set(parts(key)))
    return registry.key_docs.any_of(near)


def _slip_of_record(registry: Registry, key: str, other: str, evidence: Evidence) -> Edge | None:
    """The edge from a person's name to that of a record from which it differs by a slip of the pen.

    Only if few make the same slip, as what many write is a name, and if its documents say something else of the record
    or what differs is hardly another name.
    """
    if evidence.reason != SLIP or kinds_of(registry, key, other) != (PERSON, PERSON):
        return None
    written, record = (key, other) if other in registry.directory else (other, key)
    if written in registry.directory or record not in registry.directory:
        return None
    if registry.key_docs.count(written) > _SLIPS or not _alone(registry, written, record):
        return None
    sure = _is_no_name(registry, written, record) or _corroborated(registry, written, record)
    return (THRESHOLD, evidence.reason) if sure else None


def _is_no_name(registry: Registry, written: str, record: str) -> bool:
    """Whether the word that differs is no one else's name, nor likely to be, as other endings are ("Schmid")."""
    words = written.split(" ")
    slip, meant = next((x, y) for x, y in zip(words, record.split(" "), strict=True) if x != y)
    registry.slips.add(slip, written)
    if registry.part_keys.at(slip) - {written} or slip in registry.key_docs:
        return False
    doubled = slip[:-1] == meant and slip[-1] == slip[-2]
    return doubled or not (slip[:-1] in (meant, meant[:-1]) or slip == meant[:-1])


def _corroborated(registry: Registry, written: str, record: str) -> bool:
    """Whether each document of a name says something else that the record has: its department, title, manager."""
    directory = registry.directory
    values = frozenset().union(*(directory.records[each].values for each in directory.claims(record)))
    return all(values & directory.mentioned(said_in(registry.entries[name])) for name in registry.key_docs.at(written))


def _alias_edges(registry: Registry, key: str) -> dict[str, Edge]:
    found: dict[str, Edge] = {}
    for other in registry.alias_of.at(key):
        acronym = registry.aliases.stating(key, other, acronym=True)
        short = min(key, other, key=lambda name: (len(name), name))
        if acronym and registry.alias_of.count(short) > 1:
            continue  # two long names for one acronym: only inside the documents that say which
        if is_word(short) and registry.kind(short) == PERSON and registry.kind(key, other) == PERSON:
            continue  # "also known as Eduardo" does not claim every Eduardo
        if is_word(short) and registry.kind(short) == PLACE:
            continue
        if not acronym and not called_so_elsewhere(registry, key, other):
            continue
        if _both_titles(registry, key, other) or side_by_side(registry, key, other):
            continue
        found[other] = (1.0, "the text states it")
    return found


def _both_titles(registry: Registry, a: str, b: str) -> bool:
    titles = registry.names_a_document(a) and registry.names_a_document(b)
    return titles and "project" not in (registry.kind(a), registry.kind(b))


def _unique(registry: Registry, key: str, other: str) -> bool:
    """Whether neither could as well be a third; a long name may have many short ones, a short name one long."""
    short, long = sorted((key, other), key=lambda name: (name.count(" "), len(name), name))
    if is_part(short, long):
        return _alone(registry, short, long)
    return _alone(registry, key, other) and _alone(registry, other, key)


def _alone(registry: Registry, key: str, other: str) -> bool:
    """Whether no third name has as good a claim on ``key`` as ``other`` has, unless it may be ``other`` itself."""
    rivals = rivals_of(registry, key)
    score = rivals[other].score
    return not any(
        evidence.score >= score
        and rival != other
        and _weighs(registry, rival, other)
        and not _same(registry, rival, other)
        and other not in rivals_of(registry, rival)
        for rival, evidence in rivals.items()
    )


def _weighs(registry: Registry, rival: str, other: str) -> bool:
    """Whether a name may be meant instead of another: not a thing's that is far rarer. Of people each counts."""
    if rival in registry.directory or registry.kind(rival) == PERSON:
        return True
    return _RARE * registry.key_docs.count(rival) > registry.key_docs.count(other)


def _same(registry: Registry, a: str, b: str) -> bool:
    return b in registry.alias_of.at(a)


def _scored(registry: Registry, key: str, other: str, evidence: Evidence) -> float:
    a, b = sorted((key, other))  # of common names not all documents are looked at: which must not depend on the side
    of_a, of_b = (registry.key_docs.first(each, SIDE) for each in (a, b))
    context = shared_context(registry, of_a, of_b, frozenset({a, b}))
    return total(evidence, context)


def join(registry: Registry, keys: Iterable[str], edges: Mapping[str, dict[str, Edge]]) -> list[frozenset[str]]:
    """Clusters of keys: edges joined best first, unless a veto stands between the two sides."""
    home = {key: frozenset({key}) for key in keys}
    ordered = sorted(
        {
            (-score, min(a, b), max(a, b), reason)
            for a in home
            for b, (score, reason) in edges.get(a, {}).items()
            if b in home
        }
    )
    for negative, a, b, _ in ordered:
        left, right = home[a], home[b]
        if left is right or _forbidden(registry, left, right) or (negative > -1.0 and _vetoed(registry, left, right)):
            continue
        merged = left | right
        for key in merged:
            home[key] = merged
    return sorted(set(home.values()), key=sorted)


def _forbidden(registry: Registry, left: frozenset[str], right: frozenset[str]) -> bool:
    """Whether people declared two of the names to be two things, or registries do: different records have them."""
    if any(registry.apart[key] & right for key in left & registry.apart.keys()):
        return True
    if not registry.directory.records:
        return False
    of_left, of_right = (_claimed(registry, side) for side in (left, right))
    return bool(of_left and of_right) and of_left != of_right


def _claimed(registry: Registry, keys: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*(registry.directory.claims(key) for key in keys))


def _slips_of_one(registry: Registry, a: str, b: str) -> bool:
    """Whether both differ by a slip of the pen from one record's name."""
    of_a, of_b = rivals_of(registry, a), rivals_of(registry, b)
    shared = [key for key in of_a.keys() & of_b.keys() if key in registry.directory]
    return any(of_a[key].reason == of_b[key].reason == SLIP for key in shared)


def _vetoed(registry: Registry, left: frozenset[str], right: frozenset[str]) -> bool:
    for a, b in product(sorted(left), sorted(right)):
        if numbers(a) != numbers(b):
            return True
        if registry.names_a_document(a) and registry.names_a_document(b):
            return True
        kinds = registry.kind(a), registry.kind(b)
        people = kinds == (PERSON, PERSON) and min(a.count(" "), b.count(" ")) > 0
        if people and compare(a, b, *kinds) is None and not _slips_of_one(registry, a, b):
            return True
    return False

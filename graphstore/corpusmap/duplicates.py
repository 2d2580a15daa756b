"""Entities that may be one, for a person to decide: names with evidence that was too little to link them by itself.

The evidence is the resolver's: what it links is not proposed, what it forbids (differing numbers or codes, types, full
names of people) is not either.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from graphstore.corpusmap.context import context_score
from graphstore.corpusmap.evidence import Evidence, compare, sought, total
from graphstore.corpusmap.keys import name_key, numbers
from graphstore.corpusmap.types import TOPIC

_LARGEST_BLOCK = 200
"""A block of more names is a surname or an initial that tells nothing."""

_SHORTEST_HALF = 3
_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Candidate:
    """An entity as a reader may see it.

    :param forms: Written forms in visible documents.
    :param documents: Path of each visible document, by id.
    :param distinct: Ids of entities that were declared to be others.
    :param recorded: Whether it is a record of a registry: two records of similar names are two, for all that names say.
    """

    id: str
    name: str
    kind: str
    forms: tuple[str, ...]
    documents: Mapping[str, str]
    distinct: frozenset[str] = frozenset()
    recorded: bool = False


@dataclass(frozen=True, slots=True)
class Duplicate:
    """Two entities that may be one.

    :param keep: The one that more documents mention.
    :param merge: The other.
    :param confidence: In [0, 1], on the scale on which an equal full name is 1; .8 is linked if no third name has as
        good a claim.
    :param reasons: The evidence first.
    :param shared: Documents that mention both.
    """

    keep: Candidate
    merge: Candidate
    confidence: float
    reasons: tuple[str, ...]
    shared: int


def duplicates_of(entities: Iterable[Candidate]) -> list[Duplicate]:
    """Pairs of entities with evidence for being one, surest first; the same for any order of the entities.

    Work grows with the sizes of the blocks of names, which are capped.
    """
    known = {entity.id: entity for entity in entities}
    keys = {entity.id: sorted({name_key(form) for form in (entity.name, *entity.forms)}) for entity in known.values()}
    mentioned: dict[str, set[str]] = defaultdict(set)
    for entity in known.values():
        for document in entity.documents:
            mentioned[document].add(entity.id)
    found = []
    for a, b in sorted(_sharing(keys)):
        evidence = _evidence(known[a], known[b], keys)
        if evidence is not None:
            found.append(_duplicate(known[a], known[b], evidence, mentioned, known))
    return sorted(found, key=lambda each: (-each.confidence, each.keep.name, each.keep.id, each.merge.id))


def _sharing(keys: Mapping[str, Sequence[str]]) -> set[tuple[str, str]]:
    members: dict[str, set[str]] = defaultdict(set)
    for entity, names in keys.items():
        for name in names:
            for block in (*sought(name), *_halves(name)):
                members[block].add(entity)
    return {
        pair for block in members.values() if len(block) <= _LARGEST_BLOCK for pair in combinations(sorted(block), 2)
    }


def _halves(name: str) -> Iterator[str]:
    """Both halves of a name, and each one letter shorter: one slip leaves one of them whole."""
    half = len(name) // 2
    for size in (half, half - 1) if half > _SHORTEST_HALF else ():
        yield f"b:{name[:size]}"
        yield f"e:{name[-size:]}"


def _evidence(a: Candidate, b: Candidate, keys: Mapping[str, Sequence[str]]) -> Evidence | None:
    """The best evidence between any two of their names, unless something says that they are two."""
    if b.id in a.distinct or a.id in b.distinct or numbers(name_key(a.name)) != numbers(name_key(b.name)):
        return None
    if (a.recorded and b.recorded) or set(keys[a.id]) & set(keys[b.id]):
        return None  # one name, told apart by address, department or title
    pairs = ((one, other) for one in keys[a.id] for other in keys[b.id])
    found = [evidence for one, other in pairs if (evidence := compare(one, other, a.kind, b.kind))]
    shared = a.documents.keys() & b.documents.keys()
    found = [evidence for evidence in found if not (evidence.apart and shared)]
    return max(found, key=lambda evidence: (evidence.score, evidence.reason), default=None)


def _duplicate(
    a: Candidate, b: Candidate, evidence: Evidence, mentioned: Mapping[str, set[str]], known: Mapping[str, Candidate]
) -> Duplicate:
    keep, merge = sorted((a, b), key=lambda each: (-len(each.documents), each.name, each.id))
    near = [
        frozenset(other for document in each.documents for other in mentioned[document] if " " in known[other].name)
        - {a.id, b.id}
        for each in (keep, merge)
    ]
    folders = [{path.rpartition("/")[0] for path in each.documents.values()} - {""} for each in (keep, merge)]
    shared = len(a.documents.keys() & b.documents.keys())
    together = sorted(known[other].name for other in near[0] & near[1])
    reasons = [evidence.reason]
    if together:
        more = f" and {len(together) - _SHOWN} more" if len(together) > _SHOWN else ""
        reasons.append(f"both are mentioned with {', '.join(together[:_SHOWN])}{more}")
    if folders[0] & folders[1]:
        reasons.append("documents in one folder")
    if shared:
        reasons.append(f"{shared} documents mention both" if shared > 1 else "1 document mentions both")
    if (a.kind == TOPIC) != (b.kind == TOPIC):
        reasons.append(f"one is a {a.kind}, one a {b.kind}")
    confidence = total(evidence, context_score(near[0], near[1], bool(folders[0] & folders[1])))
    return Duplicate(keep, merge, confidence, tuple(reasons), shared)

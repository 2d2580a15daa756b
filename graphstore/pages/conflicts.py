"""Where documents say different things of one entity: shown side by side, never settled. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from graphstore.models import Conflict, Fact, Version
from graphstore.pages.claims import Claim, Claims


def conflicts_of(facts: Sequence[Fact], forms: Iterable[str]) -> tuple[Conflict, ...]:
    """Attributes to which two documents or more give different values.

    Values one of which only says more than the other ("green", "green since Monday") do not conflict. What one document
    says of earlier and later is its own affair: a conflict needs two.

    :param facts: Statements about the entity, each with its document and dates.
    :param forms: Written forms of the entity.
    :returns: Sorted by attribute; the versions of each newest first.
    """
    claims = Claims(forms)
    found: dict[str, list[tuple[Claim, Fact]]] = defaultdict(list)
    for fact in facts:
        for claim in claims.of(fact.text, fact.said):
            found[claim.attribute].append((claim, fact))
    every = [conflict for name in sorted(found) if (conflict := _conflict(name, found[name]))]
    return tuple(_without_repetitions(every))


def _conflict(attribute: str, claimed: Sequence[tuple[Claim, Fact]]) -> Conflict | None:
    by_value: dict[str, list[tuple[Claim, Fact]]] = defaultdict(list)
    for claim, fact in claimed:
        by_value[claim.value].append((claim, fact))
    values = [value for value in by_value if not any(_says_less(value, other) for other in by_value)]
    sources = [{fact.document for _, fact in by_value[value]} for value in values]
    if len(values) < 2 or len(set().union(*sources)) < 2:
        return None
    versions = [_version(by_value[value]) for value in values]
    versions.sort(key=lambda version: version.value)
    versions.sort(key=lambda version: version.said or "", reverse=True)
    return Conflict(attribute, tuple(versions))


def _version(claimed: Sequence[tuple[Claim, Fact]]) -> Version:
    facts = sorted({fact for _, fact in claimed}, key=lambda fact: (fact.said or "", fact.document, fact.text))
    return Version(claimed[0][0].shown, tuple(facts[::-1]))


def _says_less(value: str, other: str) -> bool:
    return value != other and set(value.split()) < set(other.split())


def _without_repetitions(conflicts: Sequence[Conflict]) -> list[Conflict]:
    """Without those whose statements are all in another one: a cue and a frame may see the same."""
    kept: list[Conflict] = []
    for conflict in sorted(conflicts, key=lambda each: (-len(_statements(each)), len(each.attribute), each.attribute)):
        if not any(_statements(conflict) <= _statements(other) for other in kept):
            kept.append(conflict)
    return sorted(kept, key=lambda each: each.attribute)


def _statements(conflict: Conflict) -> set[tuple[str, str]]:
    return {(fact.document, fact.text) for version in conflict.versions for fact in version.facts}

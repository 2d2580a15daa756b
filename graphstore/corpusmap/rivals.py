"""Names for which there is any evidence that they are one thing with another name: its rivals."""

from __future__ import annotations

from collections.abc import Iterable

from graphstore.corpusmap.evidence import CALLED, OF_PEOPLE, Evidence, compare, mates, part_evidence, parts
from graphstore.corpusmap.keys import is_word
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.types import PERSON, PLACE, PRODUCT, PROJECT, TOPIC

_OF_PROJECTS = (PROJECT, PRODUCT, TOPIC)
"""What the name of a project may be taken for with good reason; the model guesses people and companies as well."""

_NONE: dict[str, Evidence] = {}
"""What most names have for rivals."""

Claim = tuple[str, bool, bool, bool, bool, bool]
"""Of a name, all that it depends on with which others there is evidence."""


def claim_of(registry: Registry, key: str) -> Claim | None:
    """What decides which other names are rivals of this one; ``None`` if nothing is called so."""
    if not registry.knows(key):
        return None
    return (
        registry.kind(key),
        key in registry.key_docs,
        registry.names_a_document(key),
        key in registry.directory,
        bool(registry.certain.get(key)),
        is_word(key) and _is_acronym(registry, key),
    )


def near_names(registry: Registry, key: str, *, person: bool) -> set[str]:
    """Every name with which there may be evidence.

    :param person: Whether the name is a person's. Else blocks of people are passed over, which for what ends in "Group"
        hold all such names, but for records of registries, which may say that it is a person's after all.
    """

    def members(block: str) -> Iterable[str]:
        if person or not block.startswith(OF_PEOPLE):
            return registry.block_keys.at(block)
        if not registry.directory.records:
            return ()  # and nothing is read: "Ltd" ends a fifth of all names
        return [name for name in registry.block_keys.at(block) if name in registry.directory]

    return mates(key, members)


def rivals_of(registry: Registry, key: str) -> dict[str, Evidence]:
    """Every key for which there is any evidence; kept until the claim of one of them changes."""
    found = registry.rivals.get(key)
    if found is None:
        best = _part_rivals(registry, key)
        for other, evidence in _long_rivals(registry, key).items():
            if other not in best or best[other].score < evidence.score:
                best[other] = evidence
        found = registry.rivals[key] = best or _NONE
    return found


def _long_rivals(registry: Registry, key: str) -> dict[str, Evidence]:
    titled = registry.names_a_document(key)
    found: dict[str, Evidence] = {}
    for other in near_names(registry, key, person=registry.kind(key) == PERSON):
        if titled and registry.names_a_document(other):
            continue
        if evidence := compare(key, other, *kinds_of(registry, key, other)):
            found[other] = evidence
    return found


def kinds_of(registry: Registry, a: str, b: str) -> tuple[str, str]:
    """Types of two names; the model's guess at one yields to what a registry says of the other."""
    of_a, of_b = registry.kind(a), registry.kind(b)
    known_a, known_b = a in registry.directory, b in registry.directory
    if known_a == known_b or registry.certain.get(a if known_b else b):
        return of_a, of_b
    return (of_a, of_a) if known_a else (of_b, of_b)


def _part_rivals(registry: Registry, key: str) -> dict[str, Evidence]:
    """Acronyms, first words of organisations, names of projects; surnames are decided document by document."""
    pairs = (
        [(key, other, other) for other in registry.part_keys.at(key)]
        if is_word(key)
        else [(part, key, part) for part in parts(key) if registry.knows(part) and is_word(part)]
    )
    found: dict[str, Evidence] = {}
    for word, long, other in pairs:
        kinds = registry.kind(word), registry.kind(long)
        evidence = None if registry.names_a_document(word) else part_evidence(word, long, kinds[1])
        if evidence is CALLED:
            fits = kinds[0] in _OF_PROJECTS or not registry.certain.get(word)
        else:
            fits = PERSON not in kinds and PLACE not in kinds
        if evidence and fits and (evidence.reason != "acronym" or _is_acronym(registry, word)):
            found[other] = evidence
    return found


def _is_acronym(registry: Registry, word: str) -> bool:
    return all(form.isupper() for form, count in registry.surfaces.get(word, {}).items() if count > 0)

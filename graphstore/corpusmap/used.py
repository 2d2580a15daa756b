"""How documents use names: a word as someone's surname, two names as two people's."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphstore.corpusmap.keys import is_word
from graphstore.corpusmap.persons import surname
from graphstore.corpusmap.types import PERSON, PLACE

if TYPE_CHECKING:
    from graphstore.corpusmap.registry import Registry

_FEW = 3
"""Documents that are too few to say that two names are two people's."""

_RARE = 4
"""How many times as many documents make a surname of what is taken for a place."""


def side_by_side(registry: Registry, a: str, b: str) -> bool:
    """Whether two names are people's and documents use them as two's."""
    return registry.kind(a) == registry.kind(b) == PERSON and used_as_two(registry, a, b)


def used_as_two(registry: Registry, a: str, b: str) -> bool:
    """Whether documents use two names side by side, thrice as many as state that they are one's."""
    stated = registry.aliases.stating(a, b, acronym=False)
    return len(registry.name_docs.at(a) & registry.name_docs.at(b)) > max(_FEW, 3 * stated)


def is_surname(registry: Registry, key: str) -> bool:
    """Whether a word that the model takes for no person's name is one by what all documents say.

    A form may not speak against it, and someone's full name must stand in as many documents as the word alone; in
    several times as many, if the word is taken for a place.
    """
    if not is_word(key) or any(registry.certain.get(key, {}).values()) or registry.names_a_document(key):
        return False
    kind = registry.kind(key)
    least = registry.key_docs.count(key) * (_RARE if kind == PLACE else 1)
    return kind != PERSON and any(
        registry.key_docs.count(full) >= least and registry.kind(full) == PERSON and surname(full.split(" ")) == key
        for full in registry.part_keys.at(key)
    )

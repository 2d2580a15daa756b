"""Which entity pages new documents may change: those that they are evidence for. All others stay, byte for byte.

A new document touches an entity not by mentioning it alone. Bearing a name of it, it may show that the name has two
bearers, that a title claims it, or that an abbreviation stands for something else; and what a document called by that
name may now be what the new document speaks of under a fuller one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from graphstore.evaluation.navigators import plainly

Links = Mapping[tuple[str, str], Collection[str]]
"""Document and entity → the names by which the document calls it."""


def touched(before: Links, after: Links, new: Mapping[str, str]) -> set[str]:
    """The entities of ``before`` that new documents are evidence for, by what is said and not by what changed.

    A new document mentions the entity; or its title or text holds one of the entity's names, letter for letter; or a
    document's name for the entity now stands for another one, which a new document mentions.

    :param before: Links before the new documents came, and ``after``.
    :param new: Id of each new document → its title and text.
    """
    mentioned = {entity for document, entity in after if document in new}
    names = _names(before)
    said = [plainly(text) for text in new.values()]
    held = {entity for entity, own in names.items() if any(plainly(name) in text for name in own for text in said)}
    now: dict[tuple[str, str], set[str]] = {}
    for (document, entity), own in after.items():
        for name in own:
            now.setdefault((document, name), set()).add(entity)
    moved = {
        entity
        for (document, entity), own in before.items()
        if any(now.get((document, name), set()) & mentioned for name in own)
    }
    return (names.keys() & mentioned) | held | moved


def _names(links: Links) -> dict[str, set[str]]:
    names: dict[str, set[str]] = {}
    for (_, entity), own in links.items():
        names.setdefault(entity, set()).update(_telling(own))
    return names


def _telling(names: Iterable[str]) -> set[str]:
    """The names that have words: marks alone are in every text."""
    return {name for name in names if plainly(name)}

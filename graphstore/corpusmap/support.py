"""What must speak for two names besides the names themselves, where these alone are too little."""

from __future__ import annotations

from graphstore.corpusmap.context import SIDE, shared_context
from graphstore.corpusmap.evidence import CONTEXT, NOBODY, WHOLE, Evidence
from graphstore.corpusmap.keys import is_word
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.types import PERSON, PRODUCT, PROJECT, TOPIC

_AGREES = 0.05
"""Context above that which says nothing, from which on documents agree: as much as a folder."""

_NEUTRAL = 0.5
"""Context that says nothing."""

_RARE = 2
"""How many times as many documents make a word a name of its own, beside a longer one that it begins or ends."""


def supported(registry: Registry, key: str, other: str, evidence: Evidence, score: float) -> bool:
    """Whether what the evidence needs besides is there: a document that has both names, or else what it says.

    :param score: Evidence and context together.
    """
    if evidence.needs == NOBODY:
        name = min(key, other, key=len)
        return not any(registry.kind(longer) == PERSON for longer in registry.part_keys.at(name))
    if not evidence.needs or registry.key_docs.meet(key, other):
        return True
    if evidence.needs == CONTEXT:
        return score >= min(1.0, round(evidence.score + _AGREES, 4))
    if evidence.needs == WHOLE:
        short, long = (registry.key_docs.count(name) for name in sorted((key, other), key=len))
        return short <= _RARE * long
    return False  # it needs a document with both


def called_so_elsewhere(registry: Registry, a: str, b: str) -> bool:
    """Whether a word that a text states to be another name of something means that in other documents, too.

    "The Fox" may be what one is called, and a company's name: most documents that have the word without the other name
    must share something with those that have that or state it. Of one kind of thing, or of a project or product, the
    statement is enough: code names are made to be used alone.
    """
    kinds = registry.kind(a), registry.kind(b)
    if PROJECT in kinds or PRODUCT in kinds or (kinds[0] == kinds[1] != TOPIC):
        return True
    return all(_agree(registry, word, full) for word, full in ((a, b), (b, a)) if is_word(word))


def _agree(registry: Registry, word: str, full: str) -> bool:
    stated = registry.aliases.documents(word, full)
    those = stated.union(registry.key_docs.first(full, SIDE))
    alone = [document for document in registry.key_docs.first(word, SIDE) if document not in those]
    without = frozenset({word, full})
    agree = sum(shared_context(registry, [document], those, without) > _NEUTRAL for document in alone)
    return 2 * agree >= len(alone)

"""The kinds of thing that every builder tells apart; the names are fixed, so that stores stay comparable.

A catalog adds types of its own (:mod:`graphstore.corpusmap.catalog`). Each is *like* one of these: it shares the rules
by which two names are one thing, so a catalog changes what a thing is called, never which things are one.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

PERSON, ORGANISATION, PROJECT, PRODUCT, PLACE, CODE, EMAIL, TOPIC = (
    "person",
    "organisation",
    "project",
    "product",
    "place",
    "code",
    "email",
    "topic",
)


@dataclass(frozen=True, slots=True)
class EntityType:
    """A type of entity: what belongs to it, and when two of it are the same.

    :param like: Name of the built-in type whose rules of identity hold for it; empty for a built-in one, and for what
        is like a topic.
    :param patterns: Regular expressions; a name that one of them matches whole, and every place of a text where one
        matches, is of this type.
    :param keywords: Words; a name that holds one of them as a whole word is of this type.
    :param fields: Keys of front matter whose values are of this type.
    """

    name: str
    definition: str
    identity: str
    examples: tuple[str, ...] = ()
    like: str = ""
    patterns: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()

    @property
    def base(self) -> str:
        """Name of the built-in type whose rules hold."""
        return self.like or (self.name if self.name in BUILT_IN else TOPIC)


TYPES: tuple[EntityType, ...] = (
    EntityType(PERSON, "A human being.", "Full name, address or department agree.", ("Ada Lovelace", "李伟")),
    EntityType(ORGANISATION, "A company, authority, team or department.", "Equal name.", ("Northwind Ltd.", "法务部")),
    EntityType(PROJECT, "An undertaking with a name of its own.", "Equal or stated name.", ("Project Atlas",)),
    EntityType(PRODUCT, "Something made, sold or run under a name.", "Equal name and version.", ("Ledger v2.1",)),
    EntityType(PLACE, "A country, town, site or building.", "Equal name.", ("Łódź",)),
    EntityType(CODE, "The number of a ticket, document or case.", "Equal in every character.", ("INC-1042",)),
    EntityType(EMAIL, "An e-mail address.", "Equal address.", ("info@example.org",)),
    EntityType(TOPIC, "What a document is about, by its own title.", "Equal title.", ("Onboarding Handbook",)),
)  # fmt: skip
"""Every type, in the order in which ties between votes are settled."""

BUILT_IN = frozenset(kind.name for kind in TYPES)


class _Ranks(dict[str, int]):
    """Ranks of the built-in types; any other name has one of its own before them, the same in every process."""

    def __missing__(self, name: str) -> int:
        return -1 - int.from_bytes(hashlib.sha256(name.encode()).digest()[:6])


RANK: dict[str, int] = _Ranks({kind.name: index for index, kind in enumerate(TYPES)})
"""Rank of a type, by which ties between votes are settled; a type of the user's own comes before a built-in one."""

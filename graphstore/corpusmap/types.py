"""The kinds of thing that the local builder tells apart; the names are fixed, so that stores stay comparable."""

from __future__ import annotations

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
    """A type of entity: what belongs to it, and when two of it are the same."""

    name: str
    definition: str
    identity: str
    examples: tuple[str, ...]


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

RANK: dict[str, int] = {kind.name: index for index, kind in enumerate(TYPES)}

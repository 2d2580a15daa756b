"""Entities of a resolver by what people call them."""

from __future__ import annotations

from graphstore.corpusmap.decisions import Link
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.resolve import Resolver
from graphstore.counts import counted
from graphstore.errors import NotFound

_SHOWN = 100
_LISTED = 20


def find_entity(resolver: Resolver, name_or_id: str) -> str:
    """Id of an entity, or of a record that no document mentions.

    :param name_or_id: Its id, its name or one of its written forms, in any case and spacing.
    :raises NotFound: There is none, or several have the name; the message lists them.
    """
    wanted = name_or_id.strip()
    if wanted in resolver.entities or wanted in resolver.registry.directory.records:
        return resolver.ruled.united(wanted)
    keys = _keys(wanted)
    called = set().union(*(_called(resolver, key) for key in keys))
    own = {entity for entity in called if (known := resolver.entities.get(entity)) and known.key in keys}
    chosen = own if len(own) == 1 else called
    if not chosen:
        raise NotFound(f"no entity {wanted[:_SHOWN]!r}: give its id or name, as `graphstore entities list` shows them")
    if len(chosen) > 1:
        listed = ", ".join(described(resolver, entity) for entity in sorted(chosen)[:_LISTED])
        raise NotFound(f"{wanted[:_SHOWN]!r} names {len(chosen)} entities, ask by id: {listed}")
    return chosen.pop()


def _keys(name: str) -> set[str]:
    """The keys that a name may have: codes and addresses keep every character."""
    return {name_key(name), name.casefold()}


def _called(resolver: Resolver, key: str) -> set[str]:
    found = {resolver.ruled.united(record) for record in resolver.registry.directory.claims(key)}
    for document in resolver.registry.key_docs.at(key):
        found |= {entity for entity in _linked(resolver, document, key)}
    return found


def _linked(resolver: Resolver, document: str, key: str) -> set[str]:
    links = [decision for decision in resolver.decisions[document] if isinstance(decision, Link)]
    return {link.entity for link in links if any(key in _keys(name) for name in link.names)}


def is_called(resolver: Resolver, entity: str, key: str) -> bool:
    """Whether some document calls the entity so, as the fullest name that it has for it there."""
    return any(entity in _linked(resolver, document, key) for document in resolver.registry.key_docs.at(key))


def described(resolver: Resolver, entity: str) -> str:
    """An entity in words that tell it from others: name, type, documents, id."""
    known = resolver.entities.get(entity)
    if known is None:
        return f"{resolver.registry.directory.records[entity].name} (0 documents, id {entity})"
    return f"{known.name} ({known.kind}, {counted(known.documents, 'document')}, id {entity})"

"""Type catalogs: which types of entity a store tells apart, as a frozen record that is versioned and compared.

However a catalog came about (a user's ``catalog.toml``, proposed from the documents, or by a model), it is a
:class:`Catalog`: the built-in types and types of its own, each with a definition, an identity criterion and examples.
What was proposed and refused stays with it, with the reason.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from graphstore.corpusmap.types import BUILT_IN, TYPES, EntityType
from graphstore.errors import CatalogError

_MOST_NAME = 60
_LISTS = ("examples", "patterns", "keywords", "fields")


@dataclass(frozen=True, slots=True)
class Refused:
    """A type that was proposed and not taken, and why."""

    name: str
    reason: str


@dataclass(frozen=True, slots=True)
class Catalog:
    """A set of types.

    :param version: As numbered by the store that keeps it; 0 is the built-in one, and one that is not yet kept.
    :param types: Every type, the built-in ones first, then by name.
    :param source: Who made it: ``built-in``, ``file``, ``local`` or ``llm``.
    :param refused: What was proposed and not taken.
    """

    version: int
    types: tuple[EntityType, ...]
    source: str = "built-in"
    refused: tuple[Refused, ...] = ()

    @property
    def own(self) -> tuple[EntityType, ...]:
        """The types that differ from the built-in ones."""
        return tuple(kind for kind in self.types if kind not in TYPES)

    def get(self, name: str) -> EntityType | None:
        """The type of this name, whatever its case."""
        return next((kind for kind in self.types if kind.name.casefold() == name.strip().casefold()), None)

    def typed(self, name: str) -> tuple[str, str]:
        """Base type and label of an :class:`~graphstore.corpusmap.extraction.Name` of this type.

        The base decides what is one thing; the label, empty for a built-in type, is what readers see.

        :raises CatalogError: the catalog has no such type.
        """
        kind = self.get(name)
        if kind is None:
            known = ", ".join(kind.name for kind in self.types)
            raise CatalogError(f"no type {name!r} in the catalog; it has {known}")
        return kind.base, "" if kind.name in BUILT_IN else kind.name

    @property
    def digest(self) -> str:
        """Hash of what extraction depends on: names, likeness, patterns, keywords and fields; empty if built-in."""
        told = [[k.name, k.base, k.patterns, k.keywords, k.fields] for k in self.own]
        return hashlib.sha256(_compact(told).encode()).hexdigest()[:12] if told else ""

    def to_json(self) -> str:
        """Compact JSON that :func:`from_json` reads back to an equal value."""
        return _compact(
            {
                "version": self.version,
                "source": self.source,
                "types": [asdict(kind) for kind in self.types],
                "refused": [asdict(each) for each in self.refused],
            }
        )


BUILT_IN_CATALOG = Catalog(0, TYPES)
"""What a store tells apart without a catalog of its own."""


def catalog_of(
    types: Iterable[EntityType], *, source: str, refused: Sequence[Refused] = (), where: str = "catalog"
) -> Catalog:
    """A catalog of the built-in types and the given ones; a given one replaces the built-in one of its name.

    :param where: Where the types stand, for messages.
    :raises CatalogError: a type without name or definition, two of one name, an unusable pattern, likeness to a type
        that is not built in.
    """
    own: dict[str, EntityType] = {}
    for kind in types:
        kind = _checked(kind, where)
        if kind.name in own:
            raise CatalogError(f"{where}: two types are named {kind.name!r}; merge them or rename one")
        own[kind.name] = kind
    built_in = tuple(own.pop(kind.name, kind) for kind in TYPES)
    return Catalog(0, (*built_in, *(own[name] for name in sorted(own))), source, tuple(refused))


def _checked(kind: EntityType, where: str) -> EntityType:
    name = " ".join(kind.name.casefold().split())
    if not name or len(name) > _MOST_NAME:
        raise CatalogError(f"{where}: a type's name has 1 to {_MOST_NAME} characters, not {kind.name!r}")
    if not kind.definition.strip() or not kind.identity.strip():
        raise CatalogError(f"{where}: the type {name!r} needs a definition and an identity criterion")
    if kind.like and kind.like not in BUILT_IN:
        raise CatalogError(f"{where}: {name!r} is like {kind.like!r}; use one of {', '.join(sorted(BUILT_IN))}")
    if name in BUILT_IN and kind.like not in ("", name):
        raise CatalogError(f"{where}: {name!r} is built in and cannot be like {kind.like!r}; choose another name")
    for pattern in kind.patterns:
        try:
            empty = re.compile(pattern).search("")
        except re.error as error:
            raise CatalogError(f"{where}: {name!r}: pattern {pattern!r}: {error}") from error
        if empty:
            raise CatalogError(f"{where}: {name!r}: pattern {pattern!r} matches nothing at all; make it longer")
    return replace(kind, name=name, like="" if name in BUILT_IN else kind.like)


def from_json(text: str, version: int | None = None) -> Catalog:
    """The catalog that :meth:`Catalog.to_json` wrote.

    :param version: Its number where it is kept, in place of the written one.
    """
    data: Mapping[str, Any] = json.loads(text)
    types = tuple(_type(each) for each in data["types"])
    refused = tuple(Refused(**each) for each in data["refused"])
    return Catalog(data["version"] if version is None else version, types, data["source"], refused)


def _type(row: Mapping[str, Any]) -> EntityType:
    fields: dict[str, Any] = {key: tuple(value) if key in _LISTS else value for key, value in row.items()}
    return EntityType(**fields)


def _compact(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), sort_keys=True)

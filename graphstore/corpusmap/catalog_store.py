"""Versions of the type catalog in the store: kept for good, numbered, one of them in use."""

from __future__ import annotations

from dataclasses import dataclass, replace

from graphstore.clock import now
from graphstore.corpusmap.catalog import BUILT_IN_CATALOG, Catalog, from_json
from graphstore.corpusmap.rows import type_steps
from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.writers import until_written


@dataclass(frozen=True, slots=True)
class Kept:
    """A kept version.

    :param note: What it was made of: a file's name, or how many documents.
    :param at: When it was kept, ISO 8601.
    :param used: Whether documents are read with it.
    """

    catalog: Catalog
    note: str
    at: str
    used: bool


def versions(db: Database) -> list[Kept]:
    """Every kept version, oldest first; the built-in catalog, which is version 0, is not among them."""
    return [
        Kept(from_json(row["catalog"], row["version"]), row["note"], row["at"], row["used"])
        for row in db.read("retrieve/catalogs")
    ]


def used(db: Database) -> Catalog:
    """The catalog that documents are read with."""
    return next((kept.catalog for kept in versions(db) if kept.used), BUILT_IN_CATALOG)


def catalog_at(db: Database, version: int) -> Catalog:
    """A kept version; 0 is the built-in catalog.

    :raises NotFound: the store has no such version.
    """
    kept = {0: BUILT_IN_CATALOG} | {each.catalog.version: each.catalog for each in versions(db)}
    if version not in kept:
        raise NotFound(f"no version {version} of the catalog; the store has {', '.join(map(str, sorted(kept)))}")
    return kept[version]


def keep(db: Database, catalog: Catalog, *, note: str = "") -> Catalog:
    """The catalog as the store keeps it, with its number; it is not yet in use.

    A catalog that equals a kept one gets the number of that one.
    """

    def work() -> Catalog:
        version = db.graph_version()
        known = versions(db)
        for kept in known:
            if replace(kept.catalog, version=0) == replace(catalog, version=0):
                return kept.catalog
        number = 1 + max((kept.catalog.version for kept in known), default=0)
        numbered = replace(catalog, version=number)
        row = {
            "id": f"catalog/{number}",
            "version": number,
            "source": catalog.source,
            "note": note,
            "at": now(),
            "catalog": numbered.to_json(),
        }
        db.write(("load/catalog", {"row": row}), expect=version)
        return numbered

    return until_written(db, work)


def use(db: Database, version: int) -> Catalog:
    """The version of the catalog that documents are read with from now on; ``build map`` reads again what it changes.

    :raises NotFound: the store has no such version.
    """
    catalog = catalog_at(db, version)
    db.write(("load/catalog_used", {"version": version}), *type_steps(catalog))
    return catalog

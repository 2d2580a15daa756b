"""The type catalog of a store: made, compared, chosen."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from graphstore.client.base import OpenStore

if TYPE_CHECKING:
    from graphstore.corpusmap.catalog import Catalog
    from graphstore.corpusmap.catalog_store import Kept


class Catalogs(OpenStore):
    """Which types of entity documents are read with. :meth:`~graphstore.GraphStore.build_map` brings a change in."""

    def catalog(self, *, version: int | None = None) -> Catalog:
        """The catalog in use, or a kept version of it; 0 is the built-in one.

        :raises NotFound: the store has no such version.
        """
        from graphstore.corpusmap.catalog_store import catalog_at, used

        return used(self._db) if version is None else catalog_at(self._db, version)

    def catalogs(self) -> list[Kept]:
        """Every kept version of the catalog, oldest first."""
        from graphstore.corpusmap.catalog_store import versions

        return versions(self._db)

    def propose_catalog(self) -> Catalog:
        """A catalog made of the stored documents by patterns and counts, kept and numbered but not in use.

        Only documents that everybody may read are looked at.
        """
        from graphstore.corpusmap.catalog_store import keep
        from graphstore.corpusmap.documents import stored_documents
        from graphstore.corpusmap.proposing import propose

        return keep(self._db, propose(stored_documents(self._db)), note="from the documents")

    def use_catalog(self, catalog: Path | str | int) -> Catalog:
        """The catalog that documents are read with from now on: a file, which is kept as a version, or a version.

        What is stored is read again by :meth:`~graphstore.GraphStore.build_map`, as far as the change concerns it.

        :raises CatalogError: the file describes none.
        :raises NotFound: the store has no such version.
        """
        from graphstore.corpusmap.catalog_file import read_catalog
        from graphstore.corpusmap.catalog_store import keep, use

        if isinstance(catalog, int):
            return use(self._db, catalog)
        path = Path(catalog)
        return use(self._db, keep(self._db, read_catalog(path), note=path.name).version)

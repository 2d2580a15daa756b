"""The local builder as a store's settings and its catalog have it."""

from __future__ import annotations

from graphstore.corpusmap.builder import LocalBuilder
from graphstore.corpusmap.catalog import Catalog
from graphstore.corpusmap.catalog_store import used
from graphstore.corpusmap.zero_shot import gliner
from graphstore.db import Database
from graphstore.errors import SettingsError
from graphstore.settings import Settings


def local_builder(db: Database, settings: Settings, catalog: Catalog | None = None) -> LocalBuilder:
    """The local builder with the catalog that the store uses, and GLiNER where the settings ask for it.

    :param catalog: In place of the one in use.
    :raises MissingExtra: GLiNER is asked for and not installed.
    :raises SettingsError: it is asked for and no model of it is given, or none is there.
    """
    catalog = catalog or used(db)
    if settings.extractor != "gliner":
        return LocalBuilder(catalog)
    if settings.gliner_model is None:
        raise SettingsError("--extractor gliner needs a model: --gliner-model FOLDER, or GRAPHSTORE_GLINER_MODEL")
    return LocalBuilder(catalog, gliner(settings.gliner_model, catalog, threshold=settings.gliner_threshold))

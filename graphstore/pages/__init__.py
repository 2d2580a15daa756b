"""Entity pages: read for one reader, built, rendered, exported."""

from __future__ import annotations

from graphstore.pages.read import document, entities, entity_page, page_text, pages_of

__all__ = ["document", "entities", "entity_page", "page_text", "pages_of"]

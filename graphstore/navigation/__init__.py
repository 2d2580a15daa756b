"""Navigation of the corpus by agents: search, pages, documents by section, neighbours, grep; for one reader."""

from __future__ import annotations

from graphstore.navigation.navigate import Navigation

__all__ = ["Navigation"]

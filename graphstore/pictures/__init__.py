"""Pictures of a tool's or an entity's neighbourhood: read for one reader, laid out, written as one HTML file."""

from __future__ import annotations

from graphstore.pictures.model import Line, Picture, Spot
from graphstore.pictures.read import picture

__all__ = ["Line", "Picture", "Spot", "picture"]

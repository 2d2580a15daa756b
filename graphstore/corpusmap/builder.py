"""What turns documents into extractions: one interface for the local builder and those by a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.extraction import LOCAL, Extraction
from graphstore.records import Rejected, SourceDocument


class Builder(Protocol):
    """Makes extractions; an extraction depends on its document and the builder alone."""

    def extract(self, documents: Sequence[SourceDocument]) -> Sequence[Extraction | Rejected]:
        """The extraction of each document, its ``by`` as :meth:`stamp` gives it, or why it could not be read."""
        ...

    def stamp(self, document: SourceDocument) -> str:
        """What an extraction of this document is named as made by: settings that had a say in it are part of it."""
        ...

    def keeps(self, by: str) -> bool:
        """Whether a build need not even look at an extraction that was made so.

        False asks for a comparison with :meth:`stamp`. A builder keeps what another kind of builder made, so that a
        build never replaces work that was paid for unless that builder is asked to.
        """
        ...


class LocalBuilder:
    """Patterns, spaCy and statistics: no key, no network."""

    def extract(self, documents: Sequence[SourceDocument]) -> list[Extraction]:
        """The extraction of each document."""
        return extract(documents)

    def stamp(self, document: SourceDocument) -> str:
        """What an extraction of this document is named as made by."""
        return LOCAL

    def keeps(self, by: str) -> bool:
        """Whether a build need not look at an extraction that was made so."""
        return by == LOCAL or not by.startswith(LOCAL)

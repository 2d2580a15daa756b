"""What turns documents into extractions: one interface for the local builder and those by a model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol

from graphstore.corpusmap.catalog import BUILT_IN_CATALOG, Catalog
from graphstore.corpusmap.extract import extract, whole_text
from graphstore.corpusmap.extraction import LOCAL, Extraction
from graphstore.corpusmap.labelling import Labeller
from graphstore.corpusmap.zero_shot import ZeroShot
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
    """Patterns, spaCy and statistics, and the types of a catalog: no key, no network.

    :param catalog: Its types are put on names; the built-in one changes nothing.
    :param zero_shot: A recogniser that is asked for the catalog's types besides.
    """

    def __init__(self, catalog: Catalog = BUILT_IN_CATALOG, zero_shot: ZeroShot | None = None) -> None:
        self._labeller = Labeller(catalog)
        self._zero_shot = zero_shot
        self._name = f"{LOCAL}+{zero_shot.name}" if zero_shot else LOCAL
        self._types = catalog.digest if zero_shot else ""

    def extract(self, documents: Sequence[SourceDocument]) -> list[Extraction]:
        """The extraction of each document."""
        spans = self._zero_shot.spans([whole_text(document) for document in documents]) if self._zero_shot else None
        made = extract(documents, spans)
        if self._labeller:
            made = [self._labeller.label(document, found) for document, found in zip(documents, made, strict=True)]
        return [replace(found, by=self.stamp(document)) for document, found in zip(documents, made, strict=True)]

    def stamp(self, document: SourceDocument) -> str:
        """What an extraction of this document is named as made by: the types that have a say in it are part of it."""
        told = self._labeller.stamp(document) if self._labeller else ""
        return "/".join(part for part in (self._name, self._types, told) if part)

    def keeps(self, by: str) -> bool:
        """Whether a build need not look at an extraction that was made so."""
        if by.split("/")[0].split("+")[0] != LOCAL:
            return True
        return not self._labeller and not self._zero_shot and by == LOCAL

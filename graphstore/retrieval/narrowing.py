"""What of an answer is shown: a type, a folder, a span of time, a number of tokens. Pure."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from graphstore.errors import SettingsError
from graphstore.folders import folder_named, in_folder
from graphstore.models import DocumentHit, PageHit, SearchResult
from graphstore.retrieval.corpus_view import CorpusView
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.visibility import day_of

Counter = Callable[[str], int]


@dataclass(frozen=True, slots=True)
class Filters:
    """Which pages and documents are shown; paths may run through others that the reader sees.

    Make it with :meth:`of`.

    :param type: Pages of entities of this type, and documents that mention one; in any case of letters.
    :param folder: Documents in this folder, by :mod:`graphstore.folders`.
    :param since: Documents known from this day on or later; a document without any date is none of them.
    :param until: … up to this day.
    """

    type: str | None = None
    folder: str | None = None
    since: str | None = None
    until: str | None = None

    @classmethod
    def of(
        cls, type: str | None = None, folder: str | None = None, since: str | None = None, until: str | None = None
    ) -> Filters:
        """The filters, their dates checked.

        :raises SettingsError: a date is none, or the first day is after the last.
        """
        first, last = (None if written is None else day_of(written) for written in (since, until))
        if first and last and first > last:
            raise SettingsError(f"since {first} is after until {last}: no day is both")
        return cls(type.casefold() if type else None, folder_named(folder) or None, first, last)

    def documents(self, view: CorpusView) -> NDArray[np.bool_] | None:
        """Which documents of a view are shown; ``None`` if all that it sees are. *Shape:* ``(n,)``"""
        if self == EVERYTHING:
            return None
        known = view.snapshot.documents
        kept = np.array(
            [self._at(path, day) for path, day in zip(known.paths, known.known, strict=True)], dtype=np.bool_
        )
        if self.type is not None:
            of_type = self.entities(view)
            mentions = np.zeros(len(known), dtype=np.bool_)
            rows = np.repeat(np.arange(len(known)), np.diff(view.links.indptr))
            mentions[rows[of_type[view.links.indices]]] = True
            kept &= mentions
        return kept if view.visible is None else kept & view.visible

    def entities(self, view: CorpusView) -> NDArray[np.bool_]:
        """Which entities are of the type. *Shape:* ``(entities,)``"""
        types = view.snapshot.entities.types
        return np.array([self.type is None or (type or "").casefold() == self.type for type in types], dtype=np.bool_)

    def _at(self, path: str, day: str | None) -> bool:
        inside = self.folder is None or in_folder(path, self.folder)
        dated = self.since is None and self.until is None
        if not dated and day is not None:
            dated = (self.since is None or day >= self.since) and (self.until is None or day <= self.until)
        return inside and dated


EVERYTHING = Filters()
"""No filter."""


def within(result: SearchResult, max_tokens: int | None, count: Counter = estimated_tokens) -> SearchResult:
    """The answer with its size, cut so that it has at most so many tokens.

    Documents and pages are taken in turn, best first, until the next one does not fit; ``left_out`` says how many were
    not taken.

    :raises SettingsError: the budget is below 1.
    """
    if max_tokens is not None and max_tokens < 1:
        raise SettingsError(f"max_tokens is 1 or more: got {max_tokens}")
    left = float("inf") if max_tokens is None else float(max_tokens)
    kept: dict[type, int] = {DocumentHit: 0, PageHit: 0}
    spent = 0
    for hit in _in_turn(result):
        cost = count(_line(hit))
        if spent + cost > left:
            break
        spent += cost
        kept[type(hit)] += 1
    pages, documents = result.pages[: kept[PageHit]], result.documents[: kept[DocumentHit]]
    left_out = len(result.pages) + len(result.documents) - len(pages) - len(documents)
    return replace(result, pages=pages, documents=documents, tokens=spent, left_out=left_out)


def _in_turn(result: SearchResult) -> list[DocumentHit | PageHit]:
    every: list[DocumentHit | PageHit] = []
    for i in range(max(len(result.documents), len(result.pages))):
        every += [*result.documents[i : i + 1], *result.pages[i : i + 1]]
    return every


def _line(hit: DocumentHit | PageHit) -> str:
    """A hit as it stands in an answer."""
    if isinstance(hit, PageHit):
        return f"{hit.name} ({hit.type}, {hit.documents}) {hit.path}"
    way = " > ".join(step.name for step in hit.trail)
    return f"{hit.title} [{hit.path}] {hit.date or ''} {way}"

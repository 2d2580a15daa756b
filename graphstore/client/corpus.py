"""Questions to the corpus map."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphstore.client.base import OpenStore
from graphstore.visibility import Visibility

if TYPE_CHECKING:
    from graphstore.models import EntityPage, PageRef, PageText, SearchResult, StoredDocument
    from graphstore.pages.duplicates import Duplicate
    from graphstore.pages.export import ExportReport
    from graphstore.pictures import Picture
    from graphstore.retrieval.engine import EngineName


class Corpus(OpenStore):
    """What is asked of the corpus map.

    Everywhere ``reader`` is who reads, principals and groups, and ``None`` the local owner, who sees all; ``as_of`` is
    a date, and answers come from the documents known by then (``graphstore.visibility`` has the rule).
    """

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        type: str | None = None,
        folder: str | None = None,
        since: str | None = None,
        until: str | None = None,
        max_tokens: int | None = None,
        explain: bool = False,
        token_coverage: bool = False,
        reader: Sequence[str] | None = None,
        as_of: str | None = None,
        engine: EngineName = "auto",
    ) -> SearchResult:
        """Candidate entity pages and documents for a question, at most ``k`` of each, best first.

        :param type: Only pages of entities of this type, and documents that mention one.
        :param folder: Only documents in this folder, by their paths, and pages that link one.
        :param since: Only documents known from this day on or later, and pages that link one.
        :param until: … up to this day.
        :param max_tokens: The most tokens of the answer: titles, paths, dates and ways; the texts are read apart.
        :param explain: Say how the answer came about, with a statement that shows it in Neo4j Browser.
        :param token_coverage: Count words that two documents hold together also where they hold others near to them, in
            their contexts; ``build("words")`` comes before.
        :param engine: As for :meth:`tools`.
        :raises GdsMissing: ``"gds"`` without the library on the server.
        :raises SettingsError: a date is none, the budget is below 1, or the store holds no vectors of words.
        """
        from graphstore.retrieval.documents import SearchOptions
        from graphstore.retrieval.narrowing import Filters

        place, who = self._engine(engine), Visibility.of(reader, as_of)
        filters = Filters.of(type, folder, since, until)
        options = SearchOptions(
            k=k, filters=filters, max_tokens=max_tokens, explain=explain, token_coverage=token_coverage
        )
        return self._db.current(lambda: self._documents().search(query, who=who, options=options, engine=place))

    def page(self, name_or_id: str, *, reader: Sequence[str] | None = None, as_of: str | None = None) -> EntityPage:
        """An entity's page as the reader may see it.

        :raises NotFound: no such page for this reader, or several entities of this name; the message lists them.
        """
        from graphstore.pages import entity_page

        return entity_page(self._db, name_or_id, Visibility.of(reader, as_of))

    def page_text(
        self,
        name_or_id: str,
        *,
        part: int = 1,
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        reader: Sequence[str] | None = None,
        as_of: str | None = None,
    ) -> PageText:
        """One part of an entity's page as Markdown, the same that an export, the command line and agents get.

        :param max_tokens: The most that a part may have, 400 or more; 2,000 if not given.
        :param count: Tokens of a text, as the reader's model counts them; estimated if not given.
        :raises NotFound: as for :meth:`page`, or it has fewer parts.
        :raises SettingsError: the budget is too small.
        """
        from graphstore.pages import page_text
        from graphstore.pages.parts import PAGE_TOKENS
        from graphstore.retrieval.prompt_tokens import estimated_tokens

        return page_text(
            self._db,
            name_or_id,
            Visibility.of(reader, as_of),
            part=part,
            max_tokens=PAGE_TOKENS if max_tokens is None else max_tokens,
            count=count or estimated_tokens,
        )

    def document(
        self, path_or_id: str, *, reader: Sequence[str] | None = None, as_of: str | None = None
    ) -> StoredDocument:
        """A document, with the pages that mention it.

        :param path_or_id: Its id or its path; an earlier path too, if nothing else lies there now.
        :raises NotFound: no such document for this reader.
        """
        from graphstore.pages import document

        return document(self._db, path_or_id, Visibility.of(reader, as_of))

    def pages_of(
        self, path_or_id: str, *, reader: Sequence[str] | None = None, as_of: str | None = None
    ) -> list[PageRef]:
        """The pages that a document is linked to.

        :raises NotFound: no such document for this reader.
        """
        return list(self.document(path_or_id, reader=reader, as_of=as_of).pages)

    def entities(
        self,
        *,
        like: str | None = None,
        k: int | None = None,
        type: str | None = None,
        reader: Sequence[str] | None = None,
        as_of: str | None = None,
    ) -> list[dict[str, Any]]:
        """Every entity that has a page for the reader: ``id, name, type, documents``, most documents first.

        :param like: Words of a name, or what is said of an entity: then the best first, each with its ``score``; those
            first whose name holds all of the words.
        :param k: At most so many; if not given, 20 with ``like``, else all.
        :raises SeedError: ``like`` is blank.
        """
        who = Visibility.of(reader, as_of)
        if like is None:
            from graphstore.pages import entities

            return entities(self._db, type, who)[: k if k is None else max(k, 0)]
        from graphstore.retrieval.entity_meaning import entities_like

        most = 20 if k is None else max(k, 0)
        return self._db.current(lambda: entities_like(self._db, self._documents(), like, k=most, type=type, who=who))

    def duplicates(
        self, *, k: int = 20, reader: Sequence[str] | None = None, as_of: str | None = None
    ) -> list[Duplicate]:
        """At most ``k`` pairs of entities that may be one, for a person to decide: surest first, each with reasons."""
        from graphstore.pages.duplicates import duplicates

        return duplicates(self._db, k, Visibility.of(reader, as_of))

    def picture(self, name_or_id: str, *, reader: Sequence[str] | None = None, as_of: str | None = None) -> Picture:
        """A tool or an entity in its neighbourhood, to be written as HTML.

        :raises NotFound: neither a tool nor a page of this name for this reader.
        """
        from graphstore.pictures import picture

        return picture(self._db, name_or_id, Visibility.of(reader, as_of))

    def export_pages(
        self,
        folder: Path | str,
        *,
        max_tokens: int | None = None,
        reader: Sequence[str] | None = None,
        as_of: str | None = None,
    ) -> ExportReport:
        """What writing all pages that the reader may see to a folder did.

        :param max_tokens: The most that a file of a page may have, 400 or more; 2,000 if not given.
        :raises LoadError: the folder holds files that graphstore did not write.
        """
        from graphstore.pages.export import export
        from graphstore.pages.parts import PAGE_TOKENS

        who = Visibility.of(reader, as_of)
        budget = PAGE_TOKENS if max_tokens is None else max_tokens
        return export(self._db, Path(folder), who, max_tokens=budget, progress=self._progress)

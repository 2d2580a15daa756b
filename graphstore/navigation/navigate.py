"""Navigation: what an agent does in the corpus, as one reader may see it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from graphstore.db import Database, StaleVersion
from graphstore.errors import NotFound, SettingsError
from graphstore.folders import folder_named, in_folder
from graphstore.navigation import texts
from graphstore.navigation.budget import checked_budget, in_line
from graphstore.navigation.grep import Pattern
from graphstore.navigation.grepping import Searched, matches, search_texts
from graphstore.navigation.near import Near, near_document, near_entity
from graphstore.navigation.reading import document_reading
from graphstore.navigation.records import (
    DocumentReading,
    Found,
    FoundTools,
    Matches,
    Mentions,
    NearDocument,
    NearEntity,
    Neighbours,
    PageReading,
)
from graphstore.pages.read import document, find_entity, page_text
from graphstore.tokens import has_words
from graphstore.visibility import Visibility

if TYPE_CHECKING:
    from graphstore.models import ToolHit
    from graphstore.retrieval.corpus_view import CorpusView
    from graphstore.retrieval.documents import DocumentSearch

_BATCH = 200  # documents whose texts are asked for at once
_LITERAL_BATCH = 2_000  # … where the store sends only those that hold a literal
_REASONS = 4  # shared documents or entities that are named
_MOST_CONTEXT = 10


class Navigation:
    """The corpus, as one reader may navigate it.

    Every call answers from the store as it is then, with a frozen record that holds its text, says its size in tokens,
    keeps to ``max_tokens``, and says what was left out. Documents are found in the store by id or path, never on disk;
    one that the reader may not see is answered as one that is not there. Safe to share between threads.
    """

    def __init__(
        self,
        db: Database,
        *,
        documents: Callable[[], DocumentSearch],
        tools: Callable[[str, int], list[ToolHit]],
        who: Visibility,
    ) -> None:
        """:param documents: The search over the store's current version.
        :param tools: The tools for a request, at most so many.
        """
        self._db = db
        self._documents = documents
        self._tools = tools
        self._who = who

    @property
    def who(self) -> Visibility:
        """Who reads, and at what date."""
        return self._who

    def search(
        self,
        query: str,
        *,
        k: int = 10,
        type: str | None = None,
        folder: str | None = None,
        since: str | None = None,
        until: str | None = None,
        token_coverage: bool = False,
        max_tokens: int = 1500,
    ) -> Found:
        """Candidate pages and documents for a question, at most ``k`` of each, best first: titles and paths.

        :param type: Only pages of entities of this type, and documents that mention one.
        :param folder: Only documents in this folder.
        :param since: Only documents known from this day on or later.
        :param until: Only documents known by this day.
        :param token_coverage: Count words that documents hold nearly, too.
        :raises SeedError: the question is blank.
        :raises SettingsError: a date is none, the first day after the last, a number out of range, or there are no
            vectors of words.
        """
        from graphstore.retrieval.documents import SearchOptions
        from graphstore.retrieval.narrowing import Filters
        from graphstore.retrieval.questions import NO_WORDS

        checked_budget(max_tokens)
        _checked_count(k)
        filters = Filters.of(type, folder, since, until)
        options = SearchOptions(k=k, filters=filters, token_coverage=token_coverage)
        documents = self._documents()
        result = documents.search(query, who=self._who, options=options)
        types = documents.types(self._who) if type and not result.pages else []
        notes = [] if result.documents or has_words(query) else [NO_WORDS]
        if type and types and type.casefold() not in map(str.casefold, types):
            notes.append(texts.absent("no page is of the type", type, types))
        folders = documents.folders(self._who) if filters.folder and not result.documents else []
        if filters.folder and folders and filters.folder not in folders:
            first = [each for each in folders if "/" not in each]
            notes.append(texts.absent("no document is in the folder", filters.folder, first))
        return texts.found(result, max_tokens, notes=notes)

    def read_page(self, name: str, *, part: int = 1, max_tokens: int = 2000) -> PageReading:
        """An entity's page: overview, newest statements, conflicts, further statements, each with its document.

        :param name: The entity's name, one of its written forms, or its id.
        :param part: Of a page that is longer than ``max_tokens``, from 1.
        :raises NotFound: no such page, or several entities of this name; the message lists them.
        """
        checked_budget(max_tokens)
        return texts.page_reading(page_text(self._db, name, self._who, part=part, max_tokens=max_tokens))

    def read_document(
        self, path: str, *, section: str | None = None, line: int | None = None, max_tokens: int = 3000
    ) -> DocumentReading:
        """A document's text, word for word: whole, a section of it, or from a line on.

        :param path: Its path or id.
        :param section: Its number, a range such as ``2-4``, or its heading, which brings what stands beneath it.
        :param line: The line to begin at, from 1, as :meth:`grep` shows it.
        :raises NotFound: no such document, or no such section; the message lists sections.
        """
        checked_budget(max_tokens)
        return document_reading(document(self._db, path, self._who), max_tokens, section=section, line=line)

    def pages_of(self, path: str, *, max_tokens: int = 1000) -> Mentions:
        """The pages that mention a document, those of fewest documents first: they say most about it.

        :raises NotFound: no such document.
        """
        checked_budget(max_tokens)
        return texts.mentions(document(self._db, path, self._who), max_tokens)

    def neighbours(self, of: str, *, k: int = 10, max_tokens: int = 1000) -> Neighbours:
        """What is near an entity or a document, at most ``k``, nearest first, each with what both share.

        Of an entity: others in the same documents. Of a document: others that mention the same rare entities.

        :param of: A document's path or id, else an entity's name or id.
        :raises NotFound: neither a document nor a page.
        """
        checked_budget(max_tokens)
        _checked_count(k)
        return self._db.current(lambda: self._neighbours(of, k, max_tokens))

    def grep(
        self,
        pattern: str,
        *,
        expression: bool = False,
        case: bool = False,
        folder: str | None = None,
        context: int = 0,
        start: int = 1,
        max_tokens: int = 1500,
        seconds: float = 5.0,
    ) -> Matches:
        """Lines of all visible documents that match, in the order of paths.

        :param pattern: What a line holds, word for word.
        :param expression: Read it as a regular expression.
        :param case: Tell capitals from small letters.
        :param folder: Only documents in this folder, by their paths.
        :param context: Lines before and after each match, at most 10.
        :param start: Number of the first matching line to show: an answer that is cut says where it goes on.
        :param seconds: Time for it all; what was not searched by then is told.
        :raises SettingsError: no pattern, no regular expression, or a number out of range.
        """
        checked_budget(max_tokens)
        if not 0 <= context <= _MOST_CONTEXT or start < 1 or seconds <= 0:
            raise SettingsError(f"context is 0 to {_MOST_CONTEXT}, start is 1 or more, seconds are above 0")
        wanted = Pattern.of(pattern, expression=expression, case=case)
        place = folder_named(folder)
        listed = [
            row for row in self._db.read("page/documents", **self._who.parameters) if in_folder(row["path"], place)
        ]
        done = search_texts(
            wanted,
            listed,
            lambda rows: self._texts(wanted, rows),
            seconds,
            batch=_BATCH if expression else _LITERAL_BATCH,
        )
        return matches(wanted, done, context=context, start=start, max_tokens=max_tokens)

    def find_tools(self, request: str, *, k: int = 8, max_tokens: int = 1000) -> FoundTools:
        """The tools that the whole workflow for a request needs, at most ``k``, best first.

        Tools are not documents: every reader sees all of them.

        :raises NotFound: the store holds no tools.
        """
        checked_budget(max_tokens)
        _checked_count(k)
        return texts.found_tools(request, self._tools(request, k), max_tokens)

    def _neighbours(self, of: str, k: int, max_tokens: int) -> Neighbours:
        view = self._documents().view(self._who)
        try:
            base = document(self._db, of, self._who)
        except NotFound as no_document:
            return self._near_entities(view, of, k, max_tokens, no_document)
        near = near_document(view, _number(view.snapshot.documents.ids, base.id), k)
        return texts.neighbours(base.id, base.path, max_tokens, documents=[_near_document(view, each) for each in near])

    def _near_entities(self, view: CorpusView, of: str, k: int, max_tokens: int, no_document: NotFound) -> Neighbours:
        try:
            entity = find_entity(self._db, of, self._who)
        except NotFound as no_page:
            raise NotFound(f"{no_page}; {no_document}") from None
        near = near_entity(view, _number(view.snapshot.entities.ids, entity.id), k)
        return texts.neighbours(
            entity.id, entity.name, max_tokens, entities=[_near_entity(view, each) for each in near]
        )

    def _texts(self, pattern: Pattern, rows: Sequence[dict[str, Any]]) -> Iterator[Searched]:
        asked = {"ids": [row["id"] for row in rows], "literal": pattern.literal, "case": pattern.case}
        held = {row["id"]: row["text"] for row in self._db.read("retrieve/grep_texts", **asked, **self._who.parameters)}
        for row in rows:
            yield Searched(row["id"], row["path"], row["title"], held.get(row["id"]))


def _near_entity(view: CorpusView, near: Near) -> NearEntity:
    named, paths = view.named(near.number), view.snapshot.documents.paths
    return NearEntity(
        id=named.id,
        name=named.name,
        type=named.type,
        score=round(near.score, 6),
        shared=len(near.shared),
        documents=tuple(paths[i] for i in near.shared[:_REASONS]),
    )


def _near_document(view: CorpusView, near: Near) -> NearDocument:
    known = view.snapshot.documents
    return NearDocument(
        id=known.ids[near.number],
        path=known.paths[near.number],
        title=known.titles[near.number],
        score=round(near.score, 6),
        shared=len(near.shared),
        entities=tuple(view.named(entity).name for entity in near.shared[:_REASONS]),
    )


def _number(ids: Sequence[str], id: str) -> int:
    try:
        return ids.index(id)
    except ValueError:
        raise StaleVersion(f"{in_line(id)} is newer than the snapshot; ask again") from None


def _checked_count(k: int) -> None:
    if not 1 <= k <= 100:
        raise SettingsError(f"k is 1 to 100: got {k}")

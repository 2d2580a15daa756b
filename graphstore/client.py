"""The library's face: one object over one store."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeVar, Unpack

from graphstore import schema
from graphstore.db import Database, Driver, StaleVersion
from graphstore.errors import ConnectError, EncoderMismatch, SettingsError
from graphstore.opening import open_database
from graphstore.progress import Progress
from graphstore.rows import Rows
from graphstore.settings import Settings

if TYPE_CHECKING:
    from py2neo import Graph as Py2neoGraph

    from graphstore.encoders import Encoder
    from graphstore.execution import Execution
    from graphstore.findings import Fault
    from graphstore.models import (
        EntityPage,
        Forgotten,
        LoadReport,
        PageRef,
        SearchResult,
        StagePaths,
        StoredDocument,
        ToolDomain,
        ToolHit,
    )
    from graphstore.pages.duplicates import Duplicate
    from graphstore.pages.export import ExportReport
    from graphstore.pictures import Picture
    from graphstore.records import Ignored, Rejected, StageRun, ToolSpec
    from graphstore.retrieval.documents import DocumentSearch
    from graphstore.retrieval.engine import Engine, EngineName
    from graphstore.retrieval.gds import GdsEngine
    from graphstore.retrieval.tool_definitions import DefinitionForm, ToolDefinitions
    from graphstore.retrieval.tools import ToolOptions, ToolSearch

Answer = TypeVar("Answer")
_ATTEMPTS = 8


class GraphStore:
    """A store of tool workflows and entity pages.

    Use as a context manager. Methods may be called from several threads; answers are computed from a snapshot of the
    graph that is read again when ``graph_version`` has moved.
    """

    def __init__(self, db: Database, encoder: Encoder, settings: Settings, progress: Progress | None = None) -> None:
        self._db = db
        self._encoder = encoder
        self._settings = settings
        self._progress = progress or _silent
        self._lock = threading.Lock()
        self._tool_search: ToolSearch | None = None
        self._document_search: DocumentSearch | None = None
        self._gds_engine: GdsEngine | None = None

    @classmethod
    def connect(
        cls,
        settings: Settings | None = None,
        *,
        progress: Progress | None = None,
        accept_encoder: bool = False,
        **flags: Any,
    ) -> GraphStore:
        """A store, with its schema applied: the embedded one, started if it is down, or the one at ``NEO4J_URI``.

        :param settings: Read from the environment and ``graphstore.toml`` if not given.
        :param progress: Told about long work.
        :param accept_encoder: Open the store although its vectors are another encoder's, to :meth:`reindex` it.
        :param flags: Single settings, such as ``uri=`` or ``home=``.
        :raises ConnectError: no usable server at the address.
        :raises ServerError: the embedded server cannot be started.
        :raises EncoderMismatch: the store's vectors are another encoder's.
        """
        from graphstore.encoders import load_encoder

        settings = settings or Settings.load(**flags)
        encoder = load_encoder(settings.encoder)
        db = open_database(settings, progress or _silent)
        try:
            schema.apply(db, encoder=encoder.name, dimensions=encoder.dimensions, analyzer=settings.analyzer)
        except EncoderMismatch:
            if not accept_encoder:
                db.close()
                raise
        except BaseException:
            db.close()
            raise
        return cls(db, encoder, settings, progress)

    def close(self) -> None:
        """Close the connection; the embedded server stays up."""
        try:
            if self._gds_engine is not None:
                self._gds_engine.close()
        finally:
            self._db.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    @property
    def driver(self) -> Driver:
        """The driver beneath. What is written through it is seen after :meth:`build`."""
        return self._db.driver

    def py2neo(self) -> Py2neoGraph:
        """A ``py2neo.Graph`` on this store, for code that was written for it.

        py2neo is past its end of life: new code takes :meth:`query` or :attr:`driver`. What is written through it is
        seen after :meth:`build`.

        :raises MissingExtra: py2neo is not installed.
        :raises ConnectError: py2neo cannot connect.
        """
        from graphstore.legacy import py2neo_graph

        return py2neo_graph(self._settings, self._db.address)

    # -- loading -------------------------------------------------------------------------------------------------

    def load_tools(self, *paths: Path | str, server: str | None = None) -> LoadReport:
        """What loading tool catalogs did.

        :param server: Name of the server that offers the tools; ids become ``server/name``.
        :raises LoadError: a path cannot be read at all.
        """
        from graphstore.loaders import read_tools

        return self.add_tools(read_tools(*paths, server=server))

    def add_tools(self, records: Iterable[ToolSpec | Rejected | Ignored]) -> LoadReport:
        """What storing tools did that a program declares, or a loader reads."""
        from graphstore.toolgraph.update import load_tools

        return load_tools(self._db, self._encoder, records, progress=self._progress, half_life=self._settings.half_life)

    def load_logs(self, *paths: Path | str, format: str | None = None, passed_if: str | None = None) -> LoadReport:
        """What loading logs of agents did. A run that is loaded twice counts once.

        :param format: Name of the format that they have; told by each record if not given.
        :param passed_if: Condition on a run's record that says whether it passed, such as ``reward>=0.5``; without it
            the log says so, or nothing is known of the run.
        :raises LoadError: a path cannot be read at all.
        :raises SettingsError: no format is named so, or the condition states none.
        """
        from graphstore.loaders import read_logs

        return self.add_runs(read_logs(*paths, format=format, passed_if=passed_if))

    def add_runs(self, records: Iterable[StageRun | Rejected | Ignored]) -> LoadReport:
        """What storing stage runs did that a program has, or a loader reads. A run that is given twice counts once."""
        from graphstore.toolgraph.update import load_logs

        half_life = self._settings.half_life
        report = load_logs(self._db, self._encoder, records, progress=self._progress, half_life=half_life)
        self._refit()
        return report

    def load_documents(self, *paths: Path | str) -> LoadReport:
        """What loading folders or JSON lines of documents did. Only new and changed documents are worked on.

        :raises LoadError: a path cannot be read at all.
        """
        from graphstore.corpusmap.update import load_documents
        from graphstore.loaders import read_documents

        def records() -> Iterable[Any]:
            yield from read_documents(*paths)

        return load_documents(self._db, self._encoder, records, progress=self._progress)

    def build(self, what: str | None = None) -> int:
        """The ``graph_version`` after deriving edges and links again from what is stored.

        :param what: ``"tools"``, ``"map"``, or both if not given.
        """
        if what not in (None, "tools", "map"):
            raise SettingsError(f"build knows tools and map, not {what!r}")
        if what != "map":
            from graphstore.toolgraph.update import derive

            derive(self._db, self._encoder, progress=self._progress, half_life=self._settings.half_life)
            self._refit(always=True)
        if what != "tools":
            from graphstore.corpusmap.build import build_map

            build_map(self._db, self._encoder, progress=self._progress)
        return self._db.graph_version()

    def forget(self, *documents: str) -> list[str]:
        """The ids of the documents that were taken out, with all that they alone support.

        :param documents: Paths or ids.
        :raises NotFound: one of them is not in the store; nothing was taken out.
        """
        from graphstore.corpusmap.forget import forget
        from graphstore.retrieval.corpus_cache import purge

        gone = forget(self._db, self._encoder, documents, progress=self._progress)
        purge(self._settings.cache, self._db.store_id)
        return gone

    def forget_runs(self, *, before: str) -> Forgotten:
        """What taking out the runs that finished before a time did; runs without a time stay.

        :param before: A date or time as ISO 8601, such as ``2026-03-01``.
        :raises SettingsError: it is none.
        """
        from graphstore.toolgraph.forget import forget_runs

        half_life = self._settings.half_life
        gone = forget_runs(self._db, self._encoder, before, progress=self._progress, half_life=half_life)
        self._refit(always=gone.runs > 0)
        return gone

    def forget_tool(self, tool: str) -> Forgotten:
        """What taking out a tool did, with every run that called it: a way that is closed is no example.

        :param tool: Its id.
        :raises NotFound: no such tool.
        """
        from graphstore.toolgraph.forget import forget_tool

        half_life = self._settings.half_life
        gone = forget_tool(self._db, self._encoder, tool, progress=self._progress, half_life=half_life)
        self._refit(always=gone.runs > 0)
        return gone

    def reindex(self) -> dict[str, int]:
        """How many tools, stages, documents and entities were encoded again with the configured encoder."""
        from graphstore.reindex import reindex

        encoded = reindex(self._db, self._encoder, progress=self._progress, half_life=self._settings.half_life)
        self._refit(always=True)
        return encoded

    def _refit(self, *, always: bool = False) -> None:
        """Fit the learned mix of signals again, where the history has changed much, or ``always``."""
        from graphstore.retrieval.tool_fit import refit

        refit(self._db, self._encoder, self._progress, always=always)

    # -- the tool graph ------------------------------------------------------------------------------------------

    def tools(
        self,
        query: str,
        *,
        k: int = 8,
        domain: str | None = None,
        server: str | None = None,
        exclude: Sequence[str] = (),
        system: bool = False,
        beyond: int = 0,
        order: bool = False,
        engine: EngineName = "auto",
    ) -> list[ToolHit]:
        """The ``k`` tools that the whole workflow for a request needs, best first, each with its reasons.

        :param system: To the tools of ``domain``, add those that are always offered: all of the domain ``system``.
        :param beyond: To the tools of ``domain``, add the best so many of other domains.
        :param order: In the likely order of execution instead; ``position`` says it in either case.
        :param engine: Where walks are followed: ``"local"``, ``"gds"`` (in the server), or what is faster.
        :raises NotFound: the store holds no tools.
        :raises GdsMissing: ``"gds"`` without the library on the server.
        """
        from graphstore.retrieval.tools import ToolOptions

        place = self._engine(engine)
        options = ToolOptions(k=k, domain=domain, server=server, exclude=exclude, system=system, beyond=beyond)
        return _asked(lambda: self._tools().search(query, order=order, engine=place, **options))

    def tool_domains(self, query: str | None = None) -> list[ToolDomain]:
        """The domains of the tools, as a model may be offered them to choose from: the first step of exposure.

        :param query: Order by how well they fit this request, not by name.
        :raises NotFound: the store holds no tools.
        """
        return self._tools().domains(query)

    def tool_definitions(
        self,
        query: str,
        *,
        schemas: DefinitionForm = "openai",
        max_tokens: int | None = None,
        count: Callable[[str], int] | None = None,
        engine: EngineName = "auto",
        **options: Unpack[ToolOptions],
    ) -> ToolDefinitions:
        """The tools for a request as definitions that are ready to be sent to a model.

        :param schemas: Whose form: ``"openai"``, ``"anthropic"`` or ``"mcp"``.
        :param max_tokens: Most tokens of all definitions together; those that do not fit are named, not cut.
        :param count: Tokens of a text, from the model's own tokeniser; estimated if not given.
        :param options: As for :meth:`tools`.
        :raises NotFound: the store holds no tools.
        """
        from graphstore.retrieval.prompt_tokens import estimated_tokens

        place = self._engine(engine)

        def ask() -> ToolDefinitions:
            search = self._tools()
            hits = search.search(query, engine=place, **options)
            return search.definitions(self._db, hits, schemas, max_tokens=max_tokens, count=count or estimated_tokens)

        return _asked(ask)

    def paths(self, stage: str) -> StagePaths:
        """The successful paths of a stage, shortest first.

        :param stage: Its id (``task/stage``), the id of a task with one stage, or its request.
        :raises NotFound: no such stage, or several; the message lists candidates.
        """
        from graphstore.retrieval.stage_paths import stage_paths

        return stage_paths(self._db, stage)

    # -- the corpus map ------------------------------------------------------------------------------------------

    def search(
        self, query: str, *, k: int = 10, reader: Sequence[str] | None = None, engine: EngineName = "auto"
    ) -> SearchResult:
        """Candidate entity pages and documents for a question, at most ``k`` of each, best first.

        :param reader: Principals and groups; ``None`` is the local owner, who sees all.
        :param engine: As for :meth:`tools`.
        :raises GdsMissing: ``"gds"`` without the library on the server.
        """
        place = self._engine(engine)
        return _asked(lambda: self._documents().search(query, k=k, reader=reader, engine=place))

    def page(self, name_or_id: str, *, reader: Sequence[str] | None = None) -> EntityPage:
        """An entity's page as the reader may see it.

        :raises NotFound: no such page for this reader, or several entities of this name; the message lists them.
        """
        from graphstore.pages import entity_page

        return entity_page(self._db, name_or_id, reader)

    def document(self, path_or_id: str, *, reader: Sequence[str] | None = None) -> StoredDocument:
        """A document, with the pages that mention it.

        :raises NotFound: no such document for this reader.
        """
        from graphstore.pages import document

        return document(self._db, path_or_id, reader)

    def pages_of(self, path_or_id: str, *, reader: Sequence[str] | None = None) -> list[PageRef]:
        """The pages that a document is linked to.

        :raises NotFound: no such document for this reader.
        """
        return list(self.document(path_or_id, reader=reader).pages)

    def entities(self, *, type: str | None = None, reader: Sequence[str] | None = None) -> list[dict[str, Any]]:
        """Every entity that has a page for the reader: ``id, name, type, documents``, most documents first."""
        from graphstore.pages import entities

        return entities(self._db, type, reader)

    def duplicates(self, *, k: int = 20, reader: Sequence[str] | None = None) -> list[Duplicate]:
        """At most ``k`` pairs of entities that may be one, for a person to decide: surest first, each with reasons."""
        from graphstore.pages.duplicates import duplicates

        return duplicates(self._db, k, reader)

    def picture(self, name_or_id: str, *, reader: Sequence[str] | None = None) -> Picture:
        """A tool or an entity in its neighbourhood, to be written as HTML.

        :raises NotFound: neither a tool nor a page of this name for this reader.
        """
        from graphstore.pictures import picture

        return picture(self._db, name_or_id, reader)

    def export_pages(self, folder: Path | str, *, reader: Sequence[str] | None = None) -> ExportReport:
        """What writing all pages that the reader may see to a folder did.

        :raises LoadError: the folder holds files that graphstore did not write.
        """
        from graphstore.pages.export import export

        return export(self._db, Path(folder), reader, progress=self._progress)

    # -- the graph itself ----------------------------------------------------------------------------------------

    def query(self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False) -> Rows:
        """All rows of a Cypher statement, values as plain Python.

        :param write: READ access mode unless set.
        :raises QueryError: the server refused it.
        """
        return Rows(self._db.run(cypher, params, write=write))

    def stream(
        self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> Iterator[dict[str, Any]]:
        """The rows of :meth:`query` one by one, as they arrive."""
        return self._db.run(cypher, params, write=write)

    def execute(
        self, cypher: str, params: Mapping[str, Any] | None = None, *, write: bool = False
    ) -> AbstractContextManager[Execution]:
        """The statement of :meth:`query` while it runs: its columns, its rows, its plan, and a way to stop it."""
        return self._db.execute(cypher, params, write=write)

    def check(self) -> list[Fault]:
        """Broken invariants; an empty list if there is none."""
        from graphstore.check import check

        return check(self._db)

    def beside(self, *, tools: Path | str, logs: Path | str, documents: Path | str) -> list[str]:
        """What the store holds that these files do not bring, one example of each kind; empty if nothing."""
        from graphstore.loaders import read_documents, read_logs, read_tools

        rows = self._db.read(
            "retrieve/foreign",
            documents=_attributes(read_documents(documents), "id"),
            tasks=_attributes(read_logs(logs), "task"),
            tools=_attributes(read_tools(tools), "id"),
        )
        return [f"{row['kind']} {row['id']}" for row in rows]

    # -- snapshots -----------------------------------------------------------------------------------------------

    def _tools(self) -> ToolSearch:
        from graphstore.retrieval.tools import ToolSearch

        with self._lock:
            if self._tool_search is None:
                self._tool_search = ToolSearch.read(self._db, self._encoder)
            elif self._tool_search.version != self._db.graph_version():
                self._tool_search = self._tool_search.refresh(self._db)
            return self._tool_search

    def _documents(self) -> DocumentSearch:
        from graphstore.retrieval.documents import DocumentSearch

        with self._lock:
            if self._document_search is None or self._document_search.version != self._db.graph_version():
                self._document_search = DocumentSearch.read(
                    self._db, self._encoder, cache=self._settings.cache, progress=self._progress
                )
            return self._document_search

    def _engine(self, name: EngineName) -> Engine:
        from graphstore.retrieval.engine import choose

        return choose(name, self._gds)

    def _gds(self) -> GdsEngine:
        from graphstore.retrieval.gds import GdsEngine

        with self._lock:
            if self._gds_engine is None:
                self._gds_engine = GdsEngine.open(self._db)
            return self._gds_engine


def _asked(ask: Callable[[], Answer]) -> Answer:
    """The answer, asked for again where a writer came between the snapshot and what was read for it."""
    for _ in range(_ATTEMPTS):
        try:
            return ask()
        except StaleVersion:
            continue
    raise ConnectError("the store is written without a pause; try again when the load is done")


def _attributes(records: Iterable[object], name: str) -> list[str]:
    return sorted({getattr(record, name) for record in records if hasattr(record, name)})


def _silent(label: str, done: int, total: int | None) -> None:
    """Report nothing."""

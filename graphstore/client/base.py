"""A store that is open: its connection, and the snapshots that answers are computed from."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any, Self

from graphstore import schema
from graphstore.db import Database, Driver
from graphstore.errors import EncoderMismatch
from graphstore.opening import open_database
from graphstore.progress import Progress, silent
from graphstore.settings import Settings

if TYPE_CHECKING:
    from py2neo import Graph as Py2neoGraph

    from graphstore.encoders import Encoder
    from graphstore.retrieval.documents import DocumentSearch
    from graphstore.retrieval.engine import Engine, EngineName
    from graphstore.retrieval.gds import GdsEngine
    from graphstore.retrieval.tools import ToolSearch


class OpenStore:
    """What every part of the library's face stands on."""

    def __init__(self, db: Database, encoder: Encoder, settings: Settings, progress: Progress | None = None) -> None:
        self._db = db
        self._encoder = encoder
        self._settings = settings
        self._progress = progress or silent
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
    ) -> Self:
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
        db = open_database(settings, progress or silent)
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
        """Close the connection; the embedded server stays up.

        What a search had read anew is kept for the next process.
        """
        try:
            if self._document_search is not None:
                self._document_search.keep(self._db, cache=self._settings.cache)
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
            cache = self._settings.cache
            if self._document_search is None:
                self._document_search = DocumentSearch.read(
                    self._db, self._encoder, cache=cache, progress=self._progress
                )
            elif self._document_search.version != self._db.graph_version():
                self._document_search = self._document_search.refresh(self._db, cache=cache)
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

"""Loading, deriving again, and taking out."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphstore.client.base import OpenStore
from graphstore.db import WRITTEN_PAST
from graphstore.errors import SettingsError

if TYPE_CHECKING:
    from graphstore.corpusmap.build import Built
    from graphstore.corpusmap.builder import Builder
    from graphstore.models import Forgotten, LoadReport
    from graphstore.records import Ignored, Rejected, SourceEntity, StageRun, ToolSpec
    from graphstore.repair import Repaired


class Loading(OpenStore):
    """What changes the store."""

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

    def load_documents(self, *paths: Path | str, builder: Builder | None = None) -> LoadReport:
        """What loading folders or JSON lines of documents did. Only new and changed documents are worked on.

        :param builder: What reads them; the local one, with the store's catalog, if not given.
        :raises LoadError: a path cannot be read at all.
        """
        from graphstore.corpusmap.update import load_documents
        from graphstore.loaders import read_documents

        def records() -> Iterable[Any]:
            yield from read_documents(*paths)

        builder = builder or self._local_builder()
        return load_documents(
            self._db, self._encoder, records, builder=builder, progress=self._progress, cache=self._settings.cache
        )

    def load_entities(
        self, *paths: Path | str, id: str | None = None, name: str | None = None, replace: bool = False
    ) -> LoadReport:
        """What loading registries did: a directory of people, a CRM, a CMDB, as delimited text or JSON records.

        Names in documents that mean one record are linked to it, and the entity has the record's id.

        :param id: Column of the ids, if it is named otherwise.
        :param name: Column of the names, if it is named otherwise.
        :param replace: Take out what the same registries (by file name) had before and do not have any more.
        :raises LoadError: a path cannot be read at all, or has no column of names.
        """
        from graphstore.loaders import read_entities

        return self.add_records(read_entities(*paths, id=id, name=name), replace=replace)

    def add_records(self, records: Iterable[SourceEntity | Rejected | Ignored], *, replace: bool = False) -> LoadReport:
        """What storing records of registries did that a program has, or a loader reads."""
        from graphstore.corpusmap.registries import load_records

        return load_records(self._db, records, replace=replace, progress=self._progress, cache=self._settings.cache)

    def forget_records(self, *records: str) -> list[str]:
        """The ids of the records of registries that were taken out; names that they had settled are decided again.

        :raises NotFound: one of them is not in the store; nothing was taken out.
        """
        from graphstore.corpusmap.registries import forget_records

        return forget_records(self._db, records, progress=self._progress, cache=self._settings.cache)

    def build(self, what: str | None = None) -> int:
        """The ``graph_version`` after deriving edges and links again from what is stored.

        :param what: ``"tools"``, ``"map"``, or both if not given. ``"words"``: vectors of the words of
            documents that have none, for searches with ``token_coverage``.
        """
        if what not in (None, "tools", "map", "words"):
            raise SettingsError(f"build knows tools, map and words, not {what!r}")
        if what == "words":
            self.build_words()
            return self._db.graph_version()
        if what != "map":
            from graphstore.toolgraph.update import derive

            self._db.write(WRITTEN_PAST)
            derive(self._db, self._encoder, progress=self._progress, half_life=self._settings.half_life)
            self._refit(always=True)
        if what != "tools":
            self.build_map()
        return self._db.graph_version()

    def repair(self) -> Repaired:
        """What of the faults that :meth:`check` finds was repaired from the evidence in the store, and what is left."""
        from graphstore.repair import repair

        dimensions = self._encoder.dimensions
        return repair(self._db, self.build, dimensions=dimensions, analyzer=self._settings.analyzer)

    def build_map(self, *, builder: Builder | None = None) -> Built:
        """What deriving the corpus map again from the stored documents did.

        Documents that another builder, or other settings of this one, had read are read again.

        :param builder: What reads them; the local one, with the store's catalog, if not given.
        """
        from graphstore.corpusmap.build import build_map

        self._db.write(WRITTEN_PAST)
        return build_map(
            self._db,
            self._encoder,
            builder=builder or self._local_builder(),
            progress=self._progress,
            cache=self._settings.cache,
        )

    def build_words(self) -> int:
        """How many documents were given vectors of their words: all that had none."""
        from graphstore.corpusmap.word_vectors import write_word_vectors

        return write_word_vectors(self._db, self._encoder, progress=self._progress)

    def _local_builder(self) -> Builder:
        from graphstore.corpusmap.local import local_builder

        return local_builder(self._db, self._settings)

    def forget(self, *documents: str) -> list[str]:
        """The ids of the documents that were taken out, with all that they alone support.

        :param documents: Paths or ids.
        :raises NotFound: one of them is not in the store; nothing was taken out.
        """
        from graphstore.corpusmap.forget import forget
        from graphstore.corpusmap.llm.shelves import SHARED_SHELVES, shelf_name
        from graphstore.llm.answers import Answers
        from graphstore.retrieval.corpus_cache import purge

        gone = forget(self._db, self._encoder, documents, progress=self._progress, cache=self._settings.cache)
        purge(self._settings.cache, self._db.store_id)
        Answers(self._settings.cache).clear([*map(shelf_name, gone), *SHARED_SHELVES])
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

        half_life, builder = self._settings.half_life, self._local_builder()
        encoded = reindex(self._db, self._encoder, builder=builder, progress=self._progress, half_life=half_life)
        self._refit(always=True)
        return encoded

    def _refit(self, *, always: bool = False) -> None:
        """Fit the learned mix of signals again, where the history has changed much, or ``always``."""
        from graphstore.retrieval.tool_fit import refit

        refit(self._db, self._encoder, self._progress, always=always)

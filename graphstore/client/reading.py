"""Reading documents with a language model."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from graphstore.client.loading import Loading

if TYPE_CHECKING:
    from graphstore.corpusmap.build import Built
    from graphstore.corpusmap.catalog import Catalog
    from graphstore.corpusmap.llm.asking import Asker
    from graphstore.corpusmap.llm.reading import ModelBuilder
    from graphstore.corpusmap.llm.run import ModelOptions, ModelReport
    from graphstore.models import LoadReport
    from graphstore.records import SourceDocument

T = TypeVar("T")


class Reading(Loading):
    """What a language model has a part in; nothing else sends anything anywhere."""

    def load_documents_with_model(
        self, *paths: Path | str, options: ModelOptions | None = None
    ) -> tuple[LoadReport, ModelReport]:
        """What loading documents did that the model of the settings reads, and what it was asked.

        Interrupted, killed or out of budget, the same call goes on where it stopped: what is stored is not read
        again, and no answer is paid twice.

        :param options: Budget, prices, and what may be sent.
        :raises SettingsError: the settings name no endpoint.
        :raises ModelError: it gives no answer at all, or the budget is spent; ``report`` holds what was asked so far.
        """
        from graphstore.corpusmap.documents import stored_documents
        from graphstore.loaders import read_documents
        from graphstore.records import SourceDocument

        def documents() -> Iterator[SourceDocument]:
            yield from (record for record in read_documents(*paths) if isinstance(record, SourceDocument))
            yield from stored_documents(self._db)

        return self._with_model(options, lambda builder: self.load_documents(*paths, builder=builder), documents)

    def build_map_with_model(self, *, options: ModelOptions | None = None) -> tuple[Built, ModelReport]:
        """What deriving the corpus map again with the model did, and what it was asked.

        Documents that another builder, another model or other prompts had read are read again.

        :param options: As for :meth:`load_documents_with_model`.
        :raises ModelError: as there.
        """
        from graphstore.corpusmap.documents import stored_documents

        return self._with_model(
            options, lambda builder: self.build_map(builder=builder), lambda: stored_documents(self._db)
        )

    def propose_catalog_with_model(self, *, options: ModelOptions | None = None) -> tuple[Catalog, ModelReport]:
        """A type catalog that the model made of the stored documents, kept and numbered but not in use.

        It is the one in use, and nothing is asked, where the store has no document that everybody may read.

        :raises ModelError: as for :meth:`load_documents_with_model`.
        """
        from graphstore.corpusmap.documents import stored_documents
        from graphstore.corpusmap.llm.run import ModelOptions

        wanted = replace(options or ModelOptions(), new_catalog=True, resolve=False)
        return self._with_model(
            wanted, lambda builder: builder.catalog, lambda: stored_documents(self._db), proposing=True
        )

    def _with_model(
        self,
        options: ModelOptions | None,
        work: Callable[[ModelBuilder], T],
        documents: Callable[[], Iterable[SourceDocument]],
        *,
        proposing: bool = False,
    ) -> tuple[T, ModelReport]:
        from graphstore.corpusmap.catalog_store import keep, use, used
        from graphstore.corpusmap.llm.cataloging import OTHERWISE
        from graphstore.corpusmap.llm.run import ModelOptions, run_with_model
        from graphstore.corpusmap.llm.stored import resolve_stored
        from graphstore.corpusmap.local import local_builder

        options = options or ModelOptions()

        def kept(catalog: Catalog) -> Catalog:
            numbered = keep(self._db, catalog, note="by a model")
            return numbered if proposing else use(self._db, numbered.version)

        def resolve(asker: Asker) -> dict[str, int]:
            return resolve_stored(self._db, asker, restricted=options.restricted, progress=self._progress)

        return run_with_model(
            self._settings,
            options,
            work,
            documents=documents,
            used=used(self._db),
            keep=kept,
            local=lambda catalog: local_builder(self._db, self._settings, catalog),
            resolve=resolve,
            progress=self._progress,
            otherwise="the same command asks again" if proposing else OTHERWISE,
        )

"""The builder that reads documents with a model, behind the interface that the local builder has."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Sequence

from graphstore.corpusmap.builder import Builder, LocalBuilder
from graphstore.corpusmap.catalog import Catalog
from graphstore.corpusmap.extraction import Extraction
from graphstore.corpusmap.llm.answers import FoundEntities, FoundEntity
from graphstore.corpusmap.llm.asking import Asker, Question
from graphstore.corpusmap.llm.located import located
from graphstore.corpusmap.llm.parts import halves, parts_of
from graphstore.corpusmap.llm.prompts import prompt, prompt_digest
from graphstore.corpusmap.llm.shelves import shelf_of
from graphstore.errors import NoAnswer
from graphstore.progress import Progress
from graphstore.records import Rejected, SourceDocument

PREFIX = "llm"
STAGE = "extract"
_MOST_SPLITS = 4


class ModelBuilder:
    """Reads documents with a language model; what it says is located in the text (:mod:`.located`).

    Documents that only some may read are read by the local builder, here, unless they are to be sent too.

    :param restricted: Whether they are.
    :param local: What reads those, and what is certain by form in the others.
    """

    def __init__(
        self,
        asker: Asker,
        catalog: Catalog,
        *,
        restricted: bool = False,
        local: Builder | None = None,
        progress: Progress | None = None,
    ) -> None:
        self._asker, self.catalog, self._restricted, self._progress = asker, catalog, restricted, progress
        self._local: Builder = local or LocalBuilder()
        self._instructions = prompt("extract").replace("{types}", type_list(catalog))
        asked = hashlib.sha256(self._instructions.encode()).hexdigest()[:8]
        self._stamp = f"{PREFIX}:{asker.meter.endpoint.model}:{prompt_digest('extract')}:{asked}"
        self.dropped: Counter[str] = Counter()
        self.kept_here = 0

    def stamp(self, document: SourceDocument) -> str:
        """Model, prompt and catalog; the local builder's for a document that is not sent."""
        return self._stamp if self._sends(document) else self._local.stamp(document)

    def keeps(self, by: str) -> bool:
        """Whether a build need not look at an extraction that was made so."""
        return by == self._stamp

    def extract(self, documents: Sequence[SourceDocument]) -> list[Extraction | Rejected]:
        """The extraction of each document, or why there is none.

        :raises ModelError: the endpoint gives no answer at all, or the budget is spent; answers so far are kept.
        """
        here = self._local.extract(documents)
        sent = [index for index, document in enumerate(documents) if self._sends(document)]
        self.kept_here += len(documents) - len(sent)
        found = list(here)

        def done(count: int) -> None:
            if self._progress:
                self._progress("documents read by the model", count, len(sent))

        async def read(index: int) -> Extraction | Rejected:
            certain = here[index]
            return await self._read(documents[index], certain) if isinstance(certain, Extraction) else certain

        for index, made in zip(sent, self._asker.each(read, sent, done), strict=True):
            found[index] = made
        return found

    def _sends(self, document: SourceDocument) -> bool:
        return self._restricted or not document.acl

    async def _read(self, document: SourceDocument, certain: Extraction) -> Extraction | Rejected:
        try:
            entities = [
                entity
                for part in parts_of(document.text) or ([""] if document.title.strip() else [])
                for entity in await self._entities(document, part, _MOST_SPLITS)
            ]
        except NoAnswer as error:
            return Rejected(document.path, None, f"not read: {error}")
        found = located(document, entities, catalog=self.catalog, certain=certain, by=self._stamp)
        self.dropped += found.dropped
        if answers := self._asker.meter.answers:
            answers.only(shelf_of(document))
        return found.extraction

    async def _entities(self, document: SourceDocument, part: str, splits: int) -> list[FoundEntity]:
        """What a part names; one whose answer is too long is read in halves."""
        text = f"Title: {document.title}\n\n{part}"
        question = Question(STAGE, shelf_of(document), self._instructions, text, FoundEntities)
        try:
            return (await self._asker.ask(question)).entities
        except NoAnswer as error:
            smaller = halves(part)
            if not error.cut_off or len(smaller) < 2 or not splits:
                raise
        return [entity for half in smaller for entity in await self._entities(document, half, splits - 1)]


def type_list(catalog: Catalog) -> str:
    """The types of a catalog as a model reads them."""
    return "\n".join(
        f"- {kind.name}: {kind.definition} The same if: {kind.identity}"
        + (f" Such as: {', '.join(kind.examples)}." if kind.examples else "")
        for kind in catalog.types
    )

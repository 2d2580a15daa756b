"""A type catalog by a model: proposed from several samples, synthesised, reviewed by another question, revised."""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from graphstore.corpusmap.catalog import Catalog, Refused, catalog_of
from graphstore.corpusmap.llm.answers import Objection, ProposedCatalog, ProposedType, Verdict
from graphstore.corpusmap.llm.asking import Asker, Question
from graphstore.corpusmap.llm.prompts import prompt
from graphstore.corpusmap.llm.shelves import CATALOG
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.corpusmap.types import BUILT_IN, EntityType
from graphstore.errors import CatalogError, ModelError, NoAnswer
from graphstore.records import SourceDocument
from graphstore.retrieval.prompt_tokens import estimated_tokens

T = TypeVar("T")

STAGE = "catalog"
SAMPLES, PER_SAMPLE = 3, 16
"""Candidate catalogs, and the documents that each is proposed from; as many again are kept for the review."""
_TOKENS_OF_A_DOCUMENT = 160
_EXAMPLES = 4
OTHERWISE = "--no-catalog goes on with the types there are"


@dataclass(frozen=True, slots=True)
class Samples:
    """Documents to make a catalog from.

    :param candidates: One sample a candidate catalog.
    :param review: For the review; none of the others' as far as there are enough.
    """

    candidates: tuple[tuple[SourceDocument, ...], ...]
    review: tuple[SourceDocument, ...]


def samples_of(
    documents: Iterable[SourceDocument], *, samples: int = SAMPLES, size: int = PER_SAMPLE
) -> Samples | None:
    """Samples of a collection, the same for any order of its documents; ``None`` if it has none to show.

    Documents that only some may read are left out: names out of them would be seen by everybody as a type's examples.

    :param documents: Of two with one id the first counts.
    """
    chosen = heapq.nsmallest((samples + 1) * size, _open_to_all(documents), key=_rank)
    if not chosen:
        return None
    share = max(1, len(chosen) // (samples + 1))
    review, rest = chosen[:share], chosen[share:] or chosen
    count = min(samples, len(rest))
    return Samples(tuple(tuple(rest[first::count]) for first in range(count)), tuple(review))


def _open_to_all(documents: Iterable[SourceDocument]) -> Iterator[SourceDocument]:
    seen: set[str] = set()
    for document in documents:
        if document.id not in seen and not document.acl and document.text.strip():
            yield document
        seen.add(document.id)


def make_catalog(asker: Asker, samples: Samples, *, otherwise: str = OTHERWISE) -> Catalog:
    """A frozen catalog: the built-in types and what the model found to be missing.

    :param otherwise: What to do where none can be made, for the message.
    :raises ModelError: there is no answer from which one could be made.
    """

    async def proposed(sample: Sequence[SourceDocument]) -> ProposedCatalog | NoAnswer:
        try:
            return await _asked(asker, "catalog_propose", _shown(sample), ProposedCatalog)
        except NoAnswer as error:
            return error

    candidates = asker.each(proposed, samples.candidates)
    usable = [candidate for candidate in candidates if isinstance(candidate, ProposedCatalog)]
    if not usable:
        raise ModelError(f"no type catalog could be made: {candidates[0]}; {otherwise}")

    async def settled(candidates: list[ProposedCatalog]) -> tuple[ProposedCatalog, list[Objection]]:
        catalog = await _synthesised(asker, candidates)
        text = f"{_as_text(catalog)}\n\nDocuments:\n\n{_shown(samples.review)}"
        verdict = await _asked(asker, "catalog_verify", text, Verdict)
        if not verdict.objections:
            return catalog, []
        objected = "\n".join(f"- {o.type}: {o.problem} ({o.remedy})" for o in verdict.objections)
        text = f"{_as_text(catalog)}\n\nObjections:\n\n{objected}"
        return await _asked(asker, "catalog_revise", text, ProposedCatalog), verdict.objections

    try:
        ((final, objections),) = asker.each(settled, [usable])
    except NoAnswer as error:
        raise ModelError(f"no type catalog could be made: {error}; {otherwise}") from error
    seen = [document for sample in (*samples.candidates, samples.review) for document in sample]
    return frozen(final, objections, [f"{document.title}\n{document.text}" for document in seen])


async def _synthesised(asker: Asker, candidates: Sequence[ProposedCatalog]) -> ProposedCatalog:
    if len(candidates) == 1:
        return candidates[0]
    text = "\n\n".join(f"Candidate {number}\n{_as_text(c)}" for number, c in enumerate(candidates, 1))
    return await _asked(asker, "catalog_synthesise", text, ProposedCatalog)


def frozen(proposed: ProposedCatalog, objections: Sequence[Objection], texts: Sequence[str]) -> Catalog:
    """The catalog that a proposal comes to; what cannot be taken is kept as refused, with the reason.

    :param objections: Of the review; those about types that are gone are their reasons.
    :param texts: Of the samples; an example that stands in none of them is dropped.
    """
    types: dict[str, EntityType] = {}
    refused: list[Refused] = []
    for given in proposed.types:
        kind = _entity_type(given, texts)
        try:
            catalog_of([kind], source="llm")
        except CatalogError as error:
            refused.append(Refused(given.name[:60], str(error)))
            continue
        if kind.name not in BUILT_IN and kind.name not in types:
            types[kind.name] = kind
    for objection in objections:
        name = " ".join(objection.type.casefold().split())
        if objection.remedy in ("drop", "merge") and name not in types and name not in BUILT_IN:
            refused.append(Refused(objection.type[:60], " ".join(objection.problem.split())))
    return catalog_of(types.values(), source="llm", refused=refused)


def _entity_type(given: ProposedType, texts: Sequence[str]) -> EntityType:
    examples = [" ".join(example.split()) for example in given.examples]
    there = [example for example in dict.fromkeys(examples) if example and any(example in text for text in texts)]
    definition, identity = (" ".join(text.split()) for text in (given.definition, given.identity))
    name = " ".join(given.name.casefold().split())
    return EntityType(name, definition, identity, tuple(there[:_EXAMPLES]), "" if given.like == "topic" else given.like)


async def _asked(asker: Asker, name: str, text: str, answer: type[T]) -> T:
    return await asker.ask(Question(STAGE, CATALOG, prompt(name), text, answer))


def _as_text(catalog: ProposedCatalog) -> str:
    return "\n".join(
        f"- {kind.name} (like {kind.like}): {kind.definition} The same if: {kind.identity} "
        f"Examples: {', '.join(kind.examples) or 'none'}."
        for kind in catalog.types
    )


def _shown(documents: Sequence[SourceDocument]) -> str:
    """Title and beginning of each document."""
    return "\n\n".join(f"Document: {document.title}\n{_beginning(document.text)}" for document in documents)


def _beginning(text: str) -> str:
    left, end = _TOKENS_OF_A_DOCUMENT, 0
    for start, stop in sentence_spans(text):
        left -= estimated_tokens(text[start:stop])
        if left < 0 and end:
            break
        end = stop
    return text[:end]


def _rank(document: SourceDocument) -> bytes:
    return hashlib.sha256(document.id.encode()).digest()

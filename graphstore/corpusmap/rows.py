"""Documents, decisions and vectors as rows of the statements in ``cypher/load``."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from graphstore.corpusmap.catalog import Catalog
from graphstore.corpusmap.decisions import Changes, Entity, Link, Unresolved
from graphstore.corpusmap.extraction import Extraction, extraction_hash
from graphstore.corpusmap.readable import heading, readable_spans
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.corpusmap.statements import Text, statements
from graphstore.corpusmap.types import BUILT_IN
from graphstore.encoders.usable import usable
from graphstore.records import SourceDocument

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

Row = dict[str, Any]
Step = tuple[str, Mapping[str, Any]]


def content_hash(document: SourceDocument) -> str:
    """Hash of all that a document says and who may read it; where it lies is left out, so that a move keeps it."""
    parts = [
        document.title,
        document.text,
        list(document.acl),
        document.created,
        document.modified,
        dict(document.metadata),
    ]
    return hashlib.sha256(json.dumps(parts, ensure_ascii=False, sort_keys=True).encode()).hexdigest()


def document_row(document: SourceDocument, digest: str, extraction: Extraction, loaded: str) -> Row:
    """The row of ``load/corpus_documents``."""
    return {
        "id": document.id,
        "path": document.path,
        "title": document.title,
        "text": document.text,
        "hash": digest,
        "acl": list(document.acl),
        "created": document.created,
        "modified": document.modified,
        "metadata": json.dumps(dict(document.metadata), ensure_ascii=False, sort_keys=True),
        "extracted": extraction.to_json(),
        "extraction": extraction_hash(extraction),
        "loaded": loaded,
    }


def chunk_rows(documents: Sequence[SourceDocument], encoder: Encoder) -> list[Row]:
    """Rows of ``load/corpus_chunks``: pieces of each document, their vectors and those of their sentences.

    Titles and sentences are cut to what the model can read.
    A document without text has one chunk of its title; without either it has none.

    :raises LoadError: the encoder gave a vector that the index would never find.
    """
    rows: list[Row] = []
    texts: list[str] = []
    spans: list[list[tuple[int, int]]] = []
    for document in documents:
        prefix = heading(document.title)
        sentences = readable_spans(document.text, sentence_spans(document.text))
        ranges = encoder.chunks(document.text, sentences, prefix) if sentences else [(0, 0)] if prefix else []
        for index, (first, last) in enumerate(ranges):
            inside = sentences[first:last]
            start, end = (inside[0][0], inside[-1][1]) if inside else (0, 0)
            rows.append(_chunk_row(document.id, index, start, end, inside))
            texts.append(prefix + document.text[start:end])
            spans.append([(a - start + len(prefix), b - start + len(prefix)) for a, b in inside])
    if rows:
        vectors, of_sentences = encoder.encode_spans(texts, spans)
        for row, vector, sentence_vectors in zip(rows, usable(encoder, texts, vectors), of_sentences, strict=True):
            row["embedding"] = vector.tolist()
            row["sentences"] = np.ascontiguousarray(sentence_vectors, dtype=np.float16).tobytes()
    return rows


def _chunk_row(document: str, index: int, start: int, end: int, sentences: Sequence[tuple[int, int]]) -> Row:
    return {
        "document": document,
        "id": f"{document}#{index}",
        "index": index,
        "start": start,
        "end": end,
        "sentence_starts": [a for a, _ in sentences],
        "sentence_ends": [b for _, b in sentences],
    }


def decision_steps(resolver: Resolver, changes: Changes, texts: Mapping[str, Text], at: str) -> list[Step]:
    """The statements that bring the stored decisions from before the changes to after.

    :param texts: Text of every document that has a new or changed decision and still exists.
    """
    removed: list[Row] = []
    links: list[Row] = []
    opened: list[Row] = []
    reopened: list[str] = []
    for document in sorted(changes.documents):
        new = resolver.decisions.get(document)
        if new is None:
            continue
        old = set(changes.documents[document])
        sentences = sentence_spans(texts[document].text)
        said = _said(resolver, document)
        kept = {decision.entity for decision in new if isinstance(decision, Link)}
        gone = sorted(d.entity for d in old if isinstance(d, Link) and d.entity not in kept)
        if gone:
            removed.append({"document": document, "entities": gone})
        open_now = [d for d in new if isinstance(d, Unresolved)]
        if set(open_now) != {d for d in old if isinstance(d, Unresolved)}:
            reopened.append(document)
            opened.extend(_open_row(document, d, texts[document], sentences) for d in open_now)
        links.extend(
            _link_row(document, d, texts[document], sentences, at, said)
            for d in new
            if isinstance(d, Link) and d not in old
        )
    entities = [_entity_row(entity) for _, entity in sorted(changes.entities.items())]
    steps: list[tuple[str, str, Sequence[Any]]] = [
        ("load/record_types", "rows", _named_types(changes.entities.values())),
        ("load/corpus_entities", "rows", entities),
        ("load/corpus_links_remove", "rows", removed),
        ("load/corpus_links", "rows", links),
        ("load/corpus_unresolved_remove", "documents", reopened),
        ("load/corpus_unresolved", "rows", opened),
        ("load/corpus_entities_remove", "ids", sorted(changes.removed)),
        ("load/decisions_dormant", "rows", [{"number": n, "dormant": now} for n, now in changes.dormant.items()]),
    ]
    made: list[Step] = [(name, {parameter: values}) for name, parameter, values in steps if values]
    return [*made, ("maintain/forget_types", {})] if made else []


def _named_types(entities: Iterable[Entity]) -> list[Row]:
    """Types that are not built in: of a registry, or of a catalog with which a document was read."""
    by_record = {entity.kind: entity.record is not None for entity in entities if entity.kind not in BUILT_IN}
    said = {
        True: ("So named by a registry.", "One record of the registry."),
        False: ("So named by a catalog.", "As the catalog says."),
    }
    return [
        {"name": name, "definition": said[recorded][0], "identity": said[recorded][1], "examples": []}
        for name, recorded in sorted(by_record.items())
    ]


def type_steps(catalog: Catalog) -> list[Step]:
    """The statements that store a catalog's types, and take away those that are in no use."""
    rows = [
        {"name": t.name, "definition": t.definition, "identity": t.identity, "examples": list(t.examples)}
        for t in catalog.types
    ]
    names = [row["name"] for row in rows]
    return [("load/corpus_types", {"rows": rows}), ("load/corpus_types_unused", {"names": names})]


def _entity_row(entity: Entity) -> Row:
    return {
        "id": entity.id,
        "name": entity.name,
        "key": entity.key,
        "type": entity.kind,
        "aliases": list(entity.aliases),
        "documents": entity.documents,
        "record": entity.record,
    }


def _said(resolver: Resolver, document: str) -> dict[str, list[int]]:
    """Where the document says something of a name, by a model that read it; the local builder says nothing here."""
    found: dict[str, list[int]] = {}
    for group in resolver.registry.entries[document].extraction.groups:
        for name in group.names:
            found.setdefault(name, []).extend(group.said)
    return found


def _link_row(
    document: str,
    link: Link,
    text: Text,
    sentences: list[tuple[int, int]],
    at: str,
    said: Mapping[str, list[int]],
) -> Row:
    count = max(1, len(link.spans))
    told = sorted({(place, place) for name in link.names for place in said.get(name, ())})
    return {
        "document": document,
        "entity": link.entity,
        "names": list(link.names),
        "count": count,
        "weight": round(1.0 + math.log(count), 4),
        "own": link.own,
        **statements([*link.spans, *told], text, sentences),
        "confidence": link.confidence,
        "decision": link.decision,
        "reason": link.reason,
        "runner_up": link.runner_up,
        "decided_by": link.by,
        "at": at,
    }


def _open_row(document: str, opened: Unresolved, text: Text, sentences: list[tuple[int, int]]) -> Row:
    return {
        "document": document,
        "type": opened.kind,
        "name": opened.name,
        "statements": statements(opened.spans, text, sentences)["statements"],
        "reason": opened.reason,
    }

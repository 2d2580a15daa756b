"""A question set's documents as the product's own snapshot: loaded through the library, kept where it can be reused.

Loading takes minutes, asking takes seconds. A built snapshot is therefore kept in the cache folder, under a hash of the
documents, of the encoder and of all code that a load runs through: it is used again only where loading again would give
the same.
"""

from __future__ import annotations

import json
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

import graphstore
import graphstore.cypher
import graphstore.loaders
from graphstore import schema
from graphstore.client import GraphStore
from graphstore.db import Database
from graphstore.encoders import load_encoder
from graphstore.errors import LoadError
from graphstore.evaluation.document_sets import DocumentSet
from graphstore.progress import Progress
from graphstore.records import SourceDocument
from graphstore.retrieval.corpus_cache import load_snapshot, open_snapshot, save_snapshot
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot
from graphstore.server import scratch_server
from graphstore.settings import Settings

_FOLDER = "eval-documents"
# What a snapshot depends on, by part: what reads, extracts, resolves, encodes, stores and gathers.
_GATHERED = ("corpus_snapshot", "corpus_growth", "corpus_cache", "splices", "title_spans", "new_titles", "bm25")
_CODE = (
    (graphstore, ("corpusmap/**/*.py", "corpusmap/**/*.toml", "encoders/**/*.py", "names.py", "tokens.py")),
    (graphstore, tuple(f"retrieval/{name}.py" for name in _GATHERED)),
    (graphstore.cypher, ("load/corpus_*.cypher", "retrieve/corpus_*.cypher")),
    (graphstore.loaders, ("document*.py",)),
)


@dataclass(frozen=True, slots=True)
class Built:
    """A built corpus.

    :param load_s: Seconds that loading took, when it was built.
    :param folder: Where what belongs to this very snapshot may be kept; ``None`` if nothing is kept.
    """

    snapshot: CorpusSnapshot
    load_s: float
    folder: Path | None


def built(data: DocumentSet, settings: Settings, *, encoder: str, keep: bool, progress: Progress) -> Built:
    """The snapshot of a set's documents, from the cache folder if the very same was built before.

    :param encoder: Name of the encoder.
    :param keep: Whether a new one stays in the cache folder.
    :raises LoadError: the product left a document out.
    """
    home = settings.cache / _FOLDER
    key = identity(data.documents, encoder)
    folder = home / key
    if (found := _kept(home, key)) is not None:
        return found
    snapshot, seconds = _load(data.documents, settings, progress)
    if not keep:
        return Built(snapshot, seconds, None)
    save_snapshot(home, key, snapshot)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "built.json").write_text(json.dumps({"load_s": seconds, "version": snapshot.version}), "utf-8")
    return Built(snapshot, seconds, folder)


def identity(documents: Iterable[SourceDocument], encoder: str) -> str:
    """A hash of all that a snapshot depends on."""
    digest = sha256(encoder.encode())
    for package, patterns in _CODE:
        root = Path(str(package.__file__)).parent
        for file in sorted({file for pattern in patterns for file in root.glob(pattern)}):
            digest.update(file.relative_to(root).as_posix().encode() + b"\0" + file.read_bytes())
    for document in documents:
        digest.update(json.dumps(asdict(document), sort_keys=True).encode())
    return digest.hexdigest()[:32]


def _kept(home: Path, key: str) -> Built | None:
    try:
        value = json.loads((home / key / "built.json").read_text("utf-8"))
        snapshot = open_snapshot(home, key, value["version"])
    except (OSError, ValueError, KeyError):
        return None
    return None if snapshot is None else Built(snapshot, value["load_s"], home / key)


def _load(documents: Sequence[SourceDocument], settings: Settings, progress: Progress) -> tuple[CorpusSnapshot, float]:
    """The snapshot of documents that a store was just made of, and the seconds that loading them took."""
    encoder = load_encoder(settings.encoder)
    with tempfile.TemporaryDirectory() as folder, scratch_server(settings, progress=progress) as server:
        file = Path(folder) / "documents.jsonl"
        with file.open("w", encoding="utf-8") as lines:
            lines.writelines(f"{json.dumps(_record(document), ensure_ascii=False)}\n" for document in documents)
        with Database.open(server.uri, (server.username, server.password)) as db:
            schema.apply(db, encoder=encoder.name, dimensions=encoder.dimensions, analyzer=settings.analyzer)
            store = GraphStore(db, encoder, settings, progress)
            begin = time.perf_counter()
            report = store.load_documents(file)
            seconds = time.perf_counter() - begin
            if report.rejected:
                raise LoadError(f"{len(report.rejected)} documents were left out, such as {report.rejected[0]}")
            store.build_words()  # no part of loading, but of one of the methods
            snapshot = load_snapshot(db, encoder.dimensions, progress=progress)
    return snapshot, round(seconds, 1)


def _record(document: SourceDocument) -> dict[str, str]:
    return {"id": document.id, "path": document.path, "title": document.title, "text": document.text}

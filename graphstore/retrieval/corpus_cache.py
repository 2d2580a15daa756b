"""Snapshots on disk: one folder a store, one folder in it a version; arrays are memory-mapped when read back.

A version is written beside its place and moved there whole, so that a reader never meets half of one. When a version
is written, the store's other versions go, and so does this one if another process had something forgotten meanwhile:
nothing that was forgotten stays in a cache.
"""

from __future__ import annotations

import json
import os
import shutil
import tempfile
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy import sparse

from graphstore.progress import Progress
from graphstore.retrieval.bm25 import BM25, Postings
from graphstore.retrieval.corpus_reading import read_snapshot
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot, Forms, Texts, Things, Vectors
from graphstore.retrieval.restart import csr
from graphstore.retrieval.title_spans import TitleSpans

if TYPE_CHECKING:
    from graphstore.db import Database

FORMAT = 6  # raised when the files or their meaning change
_FOLDER = "corpus"


def load_snapshot(
    db: Database,
    dimensions: int,
    *,
    cache: Path | None = None,
    progress: Progress | None = None,
) -> CorpusSnapshot:
    """The store's current version, from the cache folder where it is there, else read and kept there.

    Where the cache folder holds an earlier version, only what was written since is read.

    :param dimensions: Of the store's vectors.
    :param cache: ``None`` keeps nothing on disk.
    :raises ConnectError: the store is unreachable, or written faster than it can be read.
    """
    store = db.store_id
    version = db.graph_version()
    if cache is not None and (found := open_snapshot(cache, store, version)) is not None:
        return found
    if progress:
        progress("reading the corpus map", 0, None)
    before = None if cache is None else _earlier(cache, store, version, dimensions)
    snapshot = read_snapshot(db, dimensions, before)
    if cache is not None:
        keep_snapshot(db, cache, store, snapshot)
    return snapshot


def keep_snapshot(db: Database, cache: Path, store: str, snapshot: CorpusSnapshot) -> None:
    """Nothing; the snapshot is in the cache folder, unless the store has no longer all that is in it.

    Who forgets a document writes first and then empties the cache folder: either that comes after this, or the store is
    seen here to have moved on.

    :raises ConnectError: the store is unreachable; the cache folder holds nothing of it then.
    """
    save_snapshot(cache, store, snapshot)
    whole = False
    try:
        whole = db.graph_version() == snapshot.version or _holds_all(db, snapshot)
    finally:
        if not whole:
            purge(cache, store)


def _holds_all(db: Database, snapshot: CorpusSnapshot) -> bool:
    """Whether the store still has all documents of a snapshot."""
    return set(db.read("retrieve/corpus_ids")[0]["documents"]).issuperset(snapshot.documents.ids)


def purge(cache: Path, store: str) -> None:
    """Nothing; no snapshot of the store is left in the cache folder."""
    shutil.rmtree(cache / _FOLDER / store, ignore_errors=True)


def save_snapshot(cache: Path, store: str, snapshot: CorpusSnapshot) -> None:
    """Nothing; the snapshot is in the cache folder, and the only one of its store.

    A cache is never needed: where it cannot be written (a full disk, no permission) it is left out.
    """
    home = cache / _FOLDER / store
    try:
        home.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkdtemp(prefix=".part-", dir=home))  # mkdtemp: for this user's eyes only
        try:
            _write(part, snapshot)
            target = home / _name(snapshot.version)
            shutil.rmtree(target, ignore_errors=True)
            os.rename(part, target)
        except OSError:
            shutil.rmtree(part, ignore_errors=True)
            return
        drop_others(cache, store, snapshot.version)
    except OSError:
        return


def drop_others(cache: Path, store: str, version: int) -> None:
    """Nothing; no other version of the store is left in the cache folder."""
    home = cache / _FOLDER / store
    for other in list(home.iterdir()) if home.is_dir() else ():
        if other.name != _name(version):
            shutil.rmtree(other, ignore_errors=True)


def open_snapshot(cache: Path, store: str, version: int) -> CorpusSnapshot | None:
    """The snapshot of a version, its large arrays memory-mapped; ``None`` if the cache folder does not hold it."""
    folder = cache / _FOLDER / store / _name(version)
    try:
        known: dict[str, Any] = json.loads((folder / "known.json").read_text("utf-8"))
        # plain arrays over the mapped files: slicing a memmap costs several times what slicing an array does
        arrays = {file.stem: np.asarray(np.load(file, mmap_mode="r")) for file in folder.glob("*.npy")}
        return _assembled(version, known, arrays)
    except (OSError, ValueError, KeyError):  # absent, or damaged: the store has it all
        return None


def _earlier(cache: Path, store: str, version: int, dimensions: int) -> CorpusSnapshot | None:
    """The newest version before one that the cache folder holds."""
    prefix = _name(0)[:-1]
    names = [each.name.removeprefix(prefix) for each in (cache / _FOLDER / store).glob(f"{prefix}*")]
    for number in sorted((int(name) for name in names if name.isdecimal() and int(name) < version), reverse=True):
        found = open_snapshot(cache, store, number)
        if found is not None and found.chunks.rows.shape[1] == dimensions:
            return found
    return None


def _name(version: int) -> str:
    return f"v{FORMAT}-{version}"


def _write(folder: Path, s: CorpusSnapshot) -> None:
    known = {
        "documents": [getattr(s.documents, field.name) for field in fields(s.documents)],
        "entities": [s.entities.ids, s.entities.names, s.entities.types, s.entities.records],
        "forms": [s.forms.texts, s.forms.keys],
        "vocabulary": list(s.words.postings.vocabulary),
    }
    (folder / "known.json").write_text(json.dumps(known, ensure_ascii=False), "utf-8")
    postings = s.words.postings
    arrays = {
        "link_data": s.links.data,
        "link_indices": s.links.indices,
        "link_indptr": s.links.indptr,
        "own": s.own,
        "form_ids": s.forms.ids,
        "form_starts": s.forms.starts,
        "chunks": s.chunks.rows,
        "chunk_starts": s.chunks.starts,
        "sentences": s.sentences.rows,
        "sentence_starts": s.sentences.starts,
        "sketches": s.sketches.rows,
        "sketch_starts": s.sketches.starts,
        "posting_starts": postings.starts,
        "posting_documents": postings.documents,
        "posting_counts": postings.counts,
        "lengths": postings.lengths,
        **{f"title_{field.name}": getattr(s.titles, field.name) for field in fields(s.titles)},
    }
    for name, array in arrays.items():
        np.save(folder / f"{name}.npy", array)


def _assembled(version: int, known: dict[str, Any], a: dict[str, Any]) -> CorpusSnapshot:
    documents, entities = Texts(*known["documents"]), Things(*known["entities"])
    form_texts, form_keys = known["forms"]
    parts = (a["link_data"], a["link_indices"], a["link_indptr"])
    vocabulary = {token: i for i, token in enumerate(known["vocabulary"])}
    postings = Postings(
        vocabulary, a["posting_starts"], a["posting_documents"], a["posting_counts"], np.asarray(a["lengths"])
    )
    return CorpusSnapshot(
        version,
        documents,
        entities,
        csr(sparse.csr_array(parts, shape=(len(documents), len(entities)))),
        np.asarray(a["own"]),
        Forms(form_texts, form_keys, a["form_ids"], a["form_starts"]),
        Vectors(a["chunks"], np.asarray(a["chunk_starts"])),
        Vectors(a["sentences"], np.asarray(a["sentence_starts"])),
        Vectors(a["sketches"], np.asarray(a["sketch_starts"])),
        BM25(postings),
        TitleSpans(*(a[f"title_{field.name}"] for field in fields(TitleSpans))),
    )

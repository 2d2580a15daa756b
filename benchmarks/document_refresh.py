"""What a serving process spends after an update: reading the change against reading all again, side by side.

    python benchmarks/document_refresh.py [SET] [--made N] [--new N] [--out FILE]

A question set is loaded but for some documents; then these join, and after that they go again. After each update the
search is refreshed and, in the same process and from the same store, read anew: seconds of both until the first
question is answered, medians of several updates, their ratio, and whether the two snapshots are the same, bit for bit.
``--made N`` takes N made-up documents instead of a set: some forty words each, that name one another.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from scipy import sparse

from graphstore import GraphStore, Settings
from graphstore.db import Database
from graphstore.encoders import load_encoder
from graphstore.evaluation.document_sets import read_document_set
from graphstore.records import SourceDocument
from graphstore.retrieval.bm25 import BM25
from graphstore.retrieval.documents import DocumentSearch
from graphstore.server import scratch_server

DATASET = "hotpotqa-100+musique-100+2wikimultihopqa-101"
UPDATES = 5
SHARE = 0.2  # of the time of reading all, at most


def made(number: int) -> list[SourceDocument]:
    """Documents about made-up people and places, each of which names three others. Seeded."""
    chance = np.random.default_rng(0)
    syllables = ("bar", "den", "kel", "lo", "mar", "ni", "or", "quin", "sa", "tor", "ul", "ves")

    def name() -> str:
        return "".join(chance.choice(syllables, 3)).capitalize()

    titles = [f"{name()} {name()}" for _ in range(number)]
    words = [f"{first}{second}" for first in syllables for second in syllables]
    documents = []
    for i, title in enumerate(titles):
        others = [titles[j] for j in chance.integers(number, size=3)]
        told = " ".join(f"It was {' '.join(chance.choice(words, 6))} that met {other} there." for other in others)
        documents.append(
            SourceDocument(f"{i:06d}", f"{i:06d}.md", title, f"{title} is a {chance.choice(words)}. {told}")
        )
    return documents


def refreshes(name: str, documents: Sequence[SourceDocument], each: int, settings: Settings) -> dict[str, Any]:
    """The figures, ``targets`` among them.

    :param each: Documents of one update.
    """
    step = len(documents) // (UPDATES * each)
    late = [documents[i * step] for i in range(UPDATES * each)]
    ids = {document.id for document in late}
    encoder = load_encoder(settings.encoder)
    question = f"who met {documents[1].title}?"
    with tempfile.TemporaryDirectory() as scratch, scratch_server(settings) as server:
        folder = Path(scratch)
        own = replace(
            settings, uri=server.uri, username=server.username, password=server.password, database=None, cache=folder
        )
        with (
            GraphStore.connect(own) as store,
            Database.open(server.uri, (server.username, server.password)) as db,
        ):
            _load(store, folder, [document for document in documents if document.id not in ids])
            search = DocumentSearch.read(db, encoder)
            search.search(question)
            rows: list[dict[str, Any]] = []
            for number in range(0, len(late), each):
                _load(store, folder, late[number : number + each])
                search = _measure(search, db, question, "joined", rows)
            for number in range(0, len(late), each):
                store.forget(*(document.id for document in late[number : number + each]))
                search = _measure(search, db, question, "gone", rows)
    figures: dict[str, Any] = {"dataset": name, "documents": len(documents), "each": each, "updates": rows}
    for kind in ("joined", "gone"):
        of_kind = [row for row in rows if row["change"] == kind]
        figures[kind] = {
            **{key: round(statistics.median(row[key] for row in of_kind), 3) for key in ("refresh_s", "read_s")},
            "ratio": round(statistics.median(row["refresh_s"] / row["read_s"] for row in of_kind), 3),
        }
    return {"targets": targets(figures), **figures}


def targets(figures: dict[str, Any]) -> list[dict[str, Any]]:
    """What is asked of a refresh, each with what was reached."""
    shares = [
        {
            "name": f"refresh of {figures['each']} documents {kind}, share of reading all",
            "figure": figures[kind]["ratio"],
            "at_most": SHARE,
            "met": figures[kind]["ratio"] <= SHARE,
        }
        for kind in ("joined", "gone")
    ]
    same = sum(row["same"] for row in figures["updates"])
    most = len(figures["updates"])
    return [*shares, {"name": "same as read anew", "figure": same, "at_least": most, "met": same == most}]


def _measure(
    search: DocumentSearch, db: Database, question: str, change: str, rows: list[dict[str, Any]]
) -> DocumentSearch:
    """The refreshed search; what it took, and what reading all takes, is noted."""
    begin = time.perf_counter()
    refreshed = search.refresh(db)
    refreshed.search(question)
    between = time.perf_counter()
    anew = DocumentSearch.read(db, search.encoder)
    anew.search(question)
    end = time.perf_counter()
    row = {"change": change, "refresh_s": round(between - begin, 3), "read_s": round(end - between, 3)}
    rows.append({**row, "same": same(refreshed.snapshot, anew.snapshot)})
    print(rows[-1], flush=True)
    return refreshed


def same(a: Any, b: Any) -> bool:
    """Whether two snapshots are equal in every value."""
    if isinstance(a, BM25):
        return same(a.postings, b.postings)
    if is_dataclass(a):
        return all(same(getattr(a, field.name), getattr(b, field.name)) for field in fields(a))
    if isinstance(a, sparse.csr_array):
        return a.shape == b.shape and all(same(getattr(a, n), getattr(b, n)) for n in ("data", "indices", "indptr"))
    if isinstance(a, np.ndarray):
        return a.dtype == b.dtype and bool(np.array_equal(a, b))
    return bool(a == b)


def _load(store: GraphStore, folder: Path, documents: Sequence[SourceDocument]) -> None:
    file = folder / "documents.jsonl"
    with file.open("w", encoding="utf-8") as lines:
        for each in documents:
            record = {"id": each.id, "path": each.path, "title": each.title, "text": each.text}
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")
    store.load_documents(file)


def main() -> None:
    """Print the figures; write them with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "set", nargs="?", default=DATASET, metavar="SET", help=f"a question set; {DATASET} if not given"
    )
    parser.add_argument("--made", type=int, metavar="N", help="take so many made-up documents")
    parser.add_argument("--new", type=int, default=10, metavar="N", help="documents of an update")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    options = parser.parse_args()
    name = f"{options.made} made-up documents" if options.made else options.set
    documents = made(options.made) if options.made else read_document_set(name).documents
    figures = refreshes(name, documents, options.new, Settings.load())
    for target in figures["targets"]:
        print("met   " if target["met"] else "missed", {key: each for key, each in target.items() if key != "met"})
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(figures, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()

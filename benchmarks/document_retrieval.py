"""Document search on question sets: the product beside BM25 and hybrid search over the same store.

    python benchmarks/document_retrieval.py [SET …] [--out FILE]

Each set is loaded into a scratch store by ``GraphStore.load_documents`` and asked through ``GraphStore.search``. R@k:
mean share of a question's gold documents in the first k; Full@k: share of questions with all of them there. Hybrid is
the search's own base score (BM25 + ½ cosine of the best chunk + ½ cosine of the best sentence).

Constants were set once, by trials on other question sets. Where those left a choice (a start's prior is its own score;
a named title and the best path count 1), hotpotqa-100 and musique-100 decided; 2wikimultihopqa-101 was kept for the
test.
"""

from __future__ import annotations

import argparse
import gzip
import json
import resource
import statistics
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from datasets import data_folder

from graphstore import GraphStore, Settings
from graphstore.db import Database
from graphstore.encoders import load_encoder
from graphstore.retrieval.corpus_cache import load_snapshot
from graphstore.retrieval.corpus_view import view_for
from graphstore.retrieval.document_base import Question, gather
from graphstore.retrieval.restart import top
from graphstore.server import scratch_server
from graphstore.tokens import tokenise

DEPTH = 10
FULL_10 = {"hotpotqa-100": 0.90}


@dataclass(frozen=True)
class Set:
    """A question set.

    :param documents: ``(title, text)``; a document's id is its place.
    :param questions: ``(question, places of its gold documents)``
    """

    documents: list[tuple[str, str]]
    questions: list[tuple[str, list[int]]]


def _json(path: Path) -> Any:
    raw = path.read_bytes()
    return json.loads(gzip.decompress(raw) if path.suffix == ".gz" else raw)


def hotpotqa(folder: Path) -> Set:
    """Gold: the titles of the supporting facts."""
    documents = [(title, "".join(lines)) for title, lines in _json(folder / "hotpotqa_train_corpus.json.gz").items()]
    at = {title: i for i, (title, _) in enumerate(documents)}
    asked = _json(folder / "hotpotqa_train.json.gz")
    return Set(documents, [(q["question"], sorted({at[t] for t, _ in q["supporting_facts"]})) for q in asked])


def musique(folder: Path) -> Set:
    """Gold: the supporting paragraphs; titles repeat, title and text together do not."""
    documents = [(d["title"], d["text"]) for d in _json(folder / "musique_train_corpus.json.gz")]
    at = {document: i for i, document in enumerate(documents)}
    questions = []
    for q in _json(folder / "musique_train.json.gz"):
        gold = {at[p["title"], p["paragraph_text"]] for p in q["paragraphs"] if p["is_supporting"]}
        questions.append((q["question"], sorted(gold)))
    return Set(documents, questions)


def wiki(folder: Path) -> Set:
    """Gold: the titles named as ground truth."""
    documents = [(d["title"], d["text"]) for d in _json(folder / "2wikimultihopqa_corpus.json.gz")]
    at = {title: i for i, (title, _) in enumerate(documents)}
    asked = _json(next((folder / "results" / "vdb").glob("*.json")))
    return Set(documents, [(q["question"], sorted(at[t] for t in q["ground_truth"])) for q in asked])


SETS: dict[str, Callable[[Path], Set]] = {
    "hotpotqa-100": hotpotqa,
    "musique-100": musique,
    "2wikimultihopqa-101": wiki,
}


def metrics(ranked: Sequence[Sequence[int]], gold: Sequence[Sequence[int]]) -> dict[str, float]:
    """R@2, 5, 8, 10 and Full@8, 10."""
    pairs = list(zip(ranked, gold, strict=True))
    recall = {f"R@{k}": np.mean([len(set(r[:k]) & set(g)) / len(g) for r, g in pairs]) for k in (2, 5, 8, 10)}
    full = {f"Full@{k}": np.mean([set(g) <= set(r[:k]) for r, g in pairs]) for k in (8, 10)}
    return {name: round(float(value), 4) for name, value in (recall | full).items()}


def write_documents(documents: Iterable[tuple[str, str]], folder: Path) -> Path:
    """The documents as JSON lines; a document's id and path are its place."""
    path = folder / "documents.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for i, (title, text) in enumerate(documents):
            record = {"id": str(i), "path": f"{i}.md", "title": title, "text": text}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return path


def run(name: str, data: Set) -> dict[str, Any]:
    """Figures of one set, from a store made for it."""
    gold = [g for _, g in data.questions]
    with tempfile.TemporaryDirectory() as folder, scratch_server() as server:
        settings = Settings.load(uri=server.uri, username=server.username, password=server.password, cache=folder)
        with GraphStore.connect(settings) as store:
            begin = time.perf_counter()
            store.load_documents(write_documents(data.documents, Path(folder)))
            loading = time.perf_counter() - begin
            store.search("a first question, so that everything is in memory")
            found, seconds = [], []
            for question, _ in data.questions:
                begin = time.perf_counter()
                result = store.search(question, k=DEPTH)
                seconds.append(time.perf_counter() - begin)
                found.append([int(hit.id) for hit in result.documents])
        by_words, hybrid = baselines(server, data)
    return {
        "set": name,
        "documents": len(data.documents),
        "questions": len(gold),
        "load_s": round(loading, 1),
        "search_ms": round(1e3 * statistics.median(seconds), 1),
        "peak_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        "methods": {
            "graph": metrics(found, gold),
            "bm25": metrics(by_words, gold),
            "hybrid": metrics(hybrid, gold),
        },
    }


def baselines(server: Any, data: Set) -> tuple[list[list[int]], list[list[int]]]:
    """Rankings by BM25 alone and by the hybrid base score."""
    encoder = load_encoder()
    with Database.open(server.uri, (server.username, server.password)) as db:
        snapshot = load_snapshot(db, encoder.dimensions)
    place = np.array([int(id) for id in snapshot.documents.ids])
    view = view_for(snapshot, None)
    by_words, hybrid = [], []
    for text, _ in data.questions:
        question = Question(text, tokenise(text), encoder.encode([text])[0])
        by_words.append(place[top(snapshot.words.scores(question.tokens), DEPTH)].tolist())
        hybrid.append(place[top(gather(view, question).base, DEPTH)].tolist())
    return by_words, hybrid


def targets(reports: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What was asked of search, and whether this run met it."""
    rows = []
    for report in reports:
        if (asked := FULL_10.get(report["set"])) is not None:
            figure = report["methods"]["graph"]["Full@10"]
            rows.append(
                {"name": f"Full@10 on {report['set']}", "full@10": figure, "at_least": asked, "met": figure >= asked}
            )
    return rows


def main() -> None:
    """Parse, run each set, print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="*", metavar="SET", help=f"of {', '.join(SETS)}; all by default")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    options = parser.parse_args()
    if unknown := set(options.sets) - set(SETS):
        parser.error(f"no such set: {', '.join(sorted(unknown))}")
    data = data_folder()
    reports = []
    for name in options.sets or SETS:
        report = run(name, SETS[name](data / "docs" / name))
        reports.append(report)
        print(
            f"{name}: {report['documents']} documents loaded in {report['load_s']} s, search {report['search_ms']} ms "
            f"(median, with the question's encoding), peak {report['peak_rss_mb']} MB"
        )
        for method, figures in report["methods"].items():
            print(f"  {method:8}" + "  ".join(f"{key} {value:.3f}" for key, value in figures.items()))
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps({"sets": reports, "targets": targets(reports)}, indent=2) + "\n")


if __name__ == "__main__":
    main()

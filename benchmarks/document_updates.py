"""What new documents change: a tenth of a question set's documents joins the rest of them.

    python benchmarks/document_updates.py [SET] [--out FILE]

Measured: the seconds of both loads, the Recall@10 of the evidence among the new documents before and after, for the
questions that need it, and how many pages changed of entities that no new document is evidence for: none may
(``graphstore.evaluation.page_updates`` says which these are).
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphstore import GraphStore, Settings, queries
from graphstore.evaluation.document_sets import DocumentSet, read_document_set
from graphstore.evaluation.metrics import recall
from graphstore.evaluation.page_updates import touched
from graphstore.records import SourceDocument
from graphstore.server import scratch_server

EVERY = 10  # each tenth document is new
DEPTH = 10
ANSWERED = 0.95  # Recall@10 of the evidence among the new documents, once they are there


def updates(name: str, settings: Settings) -> dict[str, Any]:
    """Seconds of loading nine tenths, then the last; recall of gold among the new before and after; pages that changed.

    An untouched page is one of an entity that no new document mentions, bears a name of, or speaks of under a fuller
    name; ``untouched_changed`` must be 0. ``decided_anew``: changed pages of those that a new document touches without
    mentioning them: a name turned out to have two bearers, or another one.
    """
    data = read_document_set(name)
    new = {document.id for i, document in enumerate(data.documents) if i % EVERY == EVERY - 1}
    with tempfile.TemporaryDirectory() as scratch, scratch_server(settings) as server:
        folder = Path(scratch)
        own = replace(
            settings, uri=server.uri, username=server.username, password=server.password, database=None, cache=folder
        )
        with GraphStore.connect(own) as store:
            first = _load(store, folder / "old.jsonl", [d for d in data.documents if d.id not in new])
            found_before, before = _recall(store, data, new), _pages(store, folder / "before")
            links = _links(store)
            second = _load(store, folder / "new.jsonl", [d for d in data.documents if d.id in new])
            found_after, after = _recall(store, data, new), _pages(store, folder / "after")
            links_after = _links(store)
    said = {each.id: f"{each.title}\n{each.text}" for each in data.documents if each.id in new}
    mentioned = {entity for document, entity in links_after if document in new}
    reached = touched(links, links_after, said)
    changed = {page for page in before if before[page] != after.get(page)}
    untouched = {page for page in before if page[0] not in reached}
    figures = {
        "documents": len(data.documents) - len(new),
        "new": len(new),
        "load_s": first,
        "update_s": second,
        "recall_of_new_before": found_before,
        "recall_of_new_after": found_after,
        "pages": len(before),
        "pages_after": len(after),
        "untouched": len(untouched),
        "untouched_changed": len(untouched & changed),
        "decided_anew": sum(page[0] not in mentioned for page in changed - untouched),
    }
    return {"targets": targets(figures), **figures}


def targets(figures: dict[str, Any]) -> list[dict[str, Any]]:
    """What is asked of updates, each with what was reached."""
    answered, changed = figures["recall_of_new_after"], figures["untouched_changed"]
    return [
        {"name": "recall@10 of new documents", "figure": answered, "at_least": ANSWERED, "met": answered >= ANSWERED},
        {"name": "untouched pages that changed", "figure": changed, "at_most": 0, "met": changed == 0},
    ]


def main() -> None:
    """Print the figures; write them with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", nargs="?", default="hotpotqa-100", metavar="SET", help="a question set, or a folder")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    options = parser.parse_args()
    text = json.dumps({"dataset": options.set, **updates(options.set, Settings.load())}, indent=2)
    print(text)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text + "\n", "utf-8")


def _load(store: GraphStore, file: Path, documents: Sequence[SourceDocument]) -> float:
    with file.open("w", encoding="utf-8") as lines:
        for each in documents:
            record = {"id": each.id, "path": each.path, "title": each.title, "text": each.text}
            lines.write(json.dumps(record, ensure_ascii=False) + "\n")
    begin = time.perf_counter()
    store.load_documents(file)
    return round(time.perf_counter() - begin, 1)


def _recall(store: GraphStore, data: DocumentSet, new: set[str]) -> float:
    """Mean Recall@10 of gold among the new documents, of the questions that need one."""
    asked = [(q.text, wanted) for q in data.questions if (wanted := new.intersection(q.gold))]
    found = [recall([hit.id for hit in store.search(text, k=DEPTH).documents], wanted, DEPTH) for text, wanted in asked]
    return round(sum(found) / max(1, len(found)), 4)


def _links(store: GraphStore) -> dict[tuple[str, str], list[str]]:
    """Document and entity → the names by which the document calls it."""
    rows = store.query(queries.load("retrieve/corpus_links").text, {"block": 1000, "since": -1})
    return {
        (document, entity): names
        for row in rows
        for document, entity, names in zip(row["documents"], row["entities"], row["names"], strict=True)
    }


def _pages(store: GraphStore, folder: Path) -> dict[tuple[str, str], bytes]:
    """Entity id and file → a page, or a part of one, as it is exported."""
    store.export_pages(folder)
    pages = {}
    for file in sorted((folder / "pages").rglob("*.md")):
        text = file.read_bytes()
        id = next(line[3:] for line in text.decode("utf-8").splitlines() if line.startswith("id:"))
        pages[id.strip(" '\""), file.name] = text
    return pages


if __name__ == "__main__":
    main()

"""Tokens of the LLM builder: a whole load, the same again, and one with 1 % new documents.

    python benchmarks/llm_incremental.py            1,000 documents; writes benchmarks/results/llm_incremental.json
    python benchmarks/llm_incremental.py --documents 200

Documents are those of 2wikimultihopqa-101, in the order of their file. No model is run: the local endpoint of the tests
answers by a pattern (capitalised phrases, their sentences), links half of the names it is asked about and leaves the
other half open. Tokens are what it counts of requests and answers, so the shares are those of any model that reads the
same; how much a real one writes differs.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from datasets import data_folder

from graphstore import GraphStore, Settings
from graphstore.corpusmap.llm.prompts import prompt
from graphstore.corpusmap.llm.run import ModelOptions, ModelReport
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.server import scratch_server

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))

from model_server import Body, Calls, ModelServer, Reply, last_text

RESULTS = Path(__file__).parent / "results" / "llm_incremental.json"
SAVED = 0.90
"""Share of tokens that 1 % new documents are asked to save."""

_PHRASE = re.compile(r"[A-Z]\w+(?: (?:of |the )?[A-Z]\w+)+|[A-Z]\w{3,}")
_TYPE = {
    "name": "work",
    "definition": "A film, book, song or other work with a title.",
    "identity": "Equal title and year.",
    "like": "product",
    "examples": [],
}


def scripted(body: Body) -> Reply:
    """An answer of the right form to each question of the builder."""
    instructions, text = str(body["messages"][0]["content"]), last_text(body)
    if instructions == prompt("catalog_verify"):
        return Calls(("final_result", {"objections": []}))
    if instructions.startswith(("You design", "You merge", "You revise")):
        return Calls(("final_result", {"types": [_TYPE]}))
    if instructions == prompt("resolve"):
        decision = "LINK" if len(text) % 2 else "UNRESOLVED"
        answer = {"decision": decision, "candidate": 1, "confidence": 0.8, "evidence": text[:80]}
        return Calls(("final_result", answer))
    found = []
    for name in dict.fromkeys(_PHRASE.findall(text.partition("\n\n")[2])):
        said = [text[a:b] for a, b in sentence_spans(text) if name in text[a:b]][:3]
        kind = "person" if len(name.split()) == 2 else "UNRESOLVED"
        found.append({"names": [name], "type": kind, "statements": said})
    return Calls(("final_result", {"entities": found}))


def documents(data: Path, target: Path, first: int, count: int) -> Path:
    """Some documents as JSON lines."""
    with gzip.open(data / "docs/2wikimultihopqa-101/2wikimultihopqa_corpus.json.gz", "rt", encoding="utf-8") as file:
        rows = json.load(file)[first : first + count]
    with target.open("w", encoding="utf-8") as out:
        for row in rows:
            line = {"id": row["title"], "title": row["title"], "text": row["text"]}
            out.write(json.dumps(line, ensure_ascii=False) + "\n")
    return target


def shown(asked: ModelReport, seconds: float) -> dict[str, Any]:
    """Tokens and calls by stage."""
    total = asked.usage.total
    return {
        "seconds": round(seconds, 1),
        "calls": total.calls,
        "cached": total.cached,
        "tokens": total.tokens,
        "stages": {stage.stage: {"calls": stage.calls, "tokens": stage.tokens} for stage in asked.usage.stages},
        "resolved": asked.resolved,
    }


def measured(data: Path, count: int, folder: Path) -> dict[str, Any]:
    """Tokens of a whole load, the same again, and 1 % more."""
    new = max(1, count // 100)
    base = documents(data, folder / "base.jsonl", 0, count)
    more = documents(data, folder / "more.jsonl", count, new)
    runs: dict[str, Any] = {"documents": count, "new": new}
    with scratch_server() as server, ModelServer(scripted) as endpoint:
        settings = Settings.load(
            uri=server.uri,
            username=server.username,
            password=server.password,
            cache=folder / "cache",
            llm_url=endpoint.url,
            llm_model="scripted",
        )
        with GraphStore.connect(settings) as store:
            for name, paths in (("whole", [base]), ("again", [base]), ("one percent more", [base, more])):
                started = time.perf_counter()
                _, asked = store.load_documents_with_model(*paths, options=ModelOptions(concurrency=4))
                runs[name] = shown(asked, time.perf_counter() - started)
    runs["saved"] = round(1 - runs["one percent more"]["tokens"] / runs["whole"]["tokens"], 4)
    runs["met"] = runs["saved"] >= SAVED and runs["again"]["tokens"] == 0
    return runs


def main() -> None:
    """Measure, print and keep the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=1_000)
    count = parser.parse_args().documents
    with tempfile.TemporaryDirectory() as folder:
        runs = measured(data_folder(), count, Path(folder))
    print(json.dumps(runs, indent=1))
    if count == parser.get_default("documents"):
        RESULTS.write_text(json.dumps(runs, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

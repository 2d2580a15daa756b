"""How search fares on collections and questions that nothing was chosen on: parts of the sets, mixtures, other lengths.

    python benchmarks/document_robustness.py [--draws N] [--out FILE]

*Collections*: of one store of the three multi-hop sets a reader sees a part: half of one set's questions with their
evidence and half of its other documents; a tenth of these; two sets; a set with three times as many documents of the
others. *Lengths*: of the situations of tau2-banking-knowledge only the first sentences are asked, up to so many tokens.
For each, the product's figures and those of hybrid search, and where the product is below it.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphstore import Settings
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.encoders import Encoder, load_encoder
from graphstore.evaluation.document_sets import DocumentSet, read_document_set
from graphstore.evaluation.document_stores import built
from graphstore.evaluation.metrics import full, recall
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot
from graphstore.retrieval.corpus_view import CorpusView, view_for
from graphstore.retrieval.document_ranking import rank, read
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.retrieval.questions import Question, read_question
from graphstore.retrieval.restart import top
from graphstore.visibility import Visibility

MULTI_HOP = ("hotpotqa-100", "musique-100", "2wikimultihopqa-101")
SITUATIONS = "tau2-banking-knowledge"
LENGTHS = (40, 60, 80, 120, 180, 250, 350)
METRICS = ("recall@2", "recall@5", "recall@10", "recall@20", "full@10")
FOREIGN = 3  # documents of other sets for each of one's own
SAME = 0.005  # less than that below hybrid search is half a question of a hundred
READER = "reader"

Mask: TypeAlias = NDArray[np.bool_]
Rows: TypeAlias = list[dict[str, Any]]


def collections(settings: Settings, draws: int) -> Rows:
    """A row a collection."""
    encoder, data, snapshot = _opened("+".join(MULTI_HOP), settings)
    number = {id: i for i, id in enumerate(snapshot.documents.ids)}
    of_set = np.array([id.split("/")[0] for id in snapshot.documents.ids])
    questions = [read_question(each.text, encoder) for each in data.questions]
    gold = [[number[id] for id in each.gold] for each in data.questions]
    rows: Rows = []
    for name in MULTI_HOP:
        own = np.flatnonzero([each.parts[0] == name for each in data.questions])
        for label, seen, asked in drawn(of_set, name, own, gold, draws):
            view = part_of(snapshot, seen)
            figures = compared(view, [questions[i] for i in asked], [gold[i] for i in asked])
            rows.append({"set": name, "collection": label, "documents": int(seen.sum()), **figures})
            print(rows[-1], flush=True)
    return rows


def drawn(
    of_set: NDArray[np.str_], name: str, own: NDArray[np.intp], gold: Sequence[Sequence[int]], draws: int
) -> Iterator[tuple[str, Mask, NDArray[np.intp]]]:
    """What the collection is called, which documents are in it, and the numbers of its questions."""
    chance = np.random.default_rng(0)
    inside = of_set == name

    def needed(asked: NDArray[np.intp]) -> Mask:
        out = np.zeros(len(of_set), dtype=np.bool_)
        out[[document for i in asked for document in gold[i]]] = True
        return out

    for draw in range(draws):
        for half in np.array_split(chance.permutation(own), 2):
            yield f"half {draw + 1}", needed(half) | (inside & (chance.random(len(of_set)) < 0.5)), half
    yield "a tenth of the other documents", needed(own) | (inside & (chance.random(len(of_set)) < 0.1)), own
    for other in sorted(set(of_set) - {name}):
        yield f"with {other}", inside | (of_set == other), own
    foreign = np.flatnonzero(~inside)
    added = chance.choice(foreign, min(len(foreign), FOREIGN * int(inside.sum())), replace=False)
    yield f"with {FOREIGN} times as many others", inside | np.isin(np.arange(len(of_set)), added), own


def part_of(snapshot: CorpusSnapshot, seen: Mask) -> CorpusView:
    """The view of a reader who sees some documents only."""
    hidden = ["nobody"]
    acl = [[] if each else hidden for each in seen]
    return view_for(replace(snapshot, documents=replace(snapshot.documents, acl=acl)), Visibility.of([READER]))


def lengths(settings: Settings) -> Rows:
    """A row a length."""
    encoder, data, snapshot = _opened(SITUATIONS, settings)
    number = {id: i for i, id in enumerate(snapshot.documents.ids)}
    gold = [[number[id] for id in each.gold] for each in data.questions]
    rows: Rows = []
    for most in LENGTHS:
        asked = [read_question(beginning(each.text, most), encoder) for each in data.questions]
        rows.append({"set": SITUATIONS, "tokens": most, **compared(view_for(snapshot), asked, gold)})
        print(rows[-1], flush=True)
    return rows


def beginning(text: str, tokens: int) -> str:
    """The first sentences of a text that have at most so many tokens together; the first one anyway.

    >>> beginning("Anna called. She has lost her card. She is angry.", 9)
    'Anna called. She has lost her card.'
    """
    out = ""
    for start, end in sentence_spans(text):
        longer = f"{out} {text[start:end]}".strip()
        if out and estimated_tokens(longer) > tokens:
            break
        out = longer
    return out


def compared(view: CorpusView, questions: Sequence[Question], gold: Sequence[Sequence[int]]) -> dict[str, Any]:
    """The figures of both, and the metrics on which the product is below hybrid search."""
    both: dict[str, list[list[float]]] = {"graph": [], "hybrid": []}
    for question, wanted in zip(questions, gold, strict=True):
        scores = {"graph": rank(view, question).scores, "hybrid": read(view, question)[2].base}
        for name, each in scores.items():
            found = [str(i) for i in top(each, 20)]
            needed = [str(i) for i in wanted]
            both[name].append([recall(found, needed, k) for k in (2, 5, 10, 20)] + [full(found, needed, 10)])
    means = {name: np.mean(rows, axis=0) for name, rows in both.items()}
    below = [m for m, a, b in zip(METRICS, means["graph"], means["hybrid"], strict=True) if a < b - SAME]
    figures = {name: dict(zip(METRICS, np.round(mean, 4).tolist(), strict=True)) for name, mean in means.items()}
    return {"questions": len(questions), **figures, "below": below}


def _opened(name: str, settings: Settings) -> tuple[Encoder, DocumentSet, CorpusSnapshot]:
    print(name, file=sys.stderr, flush=True)
    encoder, data = load_encoder(settings.encoder), read_document_set(name)
    store = built(data, settings, encoder=encoder.name, keep=True, progress=lambda *_: None)
    return encoder, data, store.snapshot


def targets(rows: Rows) -> list[dict[str, Any]]:
    """What is asked: nowhere below hybrid search."""
    below = sum(len(row["below"]) for row in rows)
    return [{"name": "figures below hybrid search", "figure": below, "at_most": 0, "met": below == 0}]


def main() -> None:
    """Print the rows; write them with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--draws", type=int, default=2, metavar="N", help="times that a set is cut in halves")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    options = parser.parse_args()
    settings = Settings.load()
    rows = [*lengths(settings), *collections(settings, options.draws)]
    value = {"targets": targets(rows), "rows": rows}
    print(value["targets"])
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(value, indent=2) + "\n", "utf-8")


if __name__ == "__main__":
    main()

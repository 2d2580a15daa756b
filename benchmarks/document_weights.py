"""How far the weights of the beam depend on the set that they are chosen on: chosen on two sets, tested on the third.

    python benchmarks/document_weights.py [--out FILE]

For each of the three multi-hop sets the best of a grid is taken by the mean of Recall@2, Recall@5 and Full@10 on the
two others, the shipped weights where they are as good, and tested on it beside the shipped weights.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from itertools import product
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np

from graphstore import Settings
from graphstore.encoders import load_encoder
from graphstore.evaluation.document_sets import DocumentSet, read_document_set
from graphstore.evaluation.document_stores import built
from graphstore.evaluation.metrics import full, recall
from graphstore.retrieval import document_paths
from graphstore.retrieval.corpus_view import CorpusView, view_for
from graphstore.retrieval.document_ranking import rank
from graphstore.retrieval.questions import Question, read_question
from graphstore.retrieval.restart import top

SETS = ("hotpotqa-100", "musique-100", "2wikimultihopqa-101")
GRID = {"PASSING": (0.4, 0.6, 0.8), "GIVEN": (0.25, 0.5, 1.0), "ONWARD_PRIOR": (0.25, 0.5)}
METRICS = ("recall@2", "recall@5", "full@10")
DEPTH = 10


def figures(data: DocumentSet, view: CorpusView, questions: Sequence[Question]) -> list[float]:
    """The means of :data:`METRICS` with the weights as they are."""
    ids = view.snapshot.documents.ids
    rows = []
    for question, asked in zip(questions, data.questions, strict=True):
        ranking = [ids[i] for i in top(rank(view, question).scores, DEPTH)]
        rows.append([recall(ranking, asked.gold, 2), recall(ranking, asked.gold, 5), full(ranking, asked.gold, 10)])
    return [float(each) for each in np.mean(rows, axis=0)]


def grid() -> Iterator[dict[str, float]]:
    """The shipped weights first, then all of the grid."""
    yield {name: getattr(document_paths, name) for name in GRID}
    for values in product(*GRID.values()):
        yield dict(zip(GRID, values, strict=True))


def rotation(settings: Settings) -> list[dict[str, Any]]:
    """For each set the weights chosen on the others, what they reach, and what the shipped ones do."""
    encoder = load_encoder(settings.encoder)
    reached: dict[str, list[list[float]]] = {}
    weights = list(grid())
    for name in SETS:
        print(name, file=sys.stderr, flush=True)
        data = read_document_set(name)
        store = built(data, settings, encoder=encoder.name, keep=True, progress=lambda *_: None)
        view, questions = view_for(store.snapshot), [read_question(each.text, encoder) for each in data.questions]
        reached[name] = []
        for each in weights:
            with patch.dict(vars(document_paths), each):
                reached[name].append(figures(data, view, questions))
    out = []
    for name in SETS:
        others = [np.mean([reached[other][i] for other in SETS if other != name]) for i in range(len(weights))]
        best = int(np.argmax(np.round(others, 6)))
        shipped, chosen = (dict(zip(METRICS, np.round(reached[name][i], 4).tolist(), strict=True)) for i in (0, best))
        out.append({"tested": name, "weights": weights[best], "chosen": chosen, "shipped": shipped})
    return out


def main() -> None:
    """Print the rotation; write it with ``--out``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    options = parser.parse_args()
    text = json.dumps({"grid": GRID, "rotation": rotation(Settings.load())}, indent=2)
    print(text)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()

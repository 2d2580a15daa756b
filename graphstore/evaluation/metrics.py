"""Metrics of a ranked answer against the set of what was needed.

All take the ranking best first, each id at most once, and the gold ids as a non-empty set, and return a number in
[0, 1]; the mean over requests is the figure that is reported.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence


def recall(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Recall@k: the share of gold among the first k.

    >>> recall(["a", "x", "b"], {"a", "b"}, 2)
    0.5
    """
    wanted = _wanted(gold)
    return len(wanted.intersection(ranking[:k])) / len(wanted)


def full(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """Full@k: 1 if all gold is among the first k, else 0. Its mean is the share of requests that can be worked whole.

    >>> full(["a", "x", "b"], {"a", "b"}, 2), full(["a", "x", "b"], {"a", "b"}, 3)
    (0.0, 1.0)
    """
    return float(_wanted(gold) <= set(ranking[:k]))


def ndcg(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """nDCG@k with gains of 0 and 1: Σ 1/log₂(rank + 1) over gold in the first k, by that of a perfect ranking.

    Source: Järvelin and Kekäläinen (2002), "Cumulated gain-based evaluation of IR techniques", section 2.2.

    >>> ndcg(["a", "b", "x"], {"a", "b"}, 10)
    1.0
    """
    wanted = _wanted(gold)
    found = sum(_gain(rank) for rank, item in enumerate(ranking[:k], start=1) if item in wanted)
    return found / sum(_gain(rank) for rank in range(1, min(k, len(wanted)) + 1))


def average_precision(ranking: Sequence[str], gold: Collection[str], k: int) -> float:
    """AP@k: mean over gold of the precision at its rank, 0 for gold beyond k; its mean over requests is mAP@k.

    The divisor is min(|gold|, k), so that a perfect ranking has 1.

    >>> average_precision(["a", "x", "b"], {"a", "b"}, 10)
    0.8333333333333333
    """
    wanted = _wanted(gold)
    hits, total = 0, 0.0
    for rank, item in enumerate(ranking[:k], start=1):
        if item in wanted:
            hits += 1
            total += hits / rank
    return total / min(len(wanted), k)


def table(rankings: Sequence[Sequence[str]], golds: Sequence[Collection[str]]) -> Mapping[str, float]:
    """Means over requests of the figures that are reported: recall and full at 5 and 10, nDCG and mAP at 10."""
    metrics = {
        "recall@5": (recall, 5),
        "recall@10": (recall, 10),
        "full@5": (full, 5),
        "full@10": (full, 10),
        "ndcg@10": (ndcg, 10),
        "map@10": (average_precision, 10),
    }
    return {
        name: math.fsum(metric(*pair, k) for pair in zip(rankings, golds, strict=True)) / len(rankings)
        for name, (metric, k) in metrics.items()
    }


def _wanted(gold: Collection[str]) -> set[str]:
    if not gold:
        raise ValueError("a request without gold has no score: leave it out")
    return set(gold)


def _gain(rank: int) -> float:
    return 1 / math.log2(rank + 1)

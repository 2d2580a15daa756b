"""Metrics of a ranked answer against the set of what was needed.

All but Kendall's τ take the ranking best first, each id at most once, and the gold ids as a non-empty set, and return a
number in [0, 1]; the mean over requests is the figure that is reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from itertools import combinations


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


def kendall_tau(order: Sequence[str], gold: Sequence[str]) -> float | None:
    """Kendall's τ of an answer's order and the true one, in [−1, 1], over the gold that the answer holds.

    (concordant − discordant pairs) / pairs; gold that was not found is a matter of recall, not of order.

    Source: Kendall (1938), "A new measure of rank correlation", Biometrika 30.

    :param order: Ids in the order in which they are to be executed, each at most once.
    :param gold: Ids in their true order, each at most once.
    :returns: ``None`` if fewer than two of gold are in the answer: they have no order.

    >>> kendall_tau(["b", "x", "a", "c"], ["a", "b", "c"])
    0.3333333333333333
    """
    position = {item: index for index, item in enumerate(order)}
    found = [position[item] for item in gold if item in position]
    pairs = len(found) * (len(found) - 1) // 2
    if not pairs:
        return None
    concordant = sum(before < after for before, after in combinations(found, 2))
    return (2 * concordant - pairs) / pairs


METRICS: Mapping[str, Callable[[Sequence[str], Collection[str], int], float]] = {
    "recall": recall,
    "full": full,
    "ndcg": ndcg,
    "map": average_precision,
}
"""Name → metric; the mean of ``map`` over requests is mAP, each value an AP."""


def figures(ranking: Sequence[str], gold: Collection[str], cutoffs: Sequence[int]) -> dict[str, float]:
    """All metrics of one request at all cut-offs, under names like ``recall@10``."""
    return {f"{name}@{k}": metric(ranking, gold, k) for name, metric in METRICS.items() for k in cutoffs}


def _wanted(gold: Collection[str]) -> set[str]:
    if not gold:
        raise ValueError("a request without gold has no score: leave it out")
    return set(gold)


def _gain(rank: int) -> float:
    return 1 / math.log2(rank + 1)

"""Things in the order of their ids, when some of those known before went or changed, and others are new.

What is known of each stands in lists, or, where it is several values each, side by side in arrays. Both are put
together from what was known and from what is new, by copies of whole runs.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Places:
    """Where each thing stands now.

    :param ids: Of all, sorted.
    :param order: For each its number among those known before, followed by the new ones. *Shape:* ``(n,)``
    :param before: New number of each known before; −1 where it is gone, or among the new ones. *Shape:* ``(old,)``
    :param new: Number of each of the new ones. *Shape:* ``(new,)``
    """

    ids: list[str]
    order: Ints
    before: Ints
    new: Ints

    @classmethod
    def of(cls, before: Sequence[str], new: Sequence[str], gone: Collection[str] = ()) -> Places:
        """The places after an update.

        :param before: Ids known before, sorted.
        :param new: Ids of those that are new or changed.
        :param gone: Ids of those that are no more.
        """
        left = {*new, *gone}
        ids = [*before, *new]
        kept = [number for number, id in enumerate(before) if id not in left]
        order = np.array(sorted([*kept, *range(len(before), len(ids))], key=ids.__getitem__), dtype=np.int64)
        number = np.full(len(ids), -1, dtype=np.int64)
        number[order] = np.arange(len(order))
        return cls([ids[i] for i in order.tolist()], order, number[: len(before)], number[len(before) :])

    def listed(self, before: Sequence[T], new: Sequence[T]) -> list[T]:
        """What was known of each, and what is known of the new ones, in the order of all."""
        both = [*before, *new]
        return [both[i] for i in self.order.tolist()]


@dataclass(frozen=True)
class Grouped:
    """Values of things, those of one thing side by side.

    :param starts: Where each thing's begin, and the end. *Shape:* ``(n + 1,)``
    :param values: Several kinds of values, aligned. *Shape of each:* ``(m, …)``
    """

    starts: Ints
    values: tuple[NDArray[Any], ...]

    @classmethod
    def by(cls, owner: NDArray[np.integer[Any]], n: int, *values: NDArray[Any]) -> Grouped:
        """Values put in the order of the things that they belong to, else left in their order.

        :param owner: The thing of each. *Shape:* ``(m,)``
        :param n: Number of things.
        """
        order = np.argsort(owner, kind="stable")
        return cls(starts_of(np.bincount(owner, minlength=n)), tuple(each[order] for each in values))

    @property
    def owners(self) -> Ints:
        """The thing of each value. *Shape:* ``(m,)``"""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    def kept(self, which: NDArray[np.bool_]) -> Grouped:
        """Some of the values. *Shape:* ``(m,)``"""
        if which.all():
            return self
        counts = np.bincount(self.owners[which], minlength=len(self.starts) - 1)
        return Grouped(starts_of(counts), tuple(each[which] for each in self.values))

    def spliced(self, new: Grouped, order: Ints) -> Grouped:
        """The values of these things and of new ones in a common order.

        :param order: For each thing its number among these, followed by the new ones. *Shape:* ``(k,)``
        """
        own = len(self.starts) - 1
        counts = np.concatenate([np.diff(self.starts), np.diff(new.starts)])[order]
        breaks = np.flatnonzero((np.diff(order) != 1) | (order[1:] == own)) + 1
        edges = [0, *breaks.tolist(), len(order)] if len(order) else []
        spans = []
        for first, end in pairwise(edges):
            part, thing = (self, int(order[first])) if order[first] < own else (new, int(order[first]) - own)
            spans.append((part, slice(part.starts[thing], part.starts[thing + end - first])))
        values = (
            np.concatenate([each[:0], *(part.values[kind][span] for part, span in spans)])
            for kind, each in enumerate(self.values)
        )
        return Grouped(starts_of(counts), tuple(values))


def starts_of(counts: NDArray[np.integer[Any]]) -> Ints:
    """Where each of several groups of so many begins, and the end. *Shape:* ``(n + 1,)``"""
    starts = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(counts, out=starts[1:])
    return starts

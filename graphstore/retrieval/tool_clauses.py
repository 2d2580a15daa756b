"""The clauses of past stages, and which of them each tool was called for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.grown import Grown
from graphstore.retrieval.halves import Halves, Vectors
from graphstore.toolgraph.clauses import align

Numbers: TypeAlias = NDArray[np.intp]
Calls: TypeAlias = NDArray[np.int64]
"""Each a tool that was called for a clause: the number of the tool, of the stage, and the place of the clause in its
request, in one number that sorts by these three; each once, sorted."""
Paths: TypeAlias = Sequence[Sequence[Sequence[int]]]

_BLOCK = 2048  # paths aligned at a time
_TOOL, _STAGE = 40, 8  # bits to the right of their numbers


@dataclass(frozen=True, slots=True)
class Clauses:
    """The clauses of past stages. They grow: :meth:`after` makes the next ones with work for the new stages alone.

    :param grown: Holds their unit vectors; those of one stage stand together.
    :param starts: The line where each stage's begin. *Shape:* ``(stages,)``
    :param counts: How many each stage has. *Shape:* ``(stages,)``
    """

    grown: Grown
    starts: NDArray[np.int64]
    counts: NDArray[np.int64]

    @classmethod
    def of(cls, stages: Sequence[Halves], dimensions: int) -> Clauses:
        """The clauses of some stages.

        :param stages: Unit vectors of each one's clauses. *Shape:* ``(c, d)`` each
        :param dimensions: d.
        """
        grown = Grown(sum(map(len, stages)), (dimensions, np.float16))
        nothing = np.empty(0, dtype=np.int64)
        clauses = cls(grown, nothing, nothing)._with(np.full(len(stages), -1), stages)
        assert clauses is not None  # there is room for what it was made for
        return clauses

    def after(self, numbers: Numbers, new: Sequence[Halves]) -> Clauses:
        """The clauses of some of the stages and of new ones between them.

        :param numbers: Of those that stay, in their new order; −1 for each new one.
        :param new: One for each −1.
        """
        clauses = self._with(numbers, new)
        if clauses is not None:
            return clauses
        others = iter(new)
        every = [self[number] if number >= 0 else next(others) for number in numbers.tolist()]
        return Clauses.of(every, self.vectors.shape[1])

    def shares(self, other: Clauses) -> bool:
        """Whether both hold what they have in common in the same place."""
        return self.grown is other.grown

    @property
    def vectors(self) -> Halves:
        """The matrix that they stand in, and others. *Shape:* ``(any, d)``"""
        return self.grown.parts[0]

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, stage: int) -> Halves:
        """The unit vectors of a stage's clauses. *Shape:* ``(c, d)``"""
        start = int(self.starts[stage])
        return self.vectors[start : start + int(self.counts[stage])]

    def _with(self, numbers: Numbers, new: Sequence[Halves]) -> Clauses | None:
        """As :meth:`after`; ``None`` where there is no room for them."""
        added = numbers < 0
        starts, counts = np.zeros((2, len(numbers)), dtype=np.int64)
        starts[~added], counts[~added] = self.starts[numbers[~added]], self.counts[numbers[~added]]
        sizes = np.array([len(each) for each in new], dtype=np.int64)
        where = self.grown.reserve(int(sizes.sum()), int(counts.sum()))
        if where is None:
            return None
        ends = where.start + np.cumsum(sizes)
        starts[added], counts[added] = ends - sizes, sizes
        for end, each in zip(ends.tolist(), new, strict=True):
            self.vectors[end - len(each) : end] = each
        return Clauses(self.grown, starts, counts)


def calls(clauses: Clauses, stages: Numbers, paths: Paths, tools: Vectors) -> Calls:
    """Which clauses of some stages each tool was called for, as the alignment of paths and clauses has it.

    :param stages: Their numbers.
    :param paths: Of each of these its paths, each the numbers of the tools called.
    :param tools: Unit vectors of the tools' own texts. *Shape:* ``(n, d)``
    """
    found = [np.empty(0, dtype=np.int64), *_aligned(clauses, stages, paths, tools)]
    return np.unique(np.concatenate(found))


def split(called: Calls) -> tuple[Numbers, Numbers, Numbers]:
    """The numbers of tools and stages, and the places of clauses."""
    return called >> _TOOL, called >> _STAGE & (1 << _TOOL - _STAGE) - 1, called & (1 << _STAGE) - 1


def calls_after(called: Calls, tools: Numbers, stages: Numbers, new: Calls) -> Calls:
    """What is left of calls, with new ones.

    :param tools: The new number of each tool; they stay in order.
    :param stages: The new number of each stage, in order too; −1 for one whose calls are dropped.
    """
    tool, stage, place = split(called)
    stage = stages[stage]
    left = stage >= 0
    # both are sorted, which a stable sort makes use of
    return np.sort(np.concatenate([_joined(tools[tool[left]], stage[left], place[left]), new]), kind="stable")


def _joined(tools: Numbers, stages: Numbers, places: Numbers) -> Calls:
    return tools.astype(np.int64) << _TOOL | stages.astype(np.int64) << _STAGE | places


def _aligned(clauses: Clauses, stages: Numbers, paths: Paths, tools: Vectors) -> Iterator[Calls]:
    """Calls, in blocks of paths with as many calls and clauses."""
    for (count, _), block in _by_shape(clauses, stages, paths):
        numbers = np.array([stage for stage, _ in block])
        called = np.array([path for _, path in block])
        rows = clauses.starts[numbers][:, None] + np.arange(count)
        cosines = clauses.vectors[rows].astype(np.float32) @ np.swapaxes(tools[called], 1, 2)
        yield _joined(called, numbers[:, None], align(cosines)).ravel()


def _by_shape(
    clauses: Clauses, stages: Numbers, paths: Iterable[Sequence[Sequence[int]]]
) -> Iterator[tuple[tuple[int, int], list[tuple[int, Sequence[int]]]]]:
    shapes: defaultdict[tuple[int, int], list[tuple[int, Sequence[int]]]] = defaultdict(list)
    for stage, count, of_stage in zip(stages.tolist(), clauses.counts[stages].tolist(), paths, strict=True):
        for path in of_stage:
            shapes[count, len(path)].append((stage, path))
    for shape, listed in sorted(shapes.items()):
        if shape[0]:
            yield from ((shape, listed[at : at + _BLOCK]) for at in range(0, len(listed), _BLOCK))

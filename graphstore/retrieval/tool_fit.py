"""Fitting the learned mix on the history of a store, by cross-fitting.

A past request is answered by what the rest of the history says. It is left out in two ways: with all requests that the
same path solved (how are unseen workflows found?), and with its own wording only (how are known ones?). From each of
the two ways a model of its own is learned (``tool_mix``).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

from graphstore.db import Database
from graphstore.progress import Progress
from graphstore.retrieval.tool_evidence import Evidence
from graphstore.retrieval.tool_features import candidates
from graphstore.retrieval.tool_mix import FORM, Example, LearnedMix, learn
from graphstore.retrieval.tool_rows import Packed
from graphstore.retrieval.tool_signals import contributions, mixed
from graphstore.retrieval.tool_snapshot import STATEMENTS, ToolSnapshot, build_snapshot
from graphstore.toolgraph.history import transitions

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

Row = Mapping[str, Any]

LEAST = 150
"""Solved stages from which on a mix is fitted."""
GROWTH = 1.25
"""It is fitted again when there are so many times the stages that it was fitted on."""
MOST = 700
"""Past requests that are answered again, in each of the two ways."""
FOLDS = 4
"""Parts of the history, each left out once."""
_LARGE = 6000
"""Stages above which only the first part is left out: a thousand requests are enough, and each part takes a while."""
_TOLD_EVERY = 100


def refit(db: Database, encoder: Encoder, progress: Progress | None = None, *, always: bool = False) -> bool:
    """Whether the mix of the store was fitted again: because the history has grown by a quarter, or ``always``.

    A history below :data:`LEAST` has no mix: one that was fitted on more is taken out. What other writers add meanwhile
    counts the next time.
    """
    (state,) = db.read("retrieve/tool_mix_state")
    mix = None
    if state["stages"] >= LEAST:
        if not always and _current(state, encoder):
            return False
        _, results = db.read_consistent([(name, {}) for name in STATEMENTS], each=Packed())
        mix = fit(results, encoder.name, progress)
    if mix is not None:
        row = {**mix.to_row(), "form": FORM, "encoder": encoder.name, "stages": len(results[1])}
        db.write(("load/tool_mix", {"row": row}))
    elif state["fitted"] is not None:
        db.write(("maintain/forget_tool_mix", {}))
    return mix is not None


def _current(state: Row, encoder: Encoder) -> bool:
    """Whether the mix in the store is one for the history, features and vectors that there are."""
    ours = state["fitted"] is not None and state["form"] == FORM and state["encoder"] == encoder.name
    return ours and bool(state["stages"] < GROWTH * state["fitted"])


def fit(results: Sequence[Sequence[Row]], encoder: str, progress: Progress | None = None) -> LearnedMix | None:
    """The mix that suits a history, ``None`` if there is nothing to learn from.

    :param results: The rows of :data:`STATEMENTS`. Their order leaves no trace.
    :param encoder: Name of the encoder that their vectors are of.
    """
    found = []
    for example in examples(results):
        found.append(example)
        if progress is not None and len(found) % _TOLD_EVERY == 0:
            progress("learned mix", len(found), None)
    if not any(example.wanted.intersection(example.found.tools.tolist()) for example in found):
        return None
    names = sorted(str(row["id"]) for row in results[1])
    digest = sha256("\n".join(names).encode()).hexdigest()[:16]
    return learn(found, {"form": FORM, "encoder": encoder, "stages": len(names), "digest": digest})


def examples(results: Sequence[Sequence[Row]]) -> Iterator[Example]:
    """Past requests as they would have been answered without themselves."""
    tools, stages, _, tried, similar, needs = results
    tools = sorted(tools, key=lambda row: str(row["id"]))
    ordered = sorted(stages, key=lambda row: str(row["id"]))
    for key, known in ((_path, False), (_request, True)):
        part = {row["id"]: _number(key(row)) % FOLDS for row in ordered}
        folds = range(FOLDS if len(ordered) <= _LARGE else 1)
        asked = sorted((row for row in ordered if part[row["id"]] in folds), key=_drawn)[:MOST]
        for fold in folds:
            mine = [row for row in asked if part[row["id"]] == fold]
            if not mine:
                continue
            kept = [row for row in ordered if part[row["id"]] != fold]
            rows: list[Sequence[Row]] = [tools, kept, _following(kept), tried, similar, needs]
            snapshot = build_snapshot(0, rows, dimensions=len(mine[0]["embedding"]))
            numbers = {tool.id: number for number, tool in enumerate(snapshot.tools)}
            for row in mine:
                yield _example(row, snapshot, numbers, known=known, part=_number(key(row)) // FOLDS)


def _example(row: Row, snapshot: ToolSnapshot, numbers: Mapping[str, int], *, known: bool, part: int) -> Example:
    vector = np.asarray(row["embedding"], dtype=np.float32)
    clauses, written = None, row.get("clauses")
    if written is not None and len(written):
        clauses = np.frombuffer(written, dtype=np.float16).reshape(-1, len(vector)).astype(np.float32)
    evidence = Evidence(snapshot, row["request"], vector, clauses)
    return Example(
        candidates(evidence, mixed(contributions(evidence).values())),
        frozenset(numbers[tool] for tool in _path(row)),
        known,
        part,
    )


def _path(row: Row) -> tuple[str, ...]:
    """The path by which a stage is told: the shortest that solved it."""
    return min((tuple(path["tools"]) for path in row["paths"]), key=lambda tools: (len(tools), tools))


def _request(row: Row) -> str:
    return str(row["request"])


def _drawn(row: Row) -> int:
    return _number(row["id"])


def _number(value: object) -> int:
    """A number made of a value: random to look at, and always the same."""
    return int(sha256(repr(value).encode()).hexdigest()[:12], 16)


def _following(stages: Sequence[Row]) -> list[dict[str, Any]]:
    """The transitions of some stages, as the history graph would hold them if they were all and none had failed."""
    weights: defaultdict[tuple[str, str], float] = defaultdict(float)
    for row in stages:
        for path in row["paths"]:
            for pair in transitions(tuple(path["tools"]), tuple(path.get("steps") or ())):
                weights[pair] += path["count"] * path["efficiency"]
    return [
        {"source": pair[0], "target": pair[1], "weight": weight, "unjudged": 0}
        for pair, weight in sorted(weights.items())
    ]

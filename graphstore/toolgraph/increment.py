"""What stages that changed do to the history graph: what they say of transitions less what they said (pure)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from graphstore.toolgraph.history import Fade, Pair, Tally, runs_per_tool, tally, transitions
from graphstore.toolgraph.mining import Stage

_NOTHING = Tally()
_SUMS = ("count", "failures", "blamed", "unjudged", "efficiency", "passes", "blame")

Row = Mapping[str, Any]
Use = tuple[int, str | None]


@dataclass(frozen=True, slots=True)
class Change:
    """What some stages say of one transition, before and after they changed."""

    before: Tally
    after: Tally

    def applied(self, stored: Tally) -> Tally:
        """What all stages say after it, if ``stored`` was so before it; examples and time as far as they are known."""
        sums = {name: getattr(stored, name) - getattr(self.before, name) + getattr(self.after, name) for name in _SUMS}
        kept = stored.sources - self._lost()
        return Tally(**sums, sources=kept | self.after.sources, last_seen=max(stored.last_seen, self.after.last_seen))

    def takes_from(self, stored: Tally) -> bool:
        """Whether an example or the latest time is taken away, so that others have to be looked for."""
        is_latest = self.before.last_seen == stored.last_seen
        return bool(self._lost() & stored.sources) or (is_latest and self.after.last_seen < self.before.last_seen)

    def _lost(self) -> set[str]:
        return self.before.sources - self.after.sources


def changes(before: Iterable[Stage], after: Iterable[Stage], fade: Fade) -> dict[Pair, Change]:
    """The transitions of which stages that changed say something else."""
    old, new = tally(before, fade), tally(after, fade)
    return {
        pair: Change(old.get(pair, _NOTHING), new.get(pair, _NOTHING))
        for pair in sorted(old.keys() | new.keys())
        if old.get(pair) != new.get(pair)
    }


def stored_tally(row: Row | None) -> Tally:
    """What ``retrieve/tool_transitions`` returned of a transition."""
    if row is None:
        return Tally()
    efficiency, passes, blame = row["sums"]
    return Tally(
        count=row["count"],
        failures=row["failures"],
        blamed=row["blamed"],
        unjudged=row["unjudged"],
        efficiency=efficiency,
        passes=passes,
        blame=blame,
        sources=set(row["sources"]),
        last_seen=row["last_seen"] or "",
    )


def examples(rows: Iterable[Row]) -> dict[Pair, tuple[set[str], str]]:
    """The runs of each transition and the time of the latest, from rows of ``retrieve/tool_transition_runs``."""
    found: dict[Pair, tuple[set[str], str]] = {}
    for row in rows:
        pair = (row["source"], row["target"])
        if pair in transitions(tuple(row["tools"]), tuple(row["steps"] or ())):
            runs, latest = found.get(pair, (set(), ""))
            found[pair] = (runs | set(row["sources"]), max(latest, *row["finished"]))
    return found


def uses(before: Iterable[Stage], after: Iterable[Stage]) -> dict[str, tuple[Use, Use]]:
    """For each tool that stages which changed use otherwise: runs and latest time, before and after."""
    old, new = runs_per_tool(before), runs_per_tool(after)
    unused = (0, None)
    return {
        tool: (old.get(tool, unused), new.get(tool, unused))
        for tool in sorted(old.keys() | new.keys())
        if old.get(tool) != new.get(tool)
    }

"""The paths that solved a stage, compared."""

from __future__ import annotations

from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.models import SolvedPath, StagePaths
from graphstore.toolgraph.compared import steps_of

_CANDIDATES = 5
_WORDS = 10  # of what was asked for that are looked up one by one
_SHOWN = 100  # characters of a text, in an error


def stage_paths(db: Database, stage: str) -> StagePaths:
    """The successful paths of a stage, compared.

    :param stage: Stage id, the id of a task with one stage, or the exact request.
    :raises NotFound: no such stage, or several; the message names candidates.
    """
    rows = db.read("retrieve/tool_stage_paths", stage=stage)
    exact = [row for row in rows if row["match"] == "id"] or rows
    if len(exact) > 1:
        named = ", ".join(row["id"] for row in exact[:_CANDIDATES])
        more = f" and {len(exact) - _CANDIDATES} more" if len(exact) > _CANDIDATES else ""
        raise NotFound(f"{stage[:_SHOWN]!r} means {len(exact)} stages; name one: {named}{more}")
    if not exact:
        raise NotFound(_no_stage(db, stage))
    row = exact[0]
    solved = sorted(row["paths"], key=lambda path: (path["length"], -path["count"], path["tools"]))
    return StagePaths(
        stage=row["id"],
        task=row["task"],
        request=row["request"],
        runs=row["runs"],
        passed=sum(path["count"] for path in solved) + row["no_calls"],
        paths=tuple(
            SolvedPath(
                tools=tuple(path["tools"]),
                steps=steps_of(path["tools"], path["steps"]),
                length=path["length"],
                count=path["count"],
                efficiency=path["efficiency"],
                shortest=path["shortest"],
                sources=tuple(path["sources"]),
                calls=tuple(path["calls"] or [path["length"]] * path["count"]),
            )
            for path in solved
        ),
        failed=row["failed"],
        unknown=row["unknown"],
    )


def _no_stage(db: Database, stage: str) -> str:
    asked = repr(stage[:_SHOWN])
    for word in dict.fromkeys([stage, *sorted(stage.split(), key=len, reverse=True)[:_WORDS]]):
        found = db.read("retrieve/tool_stage_candidates", word=word, limit=_CANDIDATES)
        if found:
            return f"no stage {asked}; near it: " + ", ".join(
                f"{row['id']} ({' '.join(row['request'].split())[:_SHOWN]})" for row in found
            )
    return f"no stage {asked}: give a stage id, a task id or the exact request; `graphstore load logs PATH` loads logs"

"""Data sets of record linkage: tables, and the pairs of their records that are one thing.

Told by their files, so that a folder of the same form works too: two tables and ``gt.csv``; one table and ``*_gt.csv``;
or tables whose ``rec_id`` names the person (Febrl). A data set is read whole and nothing of it trains anything.
"""

from __future__ import annotations

import csv
from collections.abc import Hashable
from dataclasses import dataclass
from pathlib import Path

from graphstore.errors import LoadError
from graphstore.evaluation.entity_metrics import pairs_of
from graphstore.loaders.delimited import delimiter
from graphstore.settings import Settings

_FOLDER = Path("docs", "entity-resolution")
RECORD_SETS = {
    "febrl1": "febrl/dataset1.csv",
    "febrl2": "febrl/dataset2.csv",
    "febrl3": "febrl/dataset3.csv",
    "dblp-acm": "dblp-acm",
    "abt-buy": "abt-buy",
    "cora": "cora",
}
"""Where each data set lies, below ``docs/entity-resolution``."""

_PERSON = "rec_id"


@dataclass(frozen=True, slots=True)
class RecordSet:
    """Records and the truth about them.

    :param sources: The table of each record where there are two, of which none names a thing twice; else ``None``.
    :param gold: Pairs of indexes, ascending, that are one thing.
    """

    name: str
    records: tuple[dict[str, str], ...]
    sources: tuple[str, ...] | None
    gold: frozenset[tuple[int, int]]


def read_record_set(name: str) -> RecordSet:
    """The data set of a name under ``GRAPHSTORE_DATA``, or of a path.

    :raises LoadError: it is not there, or has none of the known forms.
    """
    path = _path(name)
    if path.is_file():
        return _febrl(path.stem if name not in RECORD_SETS else name, path)
    tables = sorted(path.glob("*.csv"))
    truth = [table for table in tables if table.stem == "gt" or table.stem.endswith("_gt")]
    rest = [table for table in tables if table not in truth]
    if len(truth) == 1 and len(rest) == 2 and truth[0].stem == "gt":
        return _two_tables(path.name, rest, truth[0])
    if len(truth) == 1 and len(rest) == 1:
        return _one_table(path.name, rest[0], truth[0])
    raise LoadError("is no data set of records: two tables and gt.csv, or one table and *_gt.csv", path)


def _path(name: str) -> Path:
    if name not in RECORD_SETS:
        if not Path(name).exists():
            raise LoadError(f"no such data set: {', '.join(RECORD_SETS)}, or a path", name)
        return Path(name)
    data = Settings.load().data
    if data is None or not (path := data / _FOLDER / RECORD_SETS[name]).exists():
        raise LoadError("the data set is not there: set GRAPHSTORE_DATA", None if data is None else data)
    return path


def _febrl(name: str, path: Path) -> RecordSet:
    rows = _table(path)
    people: dict[str, list[int]] = {}
    for index, row in enumerate(rows):
        if _PERSON not in row:
            raise LoadError(f"has no column {_PERSON!r} that names the person", path)
        people.setdefault(row.pop(_PERSON).split("-")[1], []).append(index)
    return RecordSet(name, tuple(rows), None, frozenset(pairs_of(people.values())))


def _two_tables(name: str, tables: list[Path], truth: Path) -> RecordSet:
    pairs = [(row["D1"], row["D2"]) for row in _table(truth)]
    left, right = _ordered(tables, pairs)
    rows: list[dict[str, str]] = []
    sources: list[str] = []
    where: dict[tuple[int, str], int] = {}
    for side, table in enumerate((left, right)):
        for row in _table(table):
            where[side, row.pop("id")] = len(rows)
            rows.append(row)
            sources.append(table.stem)
    return RecordSet(name, tuple(rows), tuple(sources), frozenset((where[0, a], where[1, b]) for a, b in pairs))


def _ordered(tables: list[Path], pairs: list[tuple[str, str]]) -> tuple[Path, Path]:
    """The tables of D1 and D2. Only a side's ids can tell: D1's table has all of D1's."""
    ids = {table: {row["id"] for row in _table(table)} for table in tables}
    first, second = tables
    fits = ids[first] >= {a for a, _ in pairs} and ids[second] >= {b for _, b in pairs}
    crossed = ids[second] >= {a for a, _ in pairs} and ids[first] >= {b for _, b in pairs}
    if fits and crossed:  # both can be: the name that comes first in the folder's own name is D1
        folder = first.parent.name
        fits = folder.find(first.stem) <= folder.find(second.stem)
    return (first, second) if fits else (second, first)


def _one_table(name: str, table: Path, truth: Path) -> RecordSet:
    rows = _table(table)
    where: dict[Hashable, int] = {}
    for index, row in enumerate(rows):
        identity = next(column for column in row if column.casefold().replace("_", " ") in ("id", "entity id"))
        where[row.pop(identity)] = index
    with truth.open(encoding="utf-8", newline="") as lines:
        gold = {(where[a], where[b]) for a, b in csv.reader(lines, delimiter="|")}
    return RecordSet(name, tuple(rows), None, frozenset((min(pair), max(pair)) for pair in gold))


def _table(path: Path) -> list[dict[str, str]]:
    """The rows as text; what is no UTF-8 (a few names of DBLP) is replaced."""
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        head = [file.readline() for _ in range(20)]
        file.seek(0)
        reader = csv.DictReader(file, delimiter=delimiter(head), skipinitialspace=True)
        return [{key: (value or "").strip() for key, value in row.items() if key and key.strip()} for row in reader]

"""Records of authoritative registries into the store and out of it, with all that follows for names in documents."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path, PurePath
from typing import Any

from graphstore.clock import now
from graphstore.corpusmap.directory import known
from graphstore.corpusmap.entity_vectors import write_entity_vectors
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.rows import Row, Step
from graphstore.corpusmap.stored import StoredResolver
from graphstore.corpusmap.update import optimistic, settled_steps
from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.models import LoadReport
from graphstore.progress import Progress
from graphstore.records import JSON, Ignored, Rejected, SourceEntity

_BATCH = 1_000
_ACL = "acl"
_BETWEEN = str.maketrans({";": ",", "|": ","})


def load_records(
    db: Database,
    records: Iterable[SourceEntity | Rejected | Ignored],
    *,
    replace: bool = False,
    progress: Progress | None = None,
    cache: Path | None = None,
) -> LoadReport:
    """Store records of registries; what is already so stays untouched, names that they settle are decided again.

    :param replace: Take out the records of the same registries that were not read; not where a record was rejected,
        since that may be one of them.
    :param cache: Folder in which the resolver's state is kept between processes.
    :returns: Counts of records. Without ``replace`` a record that is stored but was not read is left alone.
    """
    stored = {row["id"]: (row["hash"], row["source"]) for row in db.read("retrieve/corpus_record_hashes")}
    intake = _Intake(stored)
    state = StoredResolver(db, progress, cache=cache)
    done = 0
    due = intake.new_and_changed(records)
    while part := list(islice(due, _BATCH)):
        optimistic(state, _storing(part))
        done += len(part)
        if progress:
            progress("records", done, None)
    gone = intake.gone() if replace else []
    if gone:
        _forget(state, gone)
    state.keep()
    write_entity_vectors(db, progress=progress)
    return intake.report(len(gone), replace=replace)


def forget_records(
    db: Database, records: Sequence[str], *, progress: Progress | None = None, cache: Path | None = None
) -> list[str]:
    """Ids of the records that were taken out; names that they had settled are decided again.

    :param cache: Folder in which the resolver's state is kept between processes; it forgets them too.
    :raises NotFound: one of them is not in the store; nothing was taken out.
    """
    stored = {row["id"] for row in db.read("retrieve/corpus_record_hashes")}
    missing = [record for record in records if record not in stored]
    if missing:
        raise NotFound(f"no record {missing[0][:100]!r} in the store; nothing was taken out")
    ids = sorted(set(records))
    state = StoredResolver(db, progress, cache=cache)
    _forget(state, ids)
    state.keep()
    write_entity_vectors(db, progress=progress)
    return ids


def _storing(part: Sequence[SourceEntity]) -> Callable[[StoredResolver], list[Step]]:
    def steps(state: StoredResolver) -> list[Step]:
        at = now()
        rows = [record_row(record, at) for record in part]
        for record, row in zip(part, rows, strict=True):
            attributes = _without_acl(record)
            state.put_record(known(record.id, record.name, record.type, record.aliases, attributes, row["hash"]))
        return [("load/records", {"rows": rows}), *settled_steps(state, (), at)]

    return steps


def _forget(state: StoredResolver, ids: Sequence[str]) -> None:
    def steps(state: StoredResolver) -> list[Step]:
        state.purge()
        for record in ids:
            if record in state.resolver.registry.directory.records:
                state.drop_record(record)
        return [("maintain/forget_records", {"ids": list(ids)}), *settled_steps(state, (), now())]

    optimistic(state, steps)


def record_row(record: SourceEntity, loaded: str) -> Row:
    """The row of ``load/records``."""
    attributes = json.dumps(_without_acl(record), ensure_ascii=False, sort_keys=True)
    acl = _acl(next((value for name, value in record.attributes.items() if name.casefold() == _ACL), None))
    said = [record.name, record.type, list(record.aliases), attributes, acl]
    return {
        "id": record.id,
        "name": record.name,
        "key": name_key(record.name),
        "type": record.type,
        "aliases": list(record.aliases),
        "attributes": attributes,
        "acl": acl,
        "source": _source(record),
        "hash": hashlib.sha256(json.dumps(said, ensure_ascii=False).encode()).hexdigest(),
        "loaded": loaded,
    }


def _source(record: SourceEntity) -> str:
    """The registry that a record is from: the name of its file, wherever that lies."""
    return PurePath(record.source).name


def _without_acl(record: SourceEntity) -> dict[str, JSON]:
    return {name: value for name, value in record.attributes.items() if name.casefold() != _ACL}


def _acl(value: JSON) -> list[str]:
    """Who may read a record, as for documents: a list, or text with commas."""
    if isinstance(value, str):
        value = [*value.translate(_BETWEEN).split(",")]
    names = [str(name).strip() for name in value] if isinstance(value, list) else []
    return list(dict.fromkeys(name for name in names if name))


@dataclass(slots=True)
class _Intake:
    """Sorts the records of one load; holds ids and hashes of what is stored."""

    stored: dict[str, tuple[str, str]]
    seen: set[str] = field(default_factory=set)
    sources: set[str] = field(default_factory=set)
    rejected: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=lambda: dict.fromkeys(("created", "changed", "unchanged"), 0))

    def new_and_changed(self, records: Iterable[SourceEntity | Rejected | Ignored]) -> Iterator[SourceEntity]:
        for record in records:
            if isinstance(record, Rejected):
                self.rejected.append(str(record))
            elif isinstance(record, Ignored):
                self.warnings.append(str(record))
            elif record.id not in self.seen:
                self.seen.add(record.id)
                self.sources.add(_source(record))
                if self._is_due(record):
                    yield record

    def _is_due(self, record: SourceEntity) -> bool:
        known_hash, source = self.stored.get(record.id, (None, ""))
        if known_hash is None:
            self.counts["created"] += 1
            return True
        if source != _source(record):
            self.warnings.append(f"the record {record.id!r} is now that of {_source(record)}; it was from {source}")
        elif known_hash == record_row(record, "")["hash"]:
            self.counts["unchanged"] += 1
            return False
        self.counts["changed"] += 1
        return True

    def gone(self) -> list[str]:
        if self.rejected:
            return []
        return sorted(id for id, (_, source) in self.stored.items() if source in self.sources and id not in self.seen)

    def report(self, removed: int, *, replace: bool) -> LoadReport:
        if replace and self.rejected:
            self.warnings.append("no record was taken out, since some could not be read")
        fields: dict[str, Any] = dict(self.counts, moved=0, removed=removed)
        return LoadReport(
            kind="entities",
            read=len(self.seen),
            rejected=tuple(self.rejected),
            warnings=tuple(self.warnings),
            **fields,
        )

"""``graphstore eval entities enterprisebench-people``: whom a name in a text means, against a directory of people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphstore.corpusmap.decisions import Link
from graphstore.corpusmap.directory import Known
from graphstore.corpusmap.duplicates import Candidate, duplicates_of
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.extraction import Extraction
from graphstore.corpusmap.resolve import Resolver
from graphstore.errors import LoadError
from graphstore.evaluation.entity_metrics import b_cubed, pairs_of, pairwise
from graphstore.evaluation.people_texts import (
    People,
    Text,
    absent,
    first_names,
    homonyms,
    places,
    read,
    record_of,
    with_slips,
)
from graphstore.progress import Progress
from graphstore.records import SourceDocument

SEED = 7
_ABSENT = 0.3
_DECIMALS = 4


def people_figures(folder: Path, *, protocol: str | None, progress: Progress) -> dict[str, Any]:
    """The report, as ``--json`` prints it.

    :raises LoadError: the data set is not there, or a protocol was named: there is one only.
    """
    if protocol is not None:
        raise LoadError("has one protocol only, with a row for each way in which it is asked", folder)
    return report_of(read(folder), progress=progress)


def report_of(people: People, *, progress: Progress) -> dict[str, Any]:
    """The report: a row for each way of asking.

    ``local``: full names in tickets and posts. ``absent``: 30 % of the people are not in the directory. ``slip``: one
    slip of the pen in the name; ``slip-proposed``: the one record that a person is shown for it counts too.
    ``first-name``: nothing else of the name. ``homonyms``: a second person of each name.
    Precision: of links to a record, how many are to the right one; recall: of all texts, how many. ``wrong`` links are
    counted too; those of ``absent`` are of texts whose person the directory does not have.
    """
    records = [record_of(row) for row in people.employees.values()]
    tickets, posts = people.tickets, people.posts
    gone = absent(people, _ABSENT, SEED)
    asked: dict[str, tuple[Sequence[Text], Iterable[Known]]] = {
        "local": ((*tickets, *posts), records),
        "absent": (
            [text for text in (*tickets, *posts) if text.person in gone],
            [record for record in records if record.id not in gone],
        ),
        "slip": (with_slips(tickets, SEED), records),
        "slip-posts": (with_slips(posts, SEED), records),
        "first-name": (first_names(tickets), records),
        "first-name-posts": (first_names(posts), records),
        "homonyms": (tickets, [*records, *homonyms(people, tickets, SEED, same_category=False)]),
        "homonyms-same-category": (tickets, [*records, *homonyms(people, tickets, SEED, same_category=True)]),
        "homonyms-posts": (posts, [*records, *homonyms(people, posts, SEED, same_category=False)]),
    }
    methods = {}
    reader = _Reader()
    for done, (name, (texts, directory)) in enumerate(asked.items()):
        progress("asking", done, len(asked))
        if name == "slip":
            methods["slip-proposed"] = _figures(texts, _linked(texts, directory, reader, proposals=True), frozenset())
        methods[name] = _figures(texts, _linked(texts, directory, reader), gone if name == "absent" else frozenset())
    return {
        "dataset": "enterprisebench-people",
        "protocol": f"seed {SEED}",
        "encoder": None,
        "questions": len(tickets) + len(posts),
        "items": "texts",
        "methods": methods,
        "comparisons": [],
    }


class _Reader:
    """Extractions of texts, each made once: most ways of asking ask the same texts."""

    def __init__(self) -> None:
        self._made: dict[str, Extraction] = {}

    def read(self, texts: Sequence[Text]) -> list[Extraction]:
        """The extraction of each text."""
        new = list(dict.fromkeys(text.text for text in texts if text.text not in self._made))
        sources = [SourceDocument(id=str(i), path=str(i), title="", text=text) for i, text in enumerate(new)]
        self._made.update(zip(new, extract(sources), strict=True))
        return [self._made[text.text] for text in texts]


def _linked(
    texts: Sequence[Text], records: Iterable[Known], reader: _Reader, *, proposals: bool = False
) -> dict[str, str]:
    """The entity that the person of each text was decided to be, of texts where one was."""
    resolver = Resolver()
    for record in records:
        resolver.put_record(record)
    for text, extraction in zip(texts, reader.read(texts), strict=True):
        resolver.put(text.id, "", "", extraction)
    resolver.settle()
    proposed = _proposed(resolver) if proposals else {}
    found = {}
    for text in texts:
        wanted = places(text)
        for decision in resolver.decisions.get(text.id, ()):
            if isinstance(decision, Link) and any(_meet(span, place) for span in decision.spans for place in wanted):
                found[text.id] = proposed.get(decision.entity, decision.entity)
    return found


def _proposed(resolver: Resolver) -> dict[str, str]:
    """The record that a person would be shown for an entity without one: where there is only one."""
    records = resolver.registry.directory.records.values()
    entities = [
        Candidate(entity.id, entity.name, entity.kind, entity.aliases, {})
        for entity in resolver.entities.values()
        if entity.id not in resolver.registry.directory.records
    ]
    known = [Candidate(record.id, record.name, record.kind or entities[0].kind, record.names, {}) for record in records]
    ids = {record.id for record in records}
    shown: dict[str, set[str]] = {}
    for pair in duplicates_of([*entities, *known]):
        for entity, record in ((pair.keep.id, pair.merge.id), (pair.merge.id, pair.keep.id)):
            if record in ids and entity not in ids:
                shown.setdefault(entity, set()).add(record)
    return {entity: next(iter(found)) for entity, found in shown.items() if len(found) == 1}


def _meet(a: tuple[int, int], b: tuple[int, int]) -> bool:
    return a[0] < b[1] and b[0] < a[1]


def _figures(texts: Sequence[Text], found: Mapping[str, str], gone: frozenset[str]) -> dict[str, float]:
    known = [text for text in texts if (entity := found.get(text.id)) and _is_record(entity)]
    right = sum(found[text.id] == text.person and text.person not in gone for text in known)
    ours = {text.id: found.get(text.id, f"?{text.id}") for text in texts}
    true = {text.id: text.person for text in texts}
    pairs = [pairs_of(_members(each)) for each in (ours, true)]
    by_pair = pairwise(*pairs)
    return {
        "texts": len(texts),
        "linked": len(known),
        "wrong": len(known) - right,
        "precision": round(right / len(known), _DECIMALS) if known else 1.0,
        "recall": round(right / len(texts), _DECIMALS) if texts else 1.0,
        "pairwise_f1": round(by_pair.f1, _DECIMALS),
        "bcubed_f1": round(b_cubed(ours, true).f1, _DECIMALS),
    }


def _is_record(entity: str) -> bool:
    return entity.startswith(("emp_", "made-"))


def _members(clusters: Mapping[str, str]) -> list[list[int]]:
    members: dict[str, list[int]] = {}
    for index, cluster in enumerate(clusters.values()):
        members.setdefault(cluster, []).append(index)
    return list(members.values())

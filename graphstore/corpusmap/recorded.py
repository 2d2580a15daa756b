"""Which record of a registry a name in a document means, or that none is sure (RESOLUTION step 7).

An exact name that one record only has is linked; of several, the one that a stated address, a department or the like
leaves. A first name or surname alone is never enough: something else must leave one record.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from graphstore.corpusmap.context import said_in
from graphstore.corpusmap.decisions import WORD, Decision, Link, Unresolved, link
from graphstore.corpusmap.homonyms import Bearer
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.registry import Registry

ADDRESS = "its address in the registry"
_BESIDE = 16
"""Characters between a name and what is said of its bearer: " from the ", ", head of "."""

TOLD = 0.9
"""Confidence in one of several records of a name, told by an attribute that the document mentions."""


class RecordChoice:
    """Chooses among records by what a document says."""

    def __init__(self, registry: Registry, record: Callable[[str], str]) -> None:
        """Choices of a resolver.

        :param record: The entity of a record, after merges.
        """
        self._registry = registry
        self._record = record

    def by_address(self, local: Local) -> Link | None:
        """The record whose address stands beside the name, if it is one record's and the two share a word."""
        directory = self._registry.directory
        if not directory.records:
            return None
        words = set(local.key.split(" "))
        for qualifier in sorted(local.qualifiers):
            kind, _, address = qualifier.partition(":")
            found = directory.claims(address, identifier=True) if kind == "mail" else frozenset()
            if len(found) == 1:
                (record,) = found
                if any(words & set(key.split(" ")) for key in directory.records[record].keys):
                    return link(local, self._record(record), 1.0, ADDRESS, None)
        return None

    def by_name(
        self,
        document: str,
        local: Local,
        records: Sequence[str],
        bearers: Iterable[Bearer],
        confidence: float,
        reason: str,
    ) -> Decision | None:
        """The record that a full name, a code or an address means; ``None`` if it is someone else's.

        :param bearers: All that documents tell apart under the name; some may be no record's.
        """
        directory = self._registry.directory
        wanted = [record for record in records if self._is_of_kind(record, local)]
        confirmed, possible = directory.fitting(wanted, local.qualifiers)
        candidates = confirmed or possible
        if not candidates:
            if not wanted or any(q.startswith("mail:") for q in local.qualifiers):
                return None
            why = "a record has the name, in another department"
            return Unresolved(local.names[0], self._registry.kind(local.key), local.spans, why)
        others = [bearer for bearer in bearers if not any(directory.fitting(records, bearer.qualifiers))]
        if len(candidates) == 1 and (confirmed or not others):
            return link(local, self._record(candidates[0]), confidence, reason, None)
        mentioned = self._beside(document, local)
        if told := directory.told(candidates, mentioned):
            why = f"{reason}: {directory.saying(told, mentioned)}"
            return link(local, self._record(told), min(confidence, TOLD), why, None)
        if len({self._record(record) for record in candidates}) == 1 and not others:
            return link(local, self._record(candidates[0]), confidence, reason, None)
        said = (
            f"{len(candidates) + len(others)} bearers of the name, {len(candidates)} of them in a registry, none sure"
        )
        return Unresolved(local.names[0], self._registry.kind(local.key), local.spans, said)

    def by_part(
        self, document: str, local: Local, people: Mapping[str, str | None], named: Sequence[str]
    ) -> Link | None:
        """The record that a first name or surname means, if something else in the document leaves one.

        :param people: Everyone whose name holds the word, each with its record if there is one.
        :param named: Records that have the word for a whole name.
        """
        directory = self._registry.directory
        records = {record: entity for entity, record in people.items() if record is not None}
        if not records and not named:
            return None
        if len(named) == 1 and set(people) <= {self._record(named[0])}:
            return link(local, self._record(named[0]), WORD, "a name in the registry", None)
        mentioned = self._mentioned(document)
        confirmed, _ = directory.fitting(records, local.qualifiers)
        told = confirmed[0] if len(confirmed) == 1 else directory.told(records, mentioned)
        if told is None or None in people.values():
            return None
        why = f"part of the name: {directory.saying(told, mentioned)}"
        return link(local, records[told], WORD, why, None)

    def _is_of_kind(self, record: str, local: Local) -> bool:
        kind = self._registry.directory.records[record].kind
        return kind is None or local.strong in (None, kind) or local.key in self._identifiers(record)

    def _identifiers(self, record: str) -> frozenset[str]:
        return self._registry.directory.records[record].identifiers

    def _beside(self, document: str, local: Local) -> frozenset[str]:
        """What stands right behind a name: a department that a text is about is not for that its bearer's."""
        extraction = self._registry.entries[document].extraction
        ends = [end for _, end in local.spans]
        starts = [
            *((name.key, name.start) for name in extraction.names),
            *((window.key, window.start) for window in extraction.windows),
        ]
        near = (key for key, start in starts if any(0 < start - end <= _BESIDE for end in ends))
        return self._registry.directory.mentioned(near)

    def _mentioned(self, document: str) -> frozenset[str]:
        """Normalised names, phrases, departments and folders of a document."""
        return self._registry.directory.mentioned(said_in(self._registry.entries[document]))

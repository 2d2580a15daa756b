"""What is decided for a name as a whole, before any document is looked at."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from graphstore.corpusmap.choice import Outcome
from graphstore.corpusmap.decisions import canonical_key, certainty
from graphstore.corpusmap.evidence import CALLED, project_name
from graphstore.corpusmap.grouping import Grouping
from graphstore.corpusmap.homonyms import bearers
from graphstore.corpusmap.projects import around
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.rulings import Rulings
from graphstore.corpusmap.types import CODE, EMAIL
from graphstore.corpusmap.used import is_surname


class Outcomes:
    """Reads what the resolver keeps."""

    def __init__(self, registry: Registry, grouping: Grouping, rulings: Rulings) -> None:
        self._registry = registry
        self._grouping = grouping
        self._rulings = rulings

    def is_surname(self, key: str, outcome: Outcome) -> bool:
        """Whether a word that means nothing else may be someone's surname."""
        return not outcome.joined and not outcome.records and is_surname(self._registry, key)

    def of(self, key: str) -> Outcome:
        """What is decided for a key that documents have."""
        registry, alone = self._registry, self._rulings.split_keys
        cluster = self._grouping.cluster[key]
        here = tuple(bearers(self._qualifiers(key)))
        by_itself = key in alone or len(here) > 1 or self._has_homonyms(cluster)
        named = frozenset(other for other in cluster if other in registry.key_docs and other not in alone)
        canonical = key if by_itself else canonical_key(named)
        kind = registry.shown_kind(key)
        voted, titles = registry.kind(key), registry.names_a_document(key)
        score, reason, joined = certainty(key, voted), "equal name", len(cluster) > 1
        records = self._records_of(key, cluster) - alone.get(key, frozenset())
        if records and self._is_theirs(key, records):
            reason = "equal name in the registry"
        elif key != canonical or records:
            score, reason = max(edge for other, edge in self._grouping.edges[key].items() if other in cluster)
        project = self._project(key) if joined and not records else None
        told = around(registry, key, project) if project else ""
        known = (joined, kind, voted, titles, tuple(sorted(records)))
        found = Outcome(canonical, score, reason, here, *known, project=project, around=told)
        return replace(found, surname=True) if self.is_surname(key, found) else found

    def _project(self, key: str) -> str | None:
        """The project whose name it is, if no more than that and what surrounds it says so."""
        for other, (_, reason) in self._grouping.edges.get(key, {}).items():
            if reason == CALLED.reason and project_name(other) == key and other in self._grouping.cluster[key]:
                return other
        return None

    def _records_of(self, key: str, cluster: frozenset[str]) -> frozenset[str]:
        """Records that have the name, or else one of the names that mean the same."""
        directory = self._registry.directory
        if not directory.records:
            return frozenset()
        own = directory.claims(key, identifier=self._registry.kind(key) in (CODE, EMAIL)) or directory.claims(key)
        if own or key in self._rulings.split_keys:
            return own
        return frozenset().union(*(directory.claims(other) for other in cluster))

    def _is_theirs(self, key: str, records: Iterable[str]) -> bool:
        known = self._registry.directory.records
        return any(key in known[record].keys or key in known[record].identifiers for record in records)

    def _has_homonyms(self, cluster: frozenset[str]) -> bool:
        return any(len(bearers(self._qualifiers(key))) > 1 for key in cluster)

    def _qualifiers(self, key: str) -> Iterable[frozenset[str]]:
        registry = self._registry
        return [
            local.qualifiers
            for document in registry.qualified_docs.at(key)
            for local in registry.locals.get(document, ())
            if local.key == key and local.qualifiers
        ]

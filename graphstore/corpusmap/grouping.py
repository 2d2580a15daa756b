"""Clusters of names, kept up to date: what changed, and what its evidence reaches, is joined anew."""

from __future__ import annotations

from graphstore.corpusmap.clusters import Edge, edges_of, join, near_names
from graphstore.corpusmap.evidence import parts
from graphstore.corpusmap.keys import is_word
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.types import PERSON


class Grouping:
    """The clusters of a registry's names."""

    def __init__(self, registry: Registry) -> None:
        self.edges: dict[str, dict[str, Edge]] = {}
        self.cluster: dict[str, frozenset[str]] = {}
        self._registry = registry
        self._people: set[str] = set()  # names that were a person's when they were last looked at

    def affected(self, touched: set[str]) -> set[str]:
        """Touched keys and those whose evidence they take part in, as rivals too."""
        registry = self._registry
        near = set(touched)
        for key in touched:
            near |= registry.alias_of.at(key)
            person = registry.kind(key) == PERSON or key in self._people
            near |= near_names(registry, key, person=person)
            near.update(part for part in parts(key) if registry.knows(part))
            if is_word(key):
                near |= registry.part_keys.at(key)
        return near

    def recluster(self, affected: set[str]) -> set[str]:
        """Weigh the evidence of the affected names anew and join what it connects.

        :returns: Every name whose cluster may differ.
        """
        for key in affected:
            for other in self.edges.pop(key, {}):
                self.edges.get(other, {}).pop(key, None)
        self._people -= affected
        self._people |= {key for key in affected if self._registry.kind(key) == PERSON}
        for key in affected:
            for other, edge in edges_of(self._registry, key).items():
                self.edges.setdefault(key, {})[other] = edge
                self.edges.setdefault(other, {})[key] = edge
        near = self._reachable(affected)
        for key in near:
            self.cluster.pop(key, None)
        for cluster in join(self._registry, near, self.edges):
            if len(cluster) > 1 or next(iter(cluster)) in self._registry.key_docs:
                self.cluster.update(dict.fromkeys(cluster, cluster))
        return near

    def _reachable(self, keys: set[str]) -> set[str]:
        # Along evidence as it is now, and along clusters as they were: both sides of a link that broke.
        near, queue = set(keys), list(keys)
        while queue:
            key = queue.pop()
            reach = self.edges.get(key, {}).keys() | self.cluster.get(key, frozenset())
            queue.extend(reach - near)
            near |= reach
        return near

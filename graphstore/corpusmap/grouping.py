"""Clusters of names, kept up to date: what changed, and what its evidence reaches, is joined anew."""

from __future__ import annotations

from graphstore.corpusmap.clusters import Edge, edges_of, join
from graphstore.corpusmap.evidence import parts
from graphstore.corpusmap.keys import is_word
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.rivals import Claim, claim_of, near_names, rivals_of
from graphstore.corpusmap.types import PERSON


class Grouping:
    """The clusters of a registry's names."""

    def __init__(self, registry: Registry) -> None:
        self.edges: dict[str, dict[str, Edge]] = {}
        self.cluster: dict[str, frozenset[str]] = {}
        self._registry = registry
        self._claims: dict[str, Claim] = {}  # of names as they were when they were last looked at

    def affected(self, touched: set[str]) -> set[str]:
        """Touched keys and those whose evidence they take part in, as rivals too.

        A name that one more document has, and else is what it was, is compared with its rivals only.
        """
        registry = self._registry
        near: set[str] = set()
        same: list[str] = []
        for key in touched:
            near.update(*(registry.slips.at(word) for word in (key, *parts(key))))
            before, claim = self._claims.get(key), claim_of(registry, key)
            if claim != before:
                near |= self._claimed_anew(key, before, claim)
            elif claim:
                same.append(key)
            if claim or before or key in registry.alias_of or key in self.edges:
                near.add(key)
                near |= registry.alias_of.at(key)
        for key in same:
            near |= rivals_of(registry, key).keys()
        return near

    def _claimed_anew(self, key: str, before: Claim | None, claim: Claim | None) -> set[str]:
        """Note a claim that changed; returned are the names that have, or had, evidence with this one.

        Those who share a block with a name are many more ("New York …"), and have the rivals that they had.
        """
        registry = self._registry
        if claim:
            self._claims[key] = claim
        else:
            self._claims.pop(key, None)
        old = registry.rivals.pop(key, None if before else {})
        if old is None:
            return self._all_around(key, before, claim)
        new = rivals_of(registry, key) if claim else {}
        for other in old.keys() | new.keys():
            if (rivals := registry.rivals.get(other)) is not None:
                rest = {name: evidence for name, evidence in rivals.items() if name != key}
                registry.rivals[other] = {**rest, key: new[other]} if other in new else rest
        # what a word is taken for rests on what the names are that hold it
        return {*old, *new, *(part for part in parts(key) if registry.knows(part))}

    def _all_around(self, key: str, before: Claim | None, claim: Claim | None) -> set[str]:
        """All who may have other rivals now: nobody knows whose rival the name was."""
        registry, kinds = self._registry, {each[0] for each in (before, claim) if each}
        near = near_names(registry, key, person=PERSON in kinds)
        near.update(part for part in parts(key) if registry.knows(part))
        if is_word(key) and kinds != {PERSON}:
            near |= registry.part_keys.at(key)
        for other in near:
            registry.rivals.pop(other, None)
        return near

    def recluster(self, affected: set[str]) -> set[str]:
        """Weigh the evidence of the affected names anew and join what it connects.

        :returns: Every name whose cluster may differ.
        """
        for key in affected:
            for other in self.edges.pop(key, {}):
                self.edges.get(other, {}).pop(key, None)
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

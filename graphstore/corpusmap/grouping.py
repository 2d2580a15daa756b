"""Clusters of names, kept up to date: what changed, and what its evidence reaches, is joined anew."""

from __future__ import annotations

from graphstore.corpusmap.clusters import Edge, edges_of, join
from graphstore.corpusmap.evidence import parts
from graphstore.corpusmap.keys import is_word
from graphstore.corpusmap.packing import pack, pack_names, unpack_claim, unpack_edges, unpack_names
from graphstore.corpusmap.registry import Registry
from graphstore.corpusmap.rivals import Claim, claim_of, near_names, rivals_of
from graphstore.corpusmap.shelf import Shelf
from graphstore.corpusmap.table import Table
from graphstore.corpusmap.types import PERSON


class Grouping:
    """The clusters of a registry's names."""

    def __init__(self, registry: Registry, shelf: Shelf) -> None:
        self.edges: Table[dict[str, Edge]] = Table(shelf, "edges", pack, unpack_edges)
        self.cluster = Table(shelf, "cluster", pack_names, unpack_names)
        self._registry = registry
        self._claims: Table[Claim] = Table(shelf, "claims", pack, unpack_claim)  # of names as they were last looked at

    def affected(self, touched: set[str]) -> set[str]:
        """Touched keys and those whose evidence they take part in, as rivals too.

        A name that one more document has, and else is what it was, is compared with its rivals only.
        """
        registry = self._registry
        near: set[str] = set()
        same: list[str] = []
        for key in touched:
            near.update(*(registry.slips.at(word) for word in (key, *parts(key))))
            before, now = self._claims.get(key), claim_of(registry, key)
            if now != before:
                near |= self._claimed_anew(key, before, now)
            elif now:
                same.append(key)
            if now or before or key in registry.alias_of or key in self.edges:
                near.add(key)
                near |= registry.alias_of.at(key)
        for key in same:
            near |= rivals_of(registry, key).keys()
        return near

    def _claimed_anew(self, key: str, before: Claim | None, now: Claim | None) -> set[str]:
        """Note a claim that changed; returned are the names that have, or had, evidence with this one.

        Those who share a block with a name are many more ("New York …"), and have the rivals that they had.
        """
        registry = self._registry
        if now:
            self._claims[key] = now
        else:
            self._claims.pop(key, None)
        old = registry.rivals.pop(key, None if before else {})
        if old is None:
            return self._all_around(key, before, now)
        new = rivals_of(registry, key) if now else {}
        for other in old.keys() | new.keys():
            if (rivals := registry.rivals.get(other)) is not None:
                rest = {name: evidence for name, evidence in rivals.items() if name != key}
                registry.rivals[other] = {**rest, key: new[other]} if other in new else rest
        # what a word is taken for rests on what the names are that hold it
        return {*old, *new, *(part for part in parts(key) if registry.knows(part))}

    def _all_around(self, key: str, before: Claim | None, now: Claim | None) -> set[str]:
        """All who may have other rivals now: nobody knows whose rival the name was."""
        registry, kinds = self._registry, {each[0] for each in (before, now) if each}
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
        self._weigh(affected)
        near = self._reachable(affected)
        found: dict[str, frozenset[str]] = {}
        for cluster in join(self._registry, near, self.edges):
            if len(cluster) > 1 or next(iter(cluster)) in self._registry.key_docs:
                found.update(dict.fromkeys(cluster, cluster))
        for key in near:
            if key in found:
                self.cluster.put(key, found[key])
            else:
                self.cluster.pop(key, None)
        return near

    def _weigh(self, affected: set[str]) -> None:
        """Give the affected names the edges that they have now, and no others."""
        rows: dict[str, dict[str, Edge]] = {}

        def row(key: str) -> dict[str, Edge]:
            if key not in rows:
                rows[key] = dict(self.edges.get(key, {}))
            return rows[key]

        for key in affected:
            for other in row(key):
                row(other).pop(key, None)
            row(key).clear()
        for key in affected:
            for other, edge in edges_of(self._registry, key).items():
                row(key)[other] = edge
                row(other)[key] = edge
        for key, made in rows.items():
            if made:
                self.edges.put(key, made)
            else:
                self.edges.pop(key, None)

    def _reachable(self, keys: set[str]) -> set[str]:
        # Along evidence as it is now, and along clusters as they were: both sides of a link that broke.
        near, queue = set(keys), list(keys)
        while queue:
            key = queue.pop()
            reach = self.edges.get(key, {}).keys() | self.cluster.get(key, frozenset())
            queue.extend(reach - near)
            near |= reach
        return near

"""The corpus map as one reader may see it: what is invisible counts nowhere."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphstore.corpusmap.keys import name_key
from graphstore.names import normalise
from graphstore.pages.build import Named, Recorded, named
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot
from graphstore.retrieval.mentioned import Gazetteer
from graphstore.retrieval.ppr import BipartiteDiffusion
from graphstore.retrieval.restart import Links, csr
from graphstore.retrieval.title_spans import weak_links
from graphstore.visibility import OWNER, Visibility

COMMON = 0.03  # a name in more than this share of documents leads nowhere
ALWAYS_RARE = 10  # … but in a small collection a name in so many documents still does


@dataclass(frozen=True)
class CorpusView:
    """A snapshot without what one reader may not see.

    :param who: Who reads, and at what date.
    :param visible: *Shape:* ``(documents,)``; ``None`` where all are, which saves work
    :param links: Links of visible documents. *Shape:* ``(documents, entities)``, CSR
    :param own: Whether the document is about the entity, aligned with ``links.data``.
    :param number: Each link's number in the snapshot, aligned with ``links.data``.
    :param frequency: Visible documents of each entity. *Shape:* ``(entities,)``
    """

    snapshot: CorpusSnapshot
    who: Visibility
    visible: NDArray[np.bool_] | None
    links: Links
    own: NDArray[np.bool_]
    number: NDArray[np.int64]
    frequency: NDArray[np.int64]

    @property
    def n(self) -> int:
        """Number of visible documents."""
        return len(self.snapshot.documents) if self.visible is None else int(self.visible.sum())

    def sees(self, document: int) -> bool:
        """Whether the document exists for the reader."""
        return self.visible is None or bool(self.visible[document])

    @cached_property
    def rarity(self) -> NDArray[np.float64]:
        """log((n + 1) / frequency) / log(n + 1); 0 for names too common, or in fewer than two documents. In [0, 1]

        *Shape:* ``(entities,)``
        """
        return self._rarity(self.frequency)

    def _rarity(self, frequency: NDArray[np.int64]) -> NDArray[np.float64]:
        rare = (frequency >= 2) & (frequency <= self.most)
        out = np.zeros(len(frequency))
        # one document more than there are: a name that all of two documents share still leads somewhere
        out[rare] = np.log((self.n + 1) / frequency[rare]) / np.log(self.n + 1)
        return out

    @property
    def most(self) -> int:
        """The most documents in which a name is still rare."""
        return max(int(COMMON * self.n), ALWAYS_RARE)

    @cached_property
    def back(self) -> tuple[Links, NDArray[np.int64]]:
        """The links by entity, and where each stands among :attr:`links`. *Shape:* ``(entities, documents)``, CSR"""
        numbered = csr(self.links.copy())
        numbered.data = np.arange(self.links.nnz, dtype=np.float64)
        turned = csr(numbered.T)
        place = turned.data.astype(np.int64)
        turned.data = self.links.data[place]
        return turned, place

    @cached_property
    def names(self) -> Gazetteer:
        """The names by which visible documents call entities. An entity that only hidden ones name has none here."""
        forms = self.snapshot.forms
        per_link = np.diff(forms.starts)[self.number]
        first = np.repeat(forms.starts[self.number] - np.concatenate([[0], np.cumsum(per_link)[:-1]]), per_link)
        form = forms.ids[first + np.arange(int(per_link.sum()))].astype(np.int64)
        entity = np.repeat(self.links.indices, per_link).astype(np.int64)
        return Gazetteer.of(forms.keys, form, entity, name_key)

    @cached_property
    def titles(self) -> Gazetteer:
        """The titles of visible documents."""
        keys = self.snapshot.documents.keys
        owner = np.repeat(np.arange(len(keys)), [len(each) for each in keys])
        named = np.arange(len(owner)) if self.visible is None else np.flatnonzero(self.visible[owner])
        return Gazetteer.of(list(chain.from_iterable(keys)), named, owner[named], normalise)

    @cached_property
    def title_links(self) -> Links:
        """Weak links: from documents to those whose title stands in their text, weighted by rarity. *Shape:* ``(n, n)``

        CSR; as rare as a name of the documents that hold the title and of the one that has it.
        """
        links, named = weak_links(self.snapshot.titles, self.links, self.own, self.visible)
        links.data = self._rarity(named + 1)[links.indices]
        links.eliminate_zeros()
        return links

    @cached_property
    def title_words(self) -> Links:
        """The words of visible documents' titles, each by rarity; a title's sum to 1. *Shape:* ``(n, vocabulary)``"""
        index, said = self.snapshot.words, self.snapshot.documents.words
        number = index.postings.vocabulary
        rarity: dict[str, float] = {}
        rows, columns, weights = [], [], []
        for i, words in enumerate(said):
            if not self.sees(i):
                continue
            for word in words:
                if word not in rarity:
                    rarity[word] = index.idf(word, visible=self.visible)
            total = sum(rarity[word] for word in words)
            rows += [i] * len(words)
            columns += [number[word] for word in words]
            weights += [rarity[word] / total for word in words]
        return csr(sparse.csr_array((weights, (rows, columns)), shape=(len(said), len(number))))

    def named(self, entity: int) -> Named:
        """The entity as the reader knows it."""
        back, place = self.back
        span = slice(back.indptr[entity], back.indptr[entity + 1])
        forms = [self.snapshot.forms.of(int(self.number[i])) for i in place[span]]
        things = self.snapshot.entities
        name, further, acl = things.records[entity] or ("", (), ())
        # a record has no date: at an earlier day it was not known
        shown = Recorded(name, tuple(further)) if name and self.who.as_of is None and self.who.may_read(acl) else None
        return named(things.ids[entity], things.names[entity], things.types[entity], forms, shown)

    @cached_property
    def diffusion(self) -> BipartiteDiffusion:
        """Diffusion over documents and entities, links weighted by the square of the entity's rarity."""
        weights = csr(self.links.copy())
        weights.data = weights.data * self.rarity[weights.indices] ** 2
        return BipartiteDiffusion(weights)


def view_for(snapshot: CorpusSnapshot, who: Visibility = OWNER) -> CorpusView:
    """The view of a reader at a date."""
    if who.sees_all:
        visible = None
        links, own, number = snapshot.links, snapshot.own, np.arange(snapshot.links.nnz)
    else:
        known = zip(snapshot.documents.acl, snapshot.documents.known, strict=True)
        visible = np.array([who.sees(acl, since) for acl, since in known], dtype=np.bool_)
        kept = np.repeat(visible, np.diff(snapshot.links.indptr))
        indptr = np.concatenate([[0], np.cumsum(np.where(visible, np.diff(snapshot.links.indptr), 0))])
        parts = (snapshot.links.data[kept], snapshot.links.indices[kept], indptr)
        links = csr(sparse.csr_array(parts, shape=snapshot.links.shape))
        own, number = snapshot.own[kept], np.flatnonzero(kept)
    frequency = np.bincount(links.indices, minlength=len(snapshot.entities))
    return CorpusView(snapshot, who, visible, links, own, number.astype(np.int64), frequency)

"""Lexical scores in process: BM25 over token lists, exact for any part of the collection.

score(q, i) = Σ_t idf(t) · f / (f + k₁ (1 − b + b · length_i / mean length)), idf(t) = ln(1 + (n − df + ½) / (df + ½)).

Numbers of documents, frequencies and lengths are counted among the visible documents only: what a reader may not see
leaves no trace in a score. That is why the postings are kept and not, as in the library bm25s (which a test compares
with), finished scores.

Source: Robertson and Zaragoza (2009), section 3.4; Kamphuis et al. (2020), "Which BM25 Do
You Mean?", the Lucene variant.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

K1 = 1.5
B = 0.75


@dataclass(frozen=True)
class Postings:
    """Which documents hold a token, and how often.

    :param starts: Where each token's postings begin, and the end. *Shape:* ``(tokens + 1,)``
    :param documents: Ascending within a token. *Shape:* ``(postings,)``
    :param counts: *Shape:* ``(postings,)``
    :param lengths: Number of tokens of each document. *Shape:* ``(n,)``
    """

    vocabulary: Mapping[str, int]
    starts: NDArray[np.int64]
    documents: NDArray[np.int32]
    counts: NDArray[np.float32]
    lengths: NDArray[np.float32]


def count(documents: Iterable[Sequence[str]]) -> Postings:
    """The postings of documents given as lists of tokens."""
    vocabulary: dict[str, int] = {}
    ids, lengths = _numbered(documents, vocabulary)
    owners = np.repeat(np.arange(len(lengths), dtype=np.int32), lengths)
    table = _table(np.ones(len(ids), np.float32), ids, owners, (len(vocabulary), len(lengths)))
    return _postings(vocabulary, table, lengths.astype(np.float32))


NOTHING = Postings({}, np.zeros(1, np.int64), np.empty(0, np.int32), np.empty(0, np.float32), np.empty(0, np.float32))
"""The postings of no document."""


def recount(before: Postings, places: NDArray[np.int64], documents: Iterable[Sequence[str]], n: int) -> Postings:
    """The postings of documents most of which were counted before; tokens are numbered as they sort.

    :param places: New number of each document counted before, −1 of one that is gone or has changed.
    :param documents: The tokens of each of all others, in the order of their numbers.
    :param n: Number of all documents.
    """
    vocabulary = dict(before.vocabulary)
    ids, sizes = _numbered(documents, vocabulary)
    others = np.setdiff1d(np.arange(n, dtype=np.int32), places)
    owners = places[before.documents].astype(np.int32)
    held = owners >= 0
    tokens_before = np.repeat(np.arange(len(before.vocabulary), dtype=np.int32), np.diff(before.starts))
    rows = np.concatenate([tokens_before[held], ids])
    columns = np.concatenate([owners[held], np.repeat(others, sizes)])
    counts = np.concatenate([before.counts[held], np.ones(len(ids), np.float32)])
    table = _table(counts, rows, columns, (len(vocabulary), n))
    used = np.diff(table.indptr) > 0
    names = sorted(token for token, number in vocabulary.items() if used[number])
    lengths = np.zeros(n, dtype=np.float32)
    lengths[places[places >= 0]] = before.lengths[places >= 0]
    lengths[others] = sizes
    ordered = table[[vocabulary[name] for name in names]]
    return _postings({name: number for number, name in enumerate(names)}, ordered, lengths)


def _numbered(
    documents: Iterable[Sequence[str]], vocabulary: dict[str, int]
) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Numbers of the tokens of all documents, one after the other, and how many each has; new tokens get numbers."""
    ids, sizes = array("i"), array("i")  # lists would take ten times as much
    for tokens in documents:
        ids.extend(vocabulary.setdefault(token, len(vocabulary)) for token in tokens)
        sizes.append(len(tokens))
    return np.frombuffer(ids, np.int32), np.frombuffer(sizes, np.int32)


def _table(
    counts: NDArray[np.float32], tokens: NDArray[np.int32], documents: NDArray[np.int32], shape: tuple[int, int]
) -> sparse.csr_array:
    """How often each token stands in each document, given once for each time or several together."""
    table = sparse.csr_array((counts, (tokens, documents)), shape=shape)
    table.sum_duplicates()
    return table


def _postings(vocabulary: Mapping[str, int], table: sparse.csr_array, lengths: NDArray[np.float32]) -> Postings:
    starts, documents = table.indptr.astype(np.int64), table.indices.astype(np.int32)
    return Postings(vocabulary, starts, documents, table.data, lengths)


class BM25:
    """A lexical index over documents given as lists of tokens (see `graphstore.tokens.tokenise`).

    >>> BM25([["red", "apple"], ["green", "apple"], []]).scores(["red", "unheard"]).round(2).tolist()
    [0.32, 0.0, 0.0]
    """

    def __init__(self, documents: Iterable[Sequence[str]] | Postings) -> None:
        self.postings = documents if isinstance(documents, Postings) else count(documents)
        self.n = len(self.postings.lengths)
        self._norm = _norm(self.postings.lengths, None)

    def scores(self, tokens: Sequence[str], *, visible: NDArray[np.bool_] | None = None) -> NDArray[np.float64]:
        """Relevance of every document; 0 where no token occurs, and where a document is not visible. *Shape:* ``(n,)``

        :param tokens: Of the question; a repeated token counts again, an unknown one not at all.
        :param visible: Documents that exist for the reader; ``None`` means all. *Shape:* ``(n,)``
        """
        out = np.zeros(self.n)
        norm = self._norm if visible is None else _norm(self.postings.lengths, visible)
        total = self.n if visible is None else int(visible.sum())
        for token, times in Counter(tokens).items():
            documents, counts = self.holding(token, visible=visible)
            if len(documents):
                out[documents] += times * _idf(total, len(documents)) * counts / (counts + norm[documents])
        return out

    def holding(
        self, token: str, *, visible: NDArray[np.bool_] | None = None
    ) -> tuple[NDArray[np.int32], NDArray[np.float32]]:
        """The documents that hold a token, ascending, and how often each does."""
        number = self.postings.vocabulary.get(token)
        if number is None:
            return np.empty(0, dtype=np.int32), np.empty(0, dtype=np.float32)
        span = slice(self.postings.starts[number], self.postings.starts[number + 1])
        documents, counts = self.postings.documents[span], self.postings.counts[span]
        if visible is None:
            return documents, counts
        kept = visible[documents]
        return documents[kept], counts[kept]

    def idf(self, token: str, *, visible: NDArray[np.bool_] | None = None) -> float:
        """How rare a token is: 0 if no document holds it, else ln(1 + (n − df + ½) / (df + ½))."""
        held = len(self.holding(token, visible=visible)[0])
        return _idf(self.n if visible is None else int(visible.sum()), held) if held else 0.0


def _idf(n: int, frequency: int) -> float:
    return float(np.log1p((n - frequency + 0.5) / (frequency + 0.5)))


def _norm(lengths: NDArray[np.float32], visible: NDArray[np.bool_] | None) -> NDArray[np.float32]:
    """What a count is weighed against in each document. *Shape:* ``(n,)``"""
    counted = lengths if visible is None else lengths[visible]
    mean = float(counted.mean()) if len(counted) and counted.any() else 1.0
    return np.asarray(K1 * (1 - B + B * lengths / mean), dtype=np.float32)

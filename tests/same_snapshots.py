"""Whether two snapshots of the corpus map are the same, bit for bit, and so are the views of them."""

from __future__ import annotations

from dataclasses import fields, is_dataclass, replace

import numpy as np
from scipy import sparse

from graphstore.retrieval.bm25 import BM25
from graphstore.retrieval.corpus_view import view_for


def assert_same(found, wanted):
    """Fails where two snapshots differ; versions apart."""
    _assert_equal(replace(found, version=0), replace(wanted, version=0), "snapshot")


def assert_same_view(found, wanted, who):
    """Fails where a reader sees two snapshots otherwise."""
    a, b = view_for(found, who), view_for(wanted, who)
    for name in ("visible", "links", "own", "number", "frequency", "rarity", "names", "titles", "title_links"):
        _assert_equal(getattr(a, name), getattr(b, name), name)
    _assert_equal(a.title_words, b.title_words, "title_words")


def _assert_equal(found, wanted, where):
    assert type(found) is type(wanted), where
    if isinstance(found, BM25):
        _assert_equal(found.postings, wanted.postings, where)
    elif is_dataclass(found):
        for field in fields(found):
            _assert_equal(getattr(found, field.name), getattr(wanted, field.name), f"{where}.{field.name}")
    elif isinstance(found, sparse.csr_array):
        assert found.shape == wanted.shape, where
        for name in ("data", "indices", "indptr"):
            _assert_equal(getattr(found, name), getattr(wanted, name), f"{where}.{name}")
    elif isinstance(found, np.ndarray):
        assert found.dtype == wanted.dtype, where
        np.testing.assert_array_equal(found, wanted, where)
    else:
        assert found == wanted, where

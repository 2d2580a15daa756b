"""An index is a set of values per key, whatever it holds them in."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap.index import Index

steps = st.lists(st.tuples(st.booleans(), st.sampled_from("abc"), st.sampled_from("xyz")), max_size=30)


@given(steps)
def test_an_index_is_a_set_of_values_per_key(taken: list[tuple[bool, str, str]]) -> None:
    index, expected = Index(), dict[str, set[str]]()
    for add, key, value in taken:
        (index.add if add else index.discard)(key, value)
        values = expected.setdefault(key, set())
        (values.add if add else values.discard)(value)
    assert {key: index.at(key) for key in "abc"} == {key: expected.get(key, set()) for key in "abc"}
    assert index.keys() == {key for key, values in expected.items() if values}
    assert pickle.loads(pickle.dumps(index)) == index

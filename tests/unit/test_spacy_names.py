"""The recogniser keeps nothing of what it read, and threads may share it."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from graphstore.corpusmap.spacy_names import model, recognise


def texts(seed: int) -> list[str]:
    return [f"Anna Quillon{seed}x{n} met Tom Becker of Tromsdal{seed}x{n} Ltd in Oslo." for n in range(20)]


def test_words_of_texts_are_forgotten() -> None:
    recognise(texts(0))
    before = len(model().vocab.strings)
    found = recognise(texts(1))
    assert any(found)
    assert len(model().vocab.strings) == before


def test_threads_find_what_one_finds() -> None:
    batches = [texts(seed) for seed in range(8)]
    alone = [recognise(batch) for batch in batches]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(recognise, batches)) == alone

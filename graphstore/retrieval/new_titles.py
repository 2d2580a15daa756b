"""Where titles stand in texts after an update: all titles in new texts, new titles in the texts that may hold them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphstore.retrieval.bm25 import BM25
from graphstore.retrieval.corpus_snapshot import CorpusSnapshot, Texts
from graphstore.retrieval.splices import Places
from graphstore.retrieval.title_spans import TitleSpans, ordered, title_spans
from graphstore.tokens import tokenise

TextsOf: TypeAlias = Callable[[Sequence[str]], Mapping[str, str]]

_APOSTROPHE = "\u02bc"  # in a name a letter to the tokeniser, and a mark where titles are compared


def grown_titles(
    before: CorpusSnapshot, texts: Texts, places: Places, new: Sequence[str], texts_of: TextsOf | None
) -> TitleSpans:
    """The places of all titles in all texts.

    :param texts: All documents, as they are now; ``places`` says where each stands.
    :param new: The texts of the new ones.
    :param texts_of: Reads those of others.
    """
    numbers = places.new.tolist()
    kept = _moved(before.titles, places.before)
    in_new = title_spans(dict(enumerate(texts.spellings)), dict(zip(numbers, new, strict=True)))
    titles = {number: written for number in numbers if (written := texts.spellings[number])}
    candidates = np.unique(np.concatenate([np.empty(0, np.int64), *_holding(before.words, titles.values())]))
    others = [int(i) for i in candidates if places.before[i] >= 0]
    if not others or texts_of is None:
        return ordered(kept, in_new)
    known = before.documents.ids
    read = texts_of([known[i] for i in others])
    return ordered(kept, in_new, title_spans(titles, {int(places.before[i]): read[known[i]] for i in others}))


def _moved(spans: TitleSpans, before: NDArray[np.int64]) -> TitleSpans:
    """The places of titles that did not change in texts that did not, with the documents' new numbers."""
    documents, titled = before[spans.documents], before[spans.titled]
    same = (documents >= 0) & (titled >= 0)
    numbers = (documents[same].astype(np.int32), titled[same].astype(np.int32))
    return TitleSpans(*numbers, spans.starts[same], spans.ends[same])


def _holding(words: BM25, titles: Collection[Sequence[str]]) -> Iterator[NDArray[np.int64]]:
    """The documents known before that may hold each title: those that hold all of its words."""
    for token in words.postings.vocabulary if titles else ():
        if _APOSTROPHE in token:
            yield words.holding(token)[0].astype(np.int64)
    for written in titles:
        for spelling in written:
            # only words of letters and digits: what marks do to a token depends on what stands beside them
            tokens = {token for word in spelling.split(" ") if word.isalnum() for token in tokenise(word)}
            found = sorted((words.holding(token)[0] for token in tokens), key=len)
            held = found[0] if found else np.arange(words.n, dtype=np.int32)
            for other in found[1:]:
                held = held[np.isin(held, other, assume_unique=True)]
            yield held.astype(np.int64)

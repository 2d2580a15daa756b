"""Titles that stand in other documents' texts, letter for letter: weak links, for search and not for resolution.

Extraction reads names, and resolution decides what each means. Now and then neither takes a title for one ("Socrates'
and Xanthippe's eldest son"), and the document that a chain needs next is linked by nothing. Where a text holds a title
as it is written, and that title belongs to one document only, search may go on along it; no entity, page or decision
comes of it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from graphstore.corpusmap.keys import title_key
from graphstore.names import as_written
from graphstore.retrieval.restart import Links, csr

LONGEST = 12  # words of a title
SHORTEST = 3  # characters of a title of one word
_MARKS = "\"'()[]{}.,;:!?"
_ENDS = (".", "!", "?", '"')


@dataclass(frozen=True)
class TitleSpans:
    """Places where a title stands in a text, by document, place, the longer ones first, and title.

    All places are kept, those within a longer title and a document's own title too: which of them count depends on who
    reads. Words are counted from 0. *Shape of each:* ``(m,)``

    :param documents: In whose text it stands.
    :param titled: Whose title it is.
    :param starts: The first word.
    :param ends: The word after the last.
    """

    documents: NDArray[np.int32]
    titled: NDArray[np.int32]
    starts: NDArray[np.int32]
    ends: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.documents)


def without_brackets(title: str) -> str:
    """A title without what brackets at its end add.

    >>> without_brackets("Inception (film)"), without_brackets("(500) Days")
    ('Inception ', '(500) Days')
    """
    return title.split("(", 1)[0] if title.rstrip().endswith(")") else title


def spellings(title: str) -> list[str]:
    """A title as it may stand in a text, with what brackets add and without; nothing for one word that may be any word.

    >>> spellings("Christine of Kassel (1578–1658)"), spellings("empire")
    (['Christine of Kassel (1578 1658', 'Christine of Kassel'], [])
    """
    out = []
    for written in dict.fromkeys((title, without_brackets(title))):
        words = _words(written)
        words[0], words[-1] = words[0].lstrip(_MARKS), words[-1].rstrip(_MARKS)
        telling = _is_name(title) if len(words) == 1 and written is title else len(words) > 1
        if all(words) and telling and len(words) <= LONGEST:
            out.append(" ".join(words))
    return out


def title_spans(titles: Mapping[int, Collection[str]], texts: Mapping[int, str]) -> TitleSpans:
    """The places of titles in texts; each place depends on one title and one text alone.

    A title is meant where its words stand as they are written in it, capitals included, and no capitalised word beside
    them makes them part of a longer name. One word alone counts inside a sentence only: a capital at its beginning
    says nothing. What brackets add to a title of several words may be missing.

    :param titles: Number of a document → :func:`spellings` of its title.
    :param texts: Number of a document → its text.
    """
    known = _Known.of(titles)
    found = [(d, *span) for d, text in texts.items() for span in set(known.spans(_words(text)))]
    table = np.array(found, dtype=np.int32).reshape(-1, 4)
    return ordered(TitleSpans(table[:, 0], table[:, 3], table[:, 1], -table[:, 2]))


def ordered(*parts: TitleSpans) -> TitleSpans:
    """The places of several in one order."""
    columns = [np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(TitleSpans)]
    documents, titled, starts, ends = columns
    order = np.lexsort((titled, -ends, starts, documents))
    return TitleSpans(*(column[order] for column in columns))


def weak_links(
    spans: TitleSpans,
    links: Links,
    own: NDArray[np.bool_],
    visible: NDArray[np.bool_] | None = None,
) -> tuple[Links, NDArray[np.int64]]:
    """Links from documents to those whose title stands in their text though no entity of theirs says so; how often each
    title is named.

    Of titles within one another the longest counts, and one that several documents have names none of them.

    :param links: Between documents and entities. *Shape:* ``(n, entities)``, CSR
    :param own: Whether the document is about the entity, aligned with ``links.data``.
    :param visible: Documents that count; ``None`` for all. *Shape:* ``(n,)``
    :returns: *Shape:* ``(n, n)``, CSR, ones; and the documents that name each title, linked or not, *shape* ``(n,)``
    """
    n = links.shape[0]
    kept = _telling(spans, visible)
    pairs = np.unique(spans.documents[kept].astype(np.int64) * n + spans.titled[kept])
    source, target = np.divmod(pairs, max(n, 1))
    other = source != target
    source, target = source[other], target[other]
    named = np.bincount(target, minlength=n)
    weak = ~_linked(source, target, links, own)
    ones = np.ones(int(weak.sum()))
    return csr(sparse.csr_array((ones, (source[weak], target[weak])), shape=(n, n))), named


def _telling(spans: TitleSpans, visible: NDArray[np.bool_] | None) -> NDArray[np.int64]:
    """The numbers of the places that count for a reader."""
    seen = np.arange(len(spans))
    if visible is not None:
        seen = np.flatnonzero(visible[spans.documents] & visible[spans.titled])
    if not len(seen):
        return seen
    # ends as they grow through all texts: in one text a place that ends where one before it did lies within that one
    place = spans.documents[seen].astype(np.int64) * (int(spans.ends[seen].max()) + 1) + spans.ends[seen]
    same = np.zeros(len(seen), dtype=np.bool_)
    same[1:] = np.logical_and.reduce(
        [each[seen][1:] == each[seen][:-1] for each in (spans.documents, spans.starts, spans.ends)]
    )
    before = np.concatenate([[-1], np.maximum.accumulate(place)[:-1]])
    group = np.cumsum(~same) - 1
    outer = (place > before)[np.flatnonzero(~same)]
    alone = np.bincount(group) == 1
    return np.asarray(seen[(outer & alone)[group]])


def _linked(
    source: NDArray[np.int64], target: NDArray[np.int64], links: Links, own: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Whether each source is linked to an entity that its target is about. *Shape:* ``(pairs,)``"""
    rows = np.repeat(np.arange(links.shape[0], dtype=np.int64), np.diff(links.indptr))
    held = rows * links.shape[1] + links.indices
    about = csr(sparse.csr_array((np.ones(int(own.sum())), (rows[own], links.indices[own])), shape=links.shape))
    count = np.diff(about.indptr)[target]
    pair = np.repeat(np.arange(len(target)), count)
    first = np.repeat(about.indptr[target] - np.concatenate([[0], np.cumsum(count)[:-1]]), count)
    entity = about.indices[first + np.arange(len(pair))]
    out = np.zeros(len(target), dtype=np.bool_)
    out[pair[np.isin(source[pair] * links.shape[1] + entity, held)]] = True
    return out


@dataclass(frozen=True)
class _Known:
    """Titles as they may be written, found by their words.

    :param numbers: Words → the documents of that title.
    :param lengths: A first word → how many words the titles have that begin with it.
    """

    numbers: Mapping[tuple[str, ...], Sequence[int]]
    lengths: Mapping[str, Collection[int]]

    @classmethod
    def of(cls, titles: Mapping[int, Collection[str]]) -> _Known:
        numbers: dict[tuple[str, ...], list[int]] = {}
        lengths: dict[str, set[int]] = {}
        for number, written in titles.items():
            for words in (tuple(each.split(" ")) for each in written):
                numbers.setdefault(words, []).append(number)
                lengths.setdefault(words[0], set()).add(len(words))
        return cls(numbers, lengths)

    def spans(self, words: Sequence[str]) -> Iterator[tuple[int, int, int]]:
        """First word, word after the last (negative: the longest comes first), and number, of each title's places."""
        opened = [word.lstrip(_MARKS) for word in words]
        for at, word in enumerate(opened):
            for length in {length for first in _endings(word) for length in self.lengths.get(first, ())}:
                end = at + length
                if end > len(words) or not _whole(words, opened, at, end):
                    continue
                inner = (word, *words[at + 1 : end - 1]) if length > 1 else ()
                for last in _endings(words[end - 1] if length > 1 else word):
                    for number in self.numbers.get((*inner, last), ()):
                        yield at, -end, number


def _endings(word: str) -> set[str]:
    """A word, without marks at its end, and without the ending of a possessive."""
    closed = word.rstrip(_MARKS)
    return {word, closed, closed.removesuffix("'s")}


def _words(text: str) -> list[str]:
    """The words of a text, as they are written."""
    return as_written(text).split(" ")


def _is_name(title: str) -> bool:
    """Whether a title of one word is a name: written with a capital, and no common word."""
    return len(title.strip(_MARKS)) >= SHORTEST and title != title.lower() and title_key(title) is not None


def _whole(words: Sequence[str], opened: Sequence[str], at: int, end: int) -> bool:
    """Whether words may be a title of their own, not a part of a longer capitalised name."""
    begins = at == 0 or words[at - 1].endswith(_ENDS)
    if begins and end == at + 1:  # a capital at the beginning of a sentence says nothing
        return False
    first = at == 1 or words[at - 2].endswith(_ENDS)  # the word before begins the sentence
    if not begins and not first and words[at] == opened[at] and _continues(words[at - 1], words[at - 1]):
        return False
    last = words[end - 1]
    return end == len(words) or words[end] != opened[end] or not _continues(last, words[end])


def _continues(before: str, capital: str) -> bool:
    """Whether a name may go on beyond a word: no mark ends it, and the word in question has a capital."""
    open_ended = before == before.rstrip(_MARKS) and not before.endswith("'s")
    return open_ended and (capital[:1].isupper() or capital[:1].isdigit())

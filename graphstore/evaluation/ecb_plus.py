"""ECB+ (Cybulska and Vossen 2014): news about 35 events, each told of in two similar but different cases.

Mentions of one thing share a cluster over all documents of a topic. Only sentences with complete coreference count.
"""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphstore.errors import LoadError

FILE = "derived_entity_mentions.jsonl.gz"
TOPICS = tuple(range(1, 36))
"""The topics of training and development; 36 to 45 are the usual test."""

_LEFT = re.compile(r"^(?:[.,;:!?%)\]}]+|''|n't|'(?:s|re|ve|ll|d|m))$", re.IGNORECASE)
_RIGHT = frozenset("( [ { $ ``".split())  # noqa: SIM905
_QUOTES = {"``": '"', "''": '"'}


@dataclass(frozen=True, slots=True)
class Mention:
    """Words that an annotator marked as a thing.

    :param tokens: Their numbers in the sentence, ascending.
    """

    id: str
    type: str
    sentence: int
    tokens: tuple[int, ...]
    cluster: str


@dataclass(frozen=True, slots=True)
class Document:
    """A text with what is marked in it.

    :param sentences: Words of each sentence.
    :param places: Character offsets of each word in ``text``.
    """

    id: str
    topic: int
    sentences: tuple[tuple[str, ...], ...]
    text: str
    places: tuple[tuple[tuple[int, int], ...], ...]
    mentions: tuple[Mention, ...]


def read(folder: Path, topics: Iterable[int] = TOPICS) -> list[Document]:
    """The documents of some topics, sorted by id.

    :raises LoadError: the file is not there or not of this form.
    """
    path, wanted = folder / FILE, frozenset(topics)
    if not path.is_file():
        raise LoadError(f"is no copy of ECB+: {FILE} is not there", folder)
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines:
            rows = [json.loads(line) for line in lines]
        return sorted((_document(row) for row in rows if int(row["topic"]) in wanted), key=lambda found: found.id)
    except (KeyError, ValueError, TypeError, EOFError) as error:
        raise LoadError(f"is not of the form that its README says: {error!r}", path) from None


def _document(row: dict[str, Any]) -> Document:
    # A word stands in the text once, with the spaces that a writer would have set: extraction reads prose.
    sentences = tuple(tuple(sentence["tokens"]) for sentence in row["sentences"])
    numbers = {sentence["index"]: place for place, sentence in enumerate(row["sentences"])}
    text, places = _written(sentences)
    mentions = tuple(
        Mention(m["mention_id"], m["type"], numbers[m["sentence"]], tuple(sorted(m["tokens"])), m["cluster"])
        for m in row["entity_mentions"]
        if m["in_validated_sentence"]
    )
    return Document(row["doc_id"], int(row["topic"]), sentences, text, places, mentions)


def _written(sentences: Iterable[Iterable[str]]) -> tuple[str, tuple[tuple[tuple[int, int], ...], ...]]:
    parts: list[str] = []
    at, places = 0, []
    for sentence in sentences:
        words: list[tuple[int, int]] = []
        joined = True
        for token in sentence:
            word = _QUOTES.get(token, token)
            if not (joined or _LEFT.match(token)):
                parts.append(" ")
                at += 1
            words.append((at, at + len(word)))
            parts.append(word)
            at += len(word)
            joined = token in _RIGHT
        parts.append("\n")
        at += 1
        places.append(tuple(words))
    return "".join(parts), tuple(places)

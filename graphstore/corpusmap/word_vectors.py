"""Vectors of the words of stored documents, for searches that ask how much of a question two documents hold together.

An option: documents are encoded once more for it, and it takes about 1.5 KB of each. A document that is new or changed
has none until this is done again.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from graphstore.corpusmap.readable import heading
from graphstore.db import Database
from graphstore.encoders.sketches import sketches, word_spans
from graphstore.progress import Progress, silent

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

_BATCH = 256  # documents encoded and written at once


def write_word_vectors(db: Database, encoder: Encoder, *, progress: Progress | None = None) -> int:
    """The number of documents whose words were given vectors: all that had none.

    :raises ConnectError: the store is unreachable, or written without a pause.
    """
    tell, done = progress or silent, 0
    while (left := db.current(lambda: _batch(db, encoder))) is not None:
        written, total = left
        tell("vectors of words", done, done + total)
        done += written
    return done


def _batch(db: Database, encoder: Encoder) -> tuple[int, int] | None:
    """How many documents were written, and how many had none before; ``None`` if all have theirs."""
    version, (rows,) = db.read_consistent([("retrieve/corpus_wordless", {"most": _BATCH})])
    if not rows:
        return None
    db.write(("load/corpus_words", {"rows": word_rows(rows, encoder)}), expect=version)
    return len({row["document"] for row in rows}), rows[0]["left"]


def word_rows(chunks: Sequence[dict[str, Any]], encoder: Encoder) -> list[dict[str, Any]]:
    """Rows of ``load/corpus_words`` of rows of ``retrieve/corpus_wordless``.

    The words of the title are read with the first piece, in whose encoding it stands.
    """
    texts, spans = [], []
    for row in chunks:
        prefix = heading(row["title"])
        text = prefix + row["text"][row["start"] : row["end"]]
        texts.append(text)
        spans.append([span for span in word_spans(text) if row["index"] == 0 or span[0] >= len(prefix)])
    _, vectors = encoder.encode_spans(texts, spans)
    return [
        {"document": row["document"], "index": row["index"], "words": sketches(each).tobytes()}
        for row, each in zip(chunks, vectors, strict=True)
    ]

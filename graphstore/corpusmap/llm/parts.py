"""A long document in parts that a model reads one at a time."""

from __future__ import annotations

from graphstore.corpusmap.sentences import sentence_spans
from graphstore.retrieval.prompt_tokens import estimated_tokens

MOST_TOKENS = 3_000
"""Tokens of a part: long enough for what a document says of one thing, short enough for a complete answer."""


def parts_of(text: str, most: int = MOST_TOKENS) -> list[str]:
    """A text cut between sentences into parts of at most so many tokens; a single sentence may have more.

    >>> parts_of("One thing. Another thing.", most=3)
    ['One thing.', 'Another thing.']
    """
    if estimated_tokens(text) <= most:
        return [text] if text.strip() else []
    parts: list[str] = []
    first, size, last = -1, 0, 0
    for start, end in sentence_spans(text):
        tokens = estimated_tokens(text[start:end])
        if first >= 0 and size + tokens > most:
            parts.append(text[first:last])
            first, size = -1, 0
        first = start if first < 0 else first
        size, last = size + tokens, end
    return [*parts, text[first:last]] if first >= 0 else parts


def halves(text: str) -> list[str]:
    """A part in two, cut between sentences; one that is a single sentence stays whole."""
    spans = sentence_spans(text)
    if len(spans) < 2:
        return [text]
    middle = len(spans) // 2
    return [text[spans[0][0] : spans[middle - 1][1]], text[spans[middle][0] : spans[-1][1]]]

"""The lines of many documents that match, within a time and a number of tokens."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any

from graphstore.counts import counted
from graphstore.navigation.budget import in_line, packed
from graphstore.navigation.grep import OutOfTime, Pattern, Watch, lines_of, matching_lines, with_context
from graphstore.navigation.records import GrepDocument, Line, Matches
from graphstore.retrieval.prompt_tokens import estimated_tokens

_SLICE = 1.0
"""Seconds that one document may take: more is a pattern that backtracks without end, and the next is no better."""


@dataclass(frozen=True, slots=True)
class Searched:
    """A document to be searched.

    :param text: ``None`` where the store says that it does not hold the literal.
    """

    id: str
    path: str
    title: str
    text: str | None


@dataclass(frozen=True, slots=True)
class Hit:
    """A document that holds matching lines.

    :param spans: Number of each matching line → span of its first match.
    """

    document: Searched
    spans: dict[int, tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Done:
    """What a search did.

    :param searched: How many documents it got through, of ``documents``.
    """

    hits: tuple[Hit, ...]
    searched: int
    documents: int


def search_texts(
    pattern: Pattern,
    listed: Sequence[dict[str, Any]],
    texts: Callable[[Sequence[dict[str, Any]]], Iterable[Searched]],
    seconds: float,
    *,
    batch: int,
) -> Done:
    """The documents that hold a pattern, in the order given, as far as the time goes.

    :param listed: Documents, as rows with ``id``, ``path`` and ``title``.
    :param texts: Reads the texts of some of them.
    """
    watch = Watch.start(seconds)
    hits: list[Hit] = []
    searched = 0
    try:
        for first in range(0, len(listed), batch):
            _ = watch.left
            for each in texts(listed[first : first + batch]):
                spans = matching_lines(pattern, each.text, _shorter(watch)) if each.text is not None else {}
                if spans:
                    hits.append(Hit(each, spans))
                searched += 1
    except OutOfTime:
        pass
    return Done(tuple(hits), searched, len(listed))


def matches(pattern: Pattern, done: Done, *, context: int, start: int, max_tokens: int) -> Matches:
    """The matching lines, as many as fit.

    :param start: Number of the first one to show, from 1.
    """
    total = sum(len(hit.spans) for hit in done.hits)
    numbered = [(hit, line) for hit in done.hits for line in hit.spans][start - 1 :]
    unsearched = done.documents - done.searched
    late = f"out of time after {done.searched} of {done.documents} documents: name a folder" if unsearched else ""

    def note(shown: int) -> str | None:
        end = start - 1 + shown
        left = f"{total - end} more matching lines left out; start={end + 1} goes on" if end < total else ""
        return "; ".join(filter(None, (left, late))) or None

    head = f"{counted(total, 'line')} in {counted(len(done.hits), 'document')} match {in_line(pattern.shown)}"
    markdown, shown, cut = packed(_blocks(numbered, context), max_tokens, head=head, note=note)
    return Matches(
        markdown=markdown,
        tokens=estimated_tokens(markdown),
        cut=cut,
        pattern=pattern.shown,
        matching=total,
        in_documents=len(done.hits),
        searched=done.searched,
        finished=not unsearched,
        documents=_documents(numbered[:shown], context),
    )


def _blocks(numbered: Sequence[tuple[Hit, int]], context: int) -> Iterator[str]:
    """Text of each matching line with what stands around it; a line of context stands with the first match near it."""
    before: Hit | None = None
    last = 0
    lines: list[str] = []
    for hit, number in numbered:
        parts: list[str] = []
        if hit is not before:
            before, last, lines = hit, 0, lines_of(hit.document.text or "")
            count = f"{len(hit.spans)} matching line{'s' if len(hit.spans) > 1 else ''}"
            parts = ["", f"{hit.document.path} — {in_line(hit.document.title)} — {count}"]
        around = with_context(lines, hit.spans, [number], context)
        fresh = [line for line in around if line.number > last]
        fresh = [*takewhile(_up_to(number), fresh)]
        if context and last and fresh[0].number > last + 1:
            parts.append("--")
        last = fresh[-1].number
        yield "\n".join([*parts, *(_shown(line) for line in fresh)])


def _documents(numbered: Sequence[tuple[Hit, int]], context: int) -> tuple[GrepDocument, ...]:
    by_hit: dict[str, tuple[Hit, list[int]]] = {}
    for hit, number in numbered:
        by_hit.setdefault(hit.document.id, (hit, []))[1].append(number)
    return tuple(
        GrepDocument(
            id=hit.document.id,
            path=hit.document.path,
            title=hit.document.title,
            matching=len(hit.spans),
            lines=tuple(with_context(lines_of(hit.document.text or ""), hit.spans, shown, context)),
        )
        for hit, shown in by_hit.values()
    )


def _up_to(match: int) -> Callable[[Line], bool]:
    """Whether a line comes before the match that follows this one."""
    return lambda line: line.number <= match or not line.matches


def _shown(line: Line) -> str:
    return f"{line.number}{':' if line.matches else '-'} {line.text}"


def _shorter(watch: Watch) -> Watch:
    """The watch, or one for a single document where that ends before it."""
    left = watch.left
    return watch if left <= _SLICE else Watch.start(_SLICE)

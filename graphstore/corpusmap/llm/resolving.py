"""What a model says about names that the local resolver leaves open: no link rather than a forced one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from graphstore.corpusmap.llm.answers import Resolution
from graphstore.corpusmap.llm.asking import Asker, Question
from graphstore.corpusmap.llm.doubts import Doubt, question_text
from graphstore.corpusmap.llm.prompts import prompt
from graphstore.corpusmap.llm.shelves import RESOLVE
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.rulings import Ruling
from graphstore.corpusmap.statements import Text
from graphstore.errors import NoAnswer
from graphstore.progress import Progress

STAGE = "resolve"
SURE = 0.7
"""Confidence that the model must state for a link."""
_MOST = 0.95
"""Confidence of a link that only a model vouches for."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """What the model decided.

    :param rulings: Refinements, their numbers still to be given.
    :param counts: Doubts by outcome: ``linked``, ``left open``, ``not answered``.
    """

    rulings: tuple[Ruling, ...]
    counts: Counter[str]


def resolve_with_model(
    asker: Asker,
    doubts: Sequence[Doubt],
    resolver: Resolver,
    texts: Mapping[str, Text],
    digests: Mapping[str, str],
    *,
    progress: Progress | None = None,
) -> Resolved:
    """What the model makes of each doubt. One that it does not answer stays as it is, and is asked again next time.

    :param texts: Of the documents that the doubts need.
    :param digests: Hash of each document: what is decided holds for that text.
    :raises ModelError: the endpoint gives no answer at all, or the budget is spent; answers so far are kept.
    """

    async def judged(doubt: Doubt) -> Resolution | None:
        text = question_text(doubt, resolver, texts)
        try:
            return await asker.ask(Question(STAGE, RESOLVE, prompt("resolve"), text, Resolution))
        except NoAnswer:
            return None

    def done(count: int) -> None:
        if progress:
            progress("names judged by the model", count, len(doubts))

    counts: Counter[str] = Counter()
    rulings = []
    for doubt, answer in zip(doubts, asker.each(judged, doubts, done), strict=True):
        if answer is None:
            counts["not answered"] += 1
            continue
        ruling = ruling_of(doubt, answer, resolver, digests[doubt.document])
        counts["linked" if ruling.subjects else "left open"] += 1
        rulings.append(ruling)
    return Resolved(tuple(rulings), counts)


def ruling_of(doubt: Doubt, answer: Resolution, resolver: Resolver, digest: str) -> Ruling:
    """The refinement that an answer comes to; the reason holds nothing that the model wrote.

    A candidate that was not offered, or a link without confidence, is no link. What is none of the candidates stays
    open too: it becomes a thing of its own when a document gives it a name of its own.
    """
    number = answer.candidate or 0
    offered = 1 <= number <= len(doubt.candidates)
    linked = answer.decision == "LINK" and offered and answer.confidence >= SURE
    anchor = (resolver.anchor_of(doubt.candidates[number - 1].id),) if linked else ()
    reason = "context, by a model" if linked else _open_reason(answer, offered)
    score = round(min(answer.confidence, _MOST), 4) if linked else 1.0
    return Ruling(0, "refine", anchor, (doubt.document,), doubt.key, digest, score, reason)


def _open_reason(answer: Resolution, offered: bool) -> str:
    if answer.decision == "ADD":
        return "none of the candidates, by a model"
    if answer.decision == "LINK" and offered:
        return "a model was not sure enough"
    return "context does not tell, by a model"

"""Clauses: the parts of a request that each ask for something, and which of them a past path's calls answer.

A request for several tools is one text but several wishes. It is cut where a wish may end, in any script:

*Sentences.* After ``. ! ? …`` before a blank, after ``。！？；``, at ``;`` before a blank, at line ends.
*Commas.* After ``, ，、`` (before a blank where the script writes blanks).
*Connectives.* Before words that begin a next wish: "and", "then", "after that", 然后, 并且, "et puis", "und dann", …

Nothing is cut inside quotation marks or brackets, and a part of fewer than :data:`LEAST` tokens (a date, a name in a
list, "please") is none by itself: it joins the neighbour from which less divides it (nothing, a comma, a sentence's
end). Above :data:`MOST` parts the shortest are joined likewise. So the clauses, in order, hold every character of the
text but the blanks between them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from graphstore.tokens import tokenise

LEAST = 3
"""Tokens below which a part is no clause by itself; stop words are no tokens."""
MOST = 12
"""Clauses of a text at the most, so that encoding and votes stay short."""

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORDS = (
    "and|then|after that|afterwards|next|finally|also|additionally|besides|plus|but|while|before|after|"  # English
    "und|dann|danach|anschließend|außerdem|et|puis|ensuite|enfin|y|luego|después|también|e|poi|"  # German to Italian
    "и|затем|потом|а также"  # Russian
)
_HAN = "然后|接着|之后|随后|最后|同时|另外|此外|并且|以及|并|そして|それから|その後|次に|그리고|그런 다음"
_CUT = re.compile(
    rf"""
    (?<=[.!?…])(?<![\r\n]\d\.)["'”’)\]]?\s+  # a sentence's end, no number of a list
    | (?<=[。！？；])                     # which CJK writes without a blank
    | \s*[\r\n]+\s*
    | (?<=[;,])\s+ | (?<=[，、])
    | \s+(?=(?:{_WORDS})\s)
    | (?<=[{_CJK}])(?=(?:{_HAN}))
    """,
    re.VERBOSE | re.IGNORECASE,
)
_CONNECTIVE = re.compile(rf"(?:(?:{_WORDS}|{_HAN})[\s,，]*)+", re.IGNORECASE)
_ENDS = frozenset(".!?…。！？")
_QUOTED = re.compile(
    r"""“[^“”]*” | «[^«»]*» | 「[^「」]*」 | 『[^『』]*』 | 《[^《》]*》 | "[^"\n]*" | (?<!\w)'[^'\n]*'(?!\w)
    | \([^()\n]*\) | \[[^\[\]\n]*\] | （[^（）]*）""",
    re.VERBOSE,
)


def clauses(text: str) -> tuple[str, ...]:
    """The clauses of a request, in order; a text that asks for one thing is its own only clause.

    >>> clauses("Find the signed contract, then mail it to Mrs Li and book a room for Tuesday.")
    ('Find the signed contract,', 'then mail it to Mrs Li', 'and book a room for Tuesday.')
    """
    parts = [part for part in _pieces(text) if part.strip()]
    sizes = [len(tokenise(part)) for part in parts]
    while len(parts) > 1 and (min(sizes) < LEAST or len(parts) > MOST):
        at = _to_join(parts, sizes)
        parts[at : at + 2] = [parts[at] + parts[at + 1]]
        sizes[at : at + 2] = [sizes[at] + sizes[at + 1]]
    return tuple(part.strip() for part in parts)


def align(cosines: NDArray[np.floating]) -> NDArray[np.intp]:
    """The clause that each call of a path answers: no earlier one than the call before, the sum of cosines the largest.

    The dynamic programme is best[c, l] = cosines[c, l] + max over c' ≤ c of best[c', l − 1]. Of equal choices the
    earliest clause stands. Many paths of one shape are aligned at a time.

    :param cosines: Of clauses and called tools. *Shape:* ``(..., clauses, calls)``, both at least 1
    :returns: Numbers of clauses, ascending along the calls. *Shape:* ``(..., calls)``

    >>> align(np.array([[0.9, 0.2, 0.6], [0.1, 0.7, 0.2]])).tolist()
    [0, 1, 1]
    """
    *lead, count, calls = cosines.shape
    best = cosines[..., :, 0].astype(np.float64)
    came_from = np.empty((*lead, count, calls), dtype=np.intp)
    for call in range(1, calls):
        came_from[..., call] = _argmax_so_far(best)
        best = np.maximum.accumulate(best, axis=-1) + cosines[..., :, call]
    out = np.empty((*lead, calls), dtype=np.intp)
    out[..., -1] = best.argmax(axis=-1)
    for call in range(calls - 1, 0, -1):
        out[..., call - 1] = np.take_along_axis(came_from[..., call], out[..., call, None], axis=-1)[..., 0]
    return out


def _argmax_so_far(values: NDArray[np.float64]) -> NDArray[np.intp]:
    """For each position the first position of the largest value up to it, along the last axis."""
    highest = np.maximum.accumulate(values, axis=-1)
    fresh = np.ones(values.shape, dtype=bool)
    fresh[..., 1:] = highest[..., 1:] > highest[..., :-1]
    return np.asarray(np.maximum.accumulate(np.where(fresh, np.arange(values.shape[-1]), 0), axis=-1))


def _pieces(text: str) -> list[str]:
    """The text cut wherever a clause may end; nothing of it is lost."""
    whole = [match.span() for match in _QUOTED.finditer(text)]
    cuts = [match.end() for match in _CUT.finditer(text)]
    free = [cut for cut in cuts if not any(start < cut < end for start, end in whole)]
    edges = [0, *free, len(text)]
    return [text[start:end] for start, end in pairwise(edges)]


def _to_join(parts: Sequence[str], sizes: Sequence[int]) -> int:
    """The number of the part to join with the next one: the shortest part, over the weaker of its two ends."""
    shortest = min(range(len(sizes)), key=sizes.__getitem__)
    if shortest == 0:
        return 0
    if shortest == len(parts) - 1:
        return shortest - 1
    before, after = _closes(parts[shortest - 1]), _closes(parts[shortest])
    forward = after < before or (after == before and _CONNECTIVE.fullmatch(parts[shortest].strip()) is not None)
    return shortest if forward else shortest - 1


def _closes(part: str) -> int:
    """How firmly a part ends: 2 with a sentence, 1 with a comma or the like, 0 in the middle."""
    last = part.rstrip().rstrip("\"'”’»)]")[-1:]
    return 2 if last in _ENDS or "\n" in part[len(part.rstrip()) :] else int(last in ",;，、；")

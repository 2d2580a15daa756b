"""Names that a question contains: the longest known ones, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from graphstore.names import normalise
from graphstore.retrieval.splices import starts_of
from graphstore.tokens import STOP_WORDS

Ints: TypeAlias = NDArray[np.int64]

LONGEST = 10  # words of a name, or characters where words are not set apart
WORDS = 200  # words of a question in which names are looked for
_WORD = re.compile(r"\S+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_PART = re.compile(r"\w+")
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])(?=[\s?.!,;:)\"]*$)", re.IGNORECASE)


@dataclass(frozen=True)
class Gazetteer:
    """Known names and what each stands for.

    :param numbers: Normalised name → its number.
    :param starts: Where the indices of each name begin in ``members``, and the end. *Shape:* ``(names + 1,)``
    :param members: What names stand for, as indices.
    :param key: The function that normalises a name.
    :param words: All words of all names: a phrase with another one after its first word is no name.
    """

    numbers: Mapping[str, int]
    starts: NDArray[np.int64]
    members: NDArray[np.int64]
    key: Callable[[str], str]
    words: frozenset[str]

    @classmethod
    def of(cls, names: Sequence[str], named: Ints, members: Ints, key: Callable[[str], str]) -> Gazetteer:
        """The gazetteer of pairs of a name and an index; equal pairs count once.

        :param names: Normalised; a name may stand there twice, and one that no pair has is none.
        :param named: Place in ``names`` of each pair's name. *Shape:* ``(pairs,)``
        :param members: Each pair's index. *Shape:* ``(pairs,)``
        """
        numbers: dict[str, int] = {}
        number = np.array([numbers.setdefault(name, len(numbers)) for name in names], dtype=np.int64)
        width = int(members.max(initial=0)) + 1
        owner, index = np.divmod(np.unique(number[named] * width + members), width)
        counts = np.bincount(owner, minlength=len(numbers))
        held = counts.tolist()
        known = {name: i for name, i in numbers.items() if held[i]}
        return cls(known, starts_of(counts), index, key, frozenset(_PART.findall("\n".join(known))))

    def standing_for(self, name: str) -> tuple[int, ...]:
        """The indices of a normalised name, ascending; none of one that is not known."""
        number = self.numbers.get(name)
        return () if number is None else tuple(self.members[self.starts[number] : self.starts[number + 1]].tolist())

    def found_in(self, question: str) -> dict[str, tuple[int, ...]]:
        """Each name in the question that no longer name covers, and what it stands for, in order of place.

        A name of one word counts if it is written as a name (a capital, a digit, a script without capitals) or if the
        question has no capitals at all.
        """
        words = [(m.start(), m.end()) for m in _WORD.finditer(question)][:WORDS]
        plain = question == question.lower()
        found: dict[str, tuple[int, ...]] = {}
        reach = self._reach([question[start:end] for start, end in words])
        at = 0
        while at < len(words):
            name, length = self._longest(question, words[at : at + reach[at]], plain) if reach[at] else ("", 1)
            if name:
                found[name] = self.standing_for(name)
            at += length
        for run in _CJK.findall(question):
            self._within(run, found)
        return found

    def _reach(self, words: list[str]) -> list[int]:
        """The most words of a name that may begin with each word; the first of several may be a title, an article."""
        out: list[int] = []
        known = 0  # words of names in a row, from the next one on
        for word in reversed(words):
            own = self.words.issuperset(part for part in _PART.findall(normalise(word)) if part != "s")
            out.append(min(1 + known, LONGEST) if own or known else 0)
            known = known + 1 if own else 0
        return out[::-1]

    def _longest(self, question: str, words: list[tuple[int, int]], plain: bool) -> tuple[str, int]:
        """The longest name that begins with the first word and its number of words; an empty one if none does."""
        for length in range(len(words), 0, -1):
            text = question[words[0][0] : words[length - 1][1]]
            spellings = [text, _POSSESSIVE.sub("", text)] if _POSSESSIVE.search(text) else [text]
            for name in map(self.key, spellings):
                if name in self.numbers and (" " in name or _is_name(text, name, plain)):
                    return name, length
        return "", 1

    def _within(self, run: str, found: dict[str, tuple[int, ...]]) -> None:
        """Notes names in a run of characters that is written without spaces."""
        at = 0
        while at < len(run):
            for length in range(min(LONGEST, len(run) - at), 1, -1):
                name = self.key(run[at : at + length])
                if name in self.numbers:
                    found[name] = self.standing_for(name)
                    at += length - 1
                    break
            at += 1


def _is_name(text: str, name: str, plain: bool) -> bool:
    return name not in STOP_WORDS and (plain or text != text.lower() or text == text.upper())

"""Names that a question contains: the longest known ones, wherever they stand."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from graphstore.names import normalise
from graphstore.tokens import STOP_WORDS

LONGEST = 10  # words of a name, or characters where words are not set apart
WORDS = 200  # words of a question in which names are looked for
_WORD = re.compile(r"\S+")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+")
_PART = re.compile(r"\w+")
_POSSESSIVE = re.compile(r"(?:['’]s|(?<=s)['’])(?=[\s?.!,;:)\"]*$)", re.IGNORECASE)


@dataclass(frozen=True)
class Gazetteer:
    """Known names and what each stands for.

    :param names: Normalised name to indices.
    :param key: The function that normalises a name.
    :param words: All words of all names: a phrase with another one after its first word is no name.
    """

    names: Mapping[str, tuple[int, ...]]
    key: Callable[[str], str]
    words: frozenset[str]

    @classmethod
    def of(cls, pairs: Iterable[tuple[str, int]], key: Callable[[str], str]) -> Gazetteer:
        """The gazetteer of pairs of a normalised name and the index of what it names."""
        names: dict[str, dict[int, None]] = {}
        for name, index in pairs:
            names.setdefault(name, {})[index] = None
        words = frozenset(word for name in names for word in _PART.findall(name))
        return cls({name: tuple(found) for name, found in names.items()}, key, words)

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
                found[name] = self.names[name]
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
                if name in self.names and (" " in name or _is_name(text, name, plain)):
                    return name, length
        return "", 1

    def _within(self, run: str, found: dict[str, tuple[int, ...]]) -> None:
        """Notes names in a run of characters that is written without spaces."""
        at = 0
        while at < len(run):
            for length in range(min(LONGEST, len(run) - at), 1, -1):
                name = self.key(run[at : at + length])
                if name in self.names:
                    found[name] = self.names[name]
                    at += length - 1
                    break
            at += 1


def _is_name(text: str, name: str, plain: bool) -> bool:
    return name not in STOP_WORDS and (plain or text != text.lower() or text == text.upper())

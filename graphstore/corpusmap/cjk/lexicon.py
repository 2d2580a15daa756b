"""Words of Chinese, Japanese and Korean papers by which names are told: surnames, titles, places, legal forms.

They stand in ``words.txt``. ``common.txt`` holds the common Chinese words that begin with a surname (高级, 方案, 任务):
what is one of them is no person. It is made of jieba's dictionary (NOTICE).
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

_SECTION = re.compile(r"^\[(\w+)\]")


@cache
def words(*sections: str) -> frozenset[str]:
    """The words of these sections."""
    return frozenset(word for section in sections for word in _sections()[section])


def either(*sections: str, without: Iterable[str] = ()) -> str:
    """A regular expression for any word of these sections, longest first."""
    return any_of(words(*sections) - frozenset(without))


def any_of(listed: Iterable[str]) -> str:
    """A regular expression for any of the words, longest first."""
    return "|".join(re.escape(word) for word in sorted(listed, key=lambda word: (-len(word), word)))


def characters(section: str) -> str:
    """The words of a section of single characters, for a class of a regular expression."""
    return "".join(sorted(words(section)))


@cache
def common() -> frozenset[str]:
    """Common Chinese words that begin with a surname."""
    return frozenset(_text("common.txt").split())


@cache
def _sections() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    section: list[str] = []
    for line in _text("words.txt").splitlines():
        if begins := _SECTION.match(line):
            section = found.setdefault(begins[1], [])
        elif not line.startswith("#"):
            section.extend(line.split())
    return found


def _text(name: str) -> str:
    return resources.files(__package__).joinpath(name).read_text("utf-8")

"""Normalised names: the exact key under which written forms of one name meet.

Unicode is kept whole: no script is erased, and a symbol that tells two names apart (``C++``, ``C#``, ``.NET``)
survives. Only what writers vary without meaning is folded: case, width, spacing, hyphens and underscores, and
punctuation around the name.
"""

from __future__ import annotations

import re
import unicodedata

_SPACING = re.compile(r"[\s\-_\u00ad\u2010-\u2015\u2043\u2212\ufe58\ufe63\uff0d\u00b7\u30fb]+")
_QUOTES = str.maketrans({"\u2018": "'", "\u2019": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"'})
_KEPT_OUTSIDE = "+#"  # C++, C#
_KEPT_BEFORE = ".@"  # .NET, @handle


def normalise(name: str) -> str:
    """The key of a name; not empty unless the name is blank.

    NFKC, case folded, runs of spaces, hyphens, underscores and middle dots become one space, and punctuation around
    the name is dropped, except symbols that tell names apart.

    >>> normalise("Project-Atlas") == normalise("project  atlas")
    True
    >>> normalise("C++"), normalise("C#"), normalise("李伟")
    ('c++', 'c#', '李伟')
    """
    folded = unicodedata.normalize("NFKC", _straight(name).casefold())
    spaced = _spaced(folded)
    stripped = _strip_outer(spaced)
    # A name of punctuation only keeps its own spelling: no name may share an empty key with another.
    return stripped or spaced or folded.strip()


def as_written(text: str) -> str:
    """A text in which only what writers vary without meaning is made one: width, quotes, runs of spaces and hyphens.

    >>> as_written("“Project-Atlas”  and  Ｂ１２")
    '"Project Atlas" and B12'
    """
    return _spaced(_straight(text))


def _straight(text: str) -> str:
    return unicodedata.normalize("NFKC", text).translate(_QUOTES)


def _spaced(text: str) -> str:
    return _SPACING.sub(" ", text).strip()


def _strip_outer(text: str) -> str:
    start, end = 0, len(text)
    while start < end and not _kept(text[start], _KEPT_OUTSIDE + _KEPT_BEFORE):
        start += 1
    while end > start and not _kept(text[end - 1], _KEPT_OUTSIDE):
        end -= 1
    return text[start:end].strip()


def _kept(char: str, symbols: str) -> bool:
    # Letters, marks, numbers and symbols (emoji, currency) stay; punctuation and separators go.
    return char in symbols or unicodedata.category(char)[0] in "LMNS"

"""Tokens of lexical search: one rule for documents, tools and questions, in every script."""

from __future__ import annotations

import re
import unicodedata

_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
_RUN = re.compile(rf"[{_CJK}]+|[^\W_{_CJK}]+(?:[+#]+(?!\w))?")
_ASCII = re.compile(r"[A-Za-z0-9]+(?:[+#]+(?!\w))?")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")

STOP_WORDS: frozenset[str] = frozenset(
    """a about above after again all also am an and any are as at be because been before being below between both but by
    can could did do does doing down during each few for from further had has have having he her here hers him his how
    i if in into is it its itself just me more most my no nor not now of off on once only or other our out over own
    same she should so some such than that the their theirs them then there these they this those through to too under
    until up very was we were what when where which while who whom whose why will with would you your yours""".split()  # noqa: SIM905 - read as prose, not as 130 quotes
)
"""English function words, dropped from questions and documents alike."""


def tokenise(text: str) -> list[str]:
    """Lower-cased tokens of a text, in order, stop words removed.

    Letters and digits form runs; ``snake_case`` and ``camelCase`` names give their parts; Chinese, Japanese and Korean
    runs give overlapping pairs of characters (a lone character gives itself), since they write no spaces.

    >>> tokenise("The listUserRoles tool: 文档权限 and C++")
    ['list', 'user', 'roles', 'tool', '文档', '档权', '权限', 'c++']
    """
    if text.isascii():  # the same, in half of the time
        runs = map(str.lower, _ASCII.findall(_CAMEL.sub(" ", text)))
        return [run for run in runs if run not in STOP_WORDS]
    tokens: list[str] = []
    for run in _RUN.findall(_CAMEL.sub(" ", unicodedata.normalize("NFKC", text))):
        if _is_cjk(run[0]):
            tokens.extend([run] if len(run) == 1 else (run[i : i + 2] for i in range(len(run) - 1)))
        elif (token := run.casefold()) not in STOP_WORDS:
            tokens.append(token)
    return tokens


def has_words(text: str) -> bool:
    """Whether it holds a letter or a digit. Signs alone are told apart as names only: the encoder takes all for one.

    >>> has_words("C++"), has_words("+"), has_words("🙂?")
    (True, False, False)
    """
    return any(map(str.isalnum, text))


def _is_cjk(char: str) -> bool:
    return (
        "\u3040" <= char <= "\u30ff"
        or "\u3400" <= char <= "\u4dbf"
        or "\u4e00" <= char <= "\u9fff"
        or "\uac00" <= char <= "\ud7af"
        or "\uf900" <= char <= "\ufaff"
    )

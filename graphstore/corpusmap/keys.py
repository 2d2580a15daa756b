"""Keys of names: what must agree for two written forms to be one name (RESOLUTION step 1)."""

from __future__ import annotations

import re
from functools import lru_cache

from graphstore.corpusmap.cjk.script import CJK
from graphstore.corpusmap.cjk.surnames import is_surname_alone
from graphstore.corpusmap.words import ARTICLES, COMMON, LEGAL_FORMS, ORGANISATION_WORDS, TITLES, WEAK_TITLES
from graphstore.names import normalise

_PARENTHESIS = re.compile(r"^(?P<base>.*\S)\s*[(（](?P<inner>[^()（）]+)[)）]\s*$", re.DOTALL)
_DATE_LIKE = re.compile(r"^[\d\s./:年月日-]+$")
_REPLY = re.compile(r"^(?:(?:re|fwd?|aw|wg)\s*:\s*)+", re.IGNORECASE)
_ROMAN = re.compile(r" ((?=[ivx])x{0,3}(?:i[xv]|v?i{0,3}))(?=$| of | the )")
_AND = re.compile(r"(?<=\w)& (?=\w)|(?<=\w) &(?=\w)")
_DIGIT = re.compile(r"\d")
PARTED = ("rev", "revision", "release", "version", "phase", "part", "type", "mark", "series", "stage", "wave", "lot")
"""Words behind which a letter or a number tells one thing from others of the name."""
_PARTED = re.compile(rf"\b(?:{'|'.join(PARTED)}) (\w)$")
_UNSPACED = re.compile(f"[{CJK}]")
_CORPORATE = re.compile(
    r"^(?:㈜|[(（]주[)）]|주식회사 |㈱|[(（]株[)）]|株式会社|有限会社|合同会社)\s?(?=\S)"
    r"|(?<=\S)\s?(?:㈜|[(（]주[)）]| 주식회사|㈱|[(（]株[)）]|株式会社|有限会社|合同会社)$"
)
"""Marks of companies that Korean and Japanese papers put before, behind, in short or in full, as they like."""
_HAN_LEGAL = re.compile(r"(?<=\S\S)(?:有限责任公司|股份有限公司|集团有限公司|有限公司|股份公司)$")
_HAN_PROJECT = re.compile(r"^(?:项目\s*([^\W\d_\u3400-\u9fff]\S*)|([^\W\d_\u3400-\u9fff]\S*?)\s*项目)$")
_TITLE_TOKENS = 12


@lru_cache(maxsize=1 << 15)
def name_key(name: str) -> str:
    """The exact key of a name: normalised, without leading article, leading titles and possessive ending.

    ``Atlas Project`` and ``Project Atlas`` share one key. Never empty unless the name is blank.

    >>> name_key("the Atlas project"), name_key("Dr. Anna Schmidt's"), name_key("Harold D. Schuster")
    ('project atlas', 'anna schmidt', 'harold d schuster')
    >>> name_key("A. Schmidt"), name_key("a contract")
    ('a schmidt', 'contract')
    >>> name_key("General Motors"), name_key("Gen. Colin Powell")
    ('general motors', 'colin powell')
    """
    whole = _HAN_PROJECT.sub(r"project \1\2", normalise(_AND.sub(" & ", _CORPORATE.sub("", name.strip()))))
    tokens = [bare for token in whole.split(" ") if (bare := _bare(token))]
    if len(tokens) > 1 and tokens[0] in ARTICLES and whole[1:2] != ".":  # a letter with a full stop is an initial
        tokens = tokens[1:]
    while len(tokens) > 1 and (tokens[0] in TITLES or _is_weak_title(tokens)):
        tokens = tokens[1:]
    if tokens:
        tokens[-1] = tokens[-1].removesuffix("'s") or tokens[-1]
    if len(tokens) > 1 and tokens[-1] == "project":
        tokens = ["project", *tokens[:-1]]
    return " ".join(tokens) or whole


def _is_weak_title(tokens: list[str]) -> bool:
    """Whether a name begins with what is a title here: "General Colin Powell", not "General Motors"."""
    return tokens[0] in WEAK_TITLES and len(tokens) > 2 and tokens[-1] not in ORGANISATION_WORDS and "of" not in tokens


def _bare(token: str) -> str:
    stripped = token.strip(",:;\"'()[]“”")
    return stripped if stripped.startswith(".") else stripped.removesuffix(".")


def split_title(title: str) -> tuple[str, str | None]:
    """A title without its disambiguating parenthesis, and the parenthesis.

    >>> split_title("Henry Moore (cricketer)")
    ('Henry Moore', 'cricketer')
    """
    found = _PARENTHESIS.match(title.strip())
    return (found["base"], found["inner"].strip()) if found else (title.strip(), None)


def title_key(title: str) -> tuple[str, str | None] | None:
    """Key and disambiguator of the topic that a title names; ``None`` if the title is no name.

    Dates, replies, single common or lower-case words ("notes", as files are called) and whole sentences name nothing.
    """
    if _REPLY.match(title):
        return None
    base, inner = split_title(title)
    key = name_key(base)
    if base.isalpha() and base.islower():
        return None
    if inner and inner.casefold() == "disambiguation":
        return None
    if not key or _DATE_LIKE.match(key) or len(key.split(" ")) > _TITLE_TOKENS or len(key) > 120 or is_common(key):
        return None
    return key, normalise(inner) if inner else None


def is_common(key: str) -> bool:
    """Whether every word of a key is a function word, a time, a role or a heading."""
    return all(token in COMMON or token.isdigit() for token in key.split(" "))


def is_han(key: str) -> bool:
    """Whether a key holds Chinese, Japanese or Korean characters: it then is a full name though it has no spaces."""
    return bool(_UNSPACED.search(key))


def is_word(key: str) -> bool:
    """Whether a key is one word of a name: of a script that puts spaces between words, or an East Asian surname alone.

    >>> is_word("schmidt"), is_word("田中"), is_word("김 과장"), is_word("田中太郎"), is_word("anna schmidt")
    (True, True, True, False, False)
    """
    return is_surname_alone(key) if is_han(key) else " " not in key


def numbers(key: str) -> tuple[str, ...]:
    """The parts of a key that hold digits, Roman numerals, and the letter of a part ("Rev A").

    Two names that differ in them are two things.
    """
    found = tuple(token for token in key.split(" ") if _DIGIT.search(token)) + tuple(_ROMAN.findall(key))
    part = _PARTED.search(key) if key[-2:-1] == " " else None
    return (*found, part[1]) if part and part[1] not in found else found


def without_legal_form(key: str) -> str:
    """The key of a company without its legal form; the key itself if nothing would be left."""
    if is_han(key):
        return _HAN_LEGAL.sub("", key)
    tokens = key.split(" ")
    while len(tokens) > 1 and tokens[-1] in LEGAL_FORMS:
        tokens = tokens[:-1]
    return " ".join(tokens)

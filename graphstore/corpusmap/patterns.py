"""Names that their form gives away: addresses, codes, projects, versions, and aliases that a text states."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from graphstore.corpusmap.cjk.beside import name_start
from graphstore.corpusmap.cjk.script import language
from graphstore.corpusmap.found import Found
from graphstore.corpusmap.keys import PARTED, is_common, is_han, name_key
from graphstore.corpusmap.types import CODE, EMAIL, PERSON, PRODUCT, PROJECT
from graphstore.corpusmap.words import DEPARTMENTS, ROLES

_HAN = "\u3400-\u4dbf\u4e00-\u9fff"
SURNAMES = (
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何高林罗郑梁谢宋唐许韩冯邓曹彭曾肖田董袁潘于蒋蔡余杜"
    "叶程苏魏吕丁任沈姚卢姜崔钟谭陆汪范金石廖贾夏韦付方白邹孟熊秦邱江尹薛闫段雷侯龙史陶黎"
    "贺顾毛郝龚邵万钱严覃武戴莫孔向汤"
)
"""The commonest Chinese surnames, of about nine in ten people."""

_TAIL = rf"[^\W{_HAN}]*(?:[.&+'’-][^\W{_HAN}]+)*[+#]*"
_WORD = rf"[A-Z0-9]{_TAIL}"
_NAME = rf"[A-Z]{_TAIL}(?:['’]?(?: (?:of|the|de|do|la|von|van|der|and|for|&))* {_WORD}){{0,5}}"
_QUOTED = rf"[\"'“‘「*_]{{0,2}}(?P<b>{_NAME}|[{_HAN}]{{2,8}})[\"'”’」*_]{{0,2}}"
_PLAIN_NAME = r"[A-Z][a-z]+(?: [A-Z][a-z]+)+"

_MAIL = r"[A-Za-z0-9._%+-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*\.[A-Za-z]{2,}"
EMAIL_PATTERN = re.compile(rf"(?<![A-Za-z0-9._%+-]){_MAIL}")
CODE_PATTERN = re.compile(
    r"(?<![A-Za-z0-9./_-])(?!(?:UTC|UTF|GMT|ISO|SHA)-)"
    r"(?:[A-Z][A-Z0-9]{1,9}(?:-[A-Z0-9]{1,12}){0,3}|[A-Z]-(?:19|20)\d\d)-\d{1,8}(?:[-.]\d{1,6})*[A-Za-z]?"
    r"(?![A-Za-z0-9_-])"
)
_PROJECT = re.compile(
    rf"\bProject[ -](?P<name>{_WORD}(?: {_WORD})?)|\b(?P<before>{_WORD}) project\b"
    rf"|(?P<han>{_WORD} ?)项目|项目 ?(?P<after>{_WORD})"
)
_PART = re.compile(
    rf" (?:{'|'.join(word.capitalize() for word in PARTED)})\.? (?:[A-Z]|[IVX]{{1,4}}|\d{{1,4}}(?:\.\d+)*)(?![\w-])"
)
_VERSION = re.compile(r"\b(?P<name>[A-Z][\w-]*(?: [A-Z][\w-]*){0,2}) (?:v|version )\d+(?:\.\d+)+\b")
REVISION = re.compile(r"\bRev(?:\.|ision)? [A-Z](?![\w'’-])")
_SIGNED = re.compile(
    r"(?<![\w.+#/&-])(?:[B-Z]|[A-Z][A-Za-z]{1,20})\+\+(?![\w+#])"
    r"|(?<![\w.+#/&-])[A-Z]#(?![\w+#])(?!\s?-?(?:minor|major|flat|sharp)\b)"  # keys of music
)
_CODE_NAME = r"(?:internal )?(?:code[- ]?name|codename|working title|internal name)"
_STATED = (
    r"(?:code[- ]?named?|codename|also (?:known|referred to) as"
    r"|(?:better |internally |externally )?known (?:internally |externally )?as"
    r"|\ba\.?k\.?a\b\.?|formerly(?: known as| called)?|previously (?:known as|called)|now known as|renamed(?: to)?"
    rf"|(?:goes|runs|known|run) (?:internally )?(?:by|under) (?:the |its )?{_CODE_NAME}"
    rf"|under (?:the |its )?{_CODE_NAME}|{_CODE_NAME}(?: is| was)?|又名|又称|原名|简称|内部代号|代号)"
)
_ALIASES = (
    re.compile(
        rf"(?P<a>{_NAME}|[{_HAN}]{{2,10}}(?:项目)?)[\"”]?\s?[,(（，–—-]{{0,2}}\s?(?:(?:is|was|are|has been) )?"
        rf"{_STATED}(?:[:：]|为|是|叫)?\s?(?:the )?{_QUOTED}"
    ),
    re.compile(rf"{_QUOTED},? (?:is|was) (?:the |our |an )?{_CODE_NAME} (?:of|for) (?:the )?(?P<a>{_NAME})"),
    re.compile(rf"\b[Tt]he {_CODE_NAME} (?:of|for) (?:the )?(?P<a>{_NAME}) (?:is|was) {_QUOTED}"),
)
_TRANSLATION = re.compile(
    rf"(?P<a>{_PLAIN_NAME})\s?[(（](?P<b>[{_HAN}]{{2,10}})[)）]"
    rf"|(?P<b2>[{_HAN}]{{2,10}})\s?[(（](?P<a2>{_PLAIN_NAME})[)）]"
)
_ACRONYM = re.compile(
    rf"(?P<long>{_NAME}) ?[(（] ?(?P<short>[A-Z][A-Z&]{{1,7}})[)）]"
    rf"|\b(?P<short2>[A-Z][A-Z&]{{1,7}}) ?[(（](?P<long2>{_NAME})[)）]"
)
_MAILED = re.compile(
    rf"(?P<name>{_NAME}|[{_HAN}々]{{2,4}})[\"”]?(?:\s?[(（][^()（）<>@\n]{{2,40}}[)）])?,?"
    rf"\s?[<(（]\s?(?:mailto:)?(?P<mail>(?<![A-Za-z0-9._%+-]){_MAIL})\s?[>)）]"
)
_ROW = re.compile(rf"(?m)^\W{{0,3}}(?P<name>{_NAME}) ?\|(?:[^|\n@]{{0,40}}\|){{0,4}} ?(?P<mail>{_MAIL})")
_DEPARTMENTS = "|".join(sorted((re.escape(name) for name in DEPARTMENTS), key=len, reverse=True))
_DEPARTMENT = re.compile(
    rf"(?P<name>{_NAME}) ?(?:\((?:[A-Z][\w ]+, )?|, (?:the )?|from (?:the )?|of (?:the )?|in (?:the )?| ?\| )"
    rf"(?P<dept>(?i:{_DEPARTMENTS}))\b(?: (?:department|team))?"
)
_HAN_OFFICE = rf"(?:(?![的了着过由与和向在对从为将请给及是经到会])[{_HAN}]){{2,5}}部(?!门)"
_HAN_DEPARTMENT = re.compile(
    rf"(?P<name>[{_HAN}々]{{2,3}})\s?[(（](?P<dept>{_HAN_OFFICE})门?[)）]"
    rf"|(?P<dept2>{_HAN_OFFICE})的?(?P<name2>[{SURNAMES}][{_HAN}]{{1,2}}?)(?=$|[^{_HAN}]|[和与在于的已将会说])"
)


_IN_QUOTES = re.compile(r"[\"“„«]\s?(?P<title>[^\W\d_][^\"“”„«»\n]{2,80}?)[.,;:]?\s?[\"“”»]")


def addresses(text: str) -> Iterator[Found]:
    """E-mail addresses, and the persons that the text puts right before one."""
    for found in EMAIL_PATTERN.finditer(text):
        yield Found(found.start(), found.end(), EMAIL)
    tongue = language(text)
    for found in [*_MAILED.finditer(text), *_ROW.finditer(text)]:
        start = _start(text, found, "name", tongue)
        if start is not None:
            yield Found(start, found.end("name"), PERSON, "mail:" + found["mail"].casefold())


def codes(text: str) -> Iterator[Found]:
    """Ticket, document and case numbers."""
    for found in CODE_PATTERN.finditer(text):
        yield Found(found.start(), found.end(), CODE)


def projects(text: str) -> Iterator[Found]:
    """``Project X``, ``X project``, ``X项目``, and products with a version."""
    for found in _PROJECT.finditer(text):
        core = found["name"] or found["before"] or found["after"] or found["han"]
        if all(word in ROLES or is_common(word) for word in core.casefold().split()) or core[0].isdigit():
            continue
        start = found.start("before") if found["before"] else found.start()
        end = _project_end(text, found.start("name"), core) if found["name"] else found.end()
        yield Found(start, end, PROJECT)
    for found in _VERSION.finditer(text):
        if not is_common(name_key(found["name"])):
            yield Found(found.start(), found.end(), PRODUCT)


def signed(text: str) -> Iterator[Found]:
    """Names that a sign ends, as those of languages and programs do: ``C++``, ``C#``; mostly products."""
    for found in _SIGNED.finditer(text):
        yield Found(found.start(), found.end(), PRODUCT)


def _project_end(text: str, start: int, core: str) -> int:
    # "Project Atlas Weekly": a role word or a heading after the name is not part of it; "Rev A", "Phase 2" are.
    first, _, second = core.partition(" ")
    whole = second and not is_common(second.casefold()) and second.isalpha()
    for name in (core, first) if whole else (first,):
        if part := _PART.match(text, start + len(name)):
            return part.end()
    return start + len(core if whole else first)


def quoted(text: str) -> Iterator[tuple[int, int]]:
    """What quotation marks hold from a capital on: it may be another document's title, small words and all."""
    for found in _IN_QUOTES.finditer(text):
        if found["title"][0].isupper():
            yield found.span("title")


def departments(text: str) -> Iterator[Found]:
    """Persons whose department the text names beside them."""
    for found in _DEPARTMENT.finditer(text):
        yield Found(found.start("name"), found.end("name"), PERSON, "dept:" + found["dept"].casefold())
    tongue = language(text)
    for found in _HAN_DEPARTMENT.finditer(text):
        if not found["name"]:
            yield Found(*found.span("name2"), PERSON, "dept:" + found["dept2"])
        elif (start := _start(text, found, "name", tongue)) is not None:
            yield Found(start, found.end("name"), PERSON, "dept:" + found["dept"])


def _start(text: str, found: re.Match[str], group: str, tongue: str) -> int | None:
    # Nothing shows where a name of Han characters begins but the name itself.
    return (
        found.start(group)
        if found[group].isascii() or not is_han(found[group])
        else name_start(text, found.end(group), tongue)
    )


@dataclass(frozen=True, slots=True)
class Alias:
    """Two names that a text states to be one thing, as spans."""

    a: tuple[int, int]
    b: tuple[int, int]
    acronym: bool = False


def aliases(text: str) -> Iterator[Alias]:
    """Explicit statements that two names mean one thing: code names, former names, translations, acronyms."""
    for pattern in _ALIASES:
        for found in pattern.finditer(text):
            yield Alias(found.span("a"), found.span("b"))
    for found in _TRANSLATION.finditer(text):
        yield Alias(found.span("a"), found.span("b")) if found["a"] else Alias(found.span("a2"), found.span("b2"))
    for found in _ACRONYM.finditer(text):
        long, short = ("long", "short") if found["long"] else ("long2", "short2")
        if start := acronym_start(found[long], found[short]):
            offset = found.start(long) + start - 1
            yield Alias((offset, found.end(long)), found.span(short), acronym=True)


def acronym_start(long: str, short: str) -> int:
    """Where in ``long``, counted from 1, the words begin whose initials spell ``short``; 0 if they do not."""
    words = [(m.start(), m.group()) for m in re.finditer(r"[^\W_]+", long)]
    for first in range(len(words)):
        rest = [word for _, word in words[first:]]
        if not rest[0][0].isupper():
            continue  # "of the National League (NL)" is called without what stands before
        capitals = "".join(word[0] for word in rest if word[0].isupper())
        every = "".join(word[0] for word in rest).upper()
        if len(rest) > 1 and short.replace("&", "") in (capitals, every):
            return words[first][0] + 1
    return 0

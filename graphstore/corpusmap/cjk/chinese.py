"""Names of Chinese papers: persons by surname and what stands beside them, the rest by form."""

from __future__ import annotations

import re
from collections import Counter

from graphstore.corpusmap.cjk.lexicon import characters, common, either, words
from graphstore.corpusmap.cjk.page import Page, bearer, people
from graphstore.corpusmap.cjk.script import HAN
from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE, PRODUCT, PROJECT, TOPIC

_H = f"[{HAN}]"
_GIVEN = f"(?![{characters('zh_not_given')}]){_H}"
_SURNAME = f"[{characters('zh_surnames')}]"
_DOUBLE = either("zh_double")
_NAME = f"(?:(?:{_DOUBLE})(?:{_GIVEN}){{1,2}}?|{_SURNAME}(?:{_GIVEN}){{1,2}}?)"
_BEFORE = f"(?:(?<!{_H})|(?<=部)|" + "|".join(f"(?<={word})" for word in words("zh_before")) + ")"
_PERSON = re.compile(f"{_BEFORE}(?P<name>{_NAME})(?=[^{HAN}]|$|(?:{either('zh_after')}))")
_SHORT = re.compile(
    f"(?<!{_H})(?P<name>(?P<surname>{_DOUBLE}|{_SURNAME})(?:{either('zh_short_titles')}))"
    f"(?=[^{HAN}]|$|(?:{either('zh_after')}|好|您好))"
)
_LATIN = re.compile(
    r"(?<![\w.])(?P<name>[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][a-z]+){1,2}) ?"
    f"(?={either('zh_says')})"
)
_ENDS = either("zh_organisation")
_ORGANISATION = re.compile(f"(?:{_ENDS})+(?:[(][^()\n]{{1,8}}[)])?")
_RUN = re.compile(f"[{HAN}A-Za-z0-9&·]{{1,24}}$")
_CUT = re.compile(f"(?:{either('zh_cuts')})")
_LEGAL = re.compile(f"(?:{either('zh_legal')})+$")
_PLACE_NAMES = either("zh_places")
_SEAT = re.compile(f"^(?:{_PLACE_NAMES})(?:市|省)?")
_DEPARTMENT = re.compile(
    f"(?P<name>(?:{either('zh_departments')})+(?:{either('zh_offices')}))"
    "(?<!数据中心)(?<!部门)(?![署分件位理置于合织件成建长技学])"
)
_PROJECT = re.compile(f"(?P<stem>{_H}{{2,8}})项目(?![{{组经]|管理)")
_PROJECT_CUT = re.compile(
    f"(?:{either('zh_cuts', 'zh_titles')}|了解|汇报|启动|通报|讨论|推进|介绍|以来|本周|目前|[该本此各新])"
)
_NO_PROJECT = words("zh_not_project")
_PRODUCT_LABEL = re.compile(
    f"(?m)^[-*\\s]*(?:产品名称|产品名|产品|影响系统|系统名称|涉及系统|应用系统)[:] ?"
    f"(?P<name>[{HAN}A-Za-z0-9]{{2,16}})(?=\\s|[,;。、()]|$)"
)
_VERSION = re.compile(f"(?P<stem>[{HAN}A-Za-z0-9]{{2,16}}) ?(?:v|V|版本 ?)\\d+(?:\\.\\d+)+")
_VERSION_CUT = re.compile(f"(?:{either('zh_cuts')}|随|发布|版本|升级)")
_QUOTED_PRODUCT = re.compile("(?:系统|产品|平台|软件|应用)[“「'\"](?P<name>[^”」'\"\n]{2,20})[”」'\"]")
_WORK = re.compile(r"《(?P<name>[^《》\n]{2,60})》")
_PLACE = re.compile(f"(?P<name>(?:{_PLACE_NAMES})(?:市|省)?)(?![人语文币元队史菜化式年])")
_BRANCH = ("分公司", "子公司")


def find(page: Page) -> None:
    """Take in the names of a Chinese page, surest first."""
    page.add_groups(_WORK, TOPIC)
    _organisations(page)
    page.add_groups(_DEPARTMENT, ORGANISATION)
    _projects(page)
    _products(page)
    _persons(page)
    page.add_groups(_PLACE, PLACE)
    page.spread(_whole)
    _short_organisations(page)
    _familiar(page)


def _whole(text: str, start: int, end: int, kind: str) -> bool:
    return kind != PLACE


def _organisations(page: Page) -> None:
    clean: list[str] = []
    for match in _ORGANISATION.finditer(page.text):
        start = _start(page.text, match.start())
        name = page.text[start : match.end()]
        stem = page.text[start : match.start()]
        if len(stem) < 2 or name in words("zh_generic") or match.group().endswith(_BRANCH) or stem in _NO_PROJECT:
            continue
        longer = [known for known in clean if name.endswith(known)]
        if longer:  # what stands before a name that is known by itself is no part of it
            start = match.end() - len(max(longer, key=len))
        if page.add(start, match.end(), ORGANISATION) and (start == 0 or not _is_han(page.text[start - 1])):
            clean.append(page.text[start : match.end()])


def _start(text: str, end: int) -> int:
    """Where a name begins whose ending begins at ``end``: after the last word that cannot belong to it."""
    run = _RUN.search(text, max(0, end - 24), end)
    if run is None:
        return end
    start = run.start()
    for cut in _CUT.finditer(text, start, end - 1):
        if cut.group() == "和" and (
            text[cut.start() - 1 : cut.start()] in ("共", "祥", "永") or text[cut.end()] == "平"
        ):
            continue
        if end - cut.end() >= 2:
            start = cut.end()
    return start


def _is_han(char: str) -> bool:
    return bool(re.fullmatch(_H, char))


def _projects(page: Page) -> None:
    matches = []
    for match in _PROJECT.finditer(page.text):
        stem, start = match["stem"], match.start()
        for cut in _PROJECT_CUT.finditer(stem):
            start = match.start() + cut.end()
        matches.append((start, match.end(), page.text[start : match.end() - 2]))
    written = Counter(stem for _, _, stem in matches)
    for start, end, stem in matches:
        sure = start == 0 or not _is_han(page.text[start - 1]) or written[stem] > 1
        if sure and stem not in _NO_PROJECT and 2 <= len(stem) <= 6:
            page.add(start, end, PROJECT)


def _products(page: Page) -> None:
    for match in _VERSION.finditer(page.text):
        start = match.start("stem")
        for cut in _VERSION_CUT.finditer(match["stem"]):
            start = match.start("stem") + cut.end()
        if match.end("stem") - start >= 2 and page.add(start, match.end(), PRODUCT):
            for place in re.finditer(re.escape(page.text[start : match.end("stem")]), page.text):
                if not re.match(r" ?[vV]\d", page.text[place.end() : place.end() + 3]):
                    page.add(*place.span(), PRODUCT)
    page.add_groups(_PRODUCT_LABEL, PRODUCT)
    page.add_groups(_QUOTED_PRODUCT, PRODUCT)


def _persons(page: Page) -> None:
    at = 0
    while match := _PERSON.search(page.text, at):
        start, end = match.span("name")
        if _is_person(page.text, start, end):
            page.add(start, end, PERSON)
            at = end
        else:
            at = start + 1
    page.add_groups(_LATIN, PERSON)


def _is_person(text: str, start: int, end: int) -> bool:
    name, known = text[start:end], common()
    if name in known or "总" in name or name.endswith("工") or name[1:] in _NO_GIVEN or name[0] == name[1]:
        return False
    if text[start - 1 : start] in _PARTY and name[0] == "方":
        return False  # 对方, 双方: a side, no surname
    before, after = text[start - 1 : start], text[end : end + 1]
    alone = not (_is_han(before) or _is_han(after)) and not (before in "\n" and after in "\n")
    return alone or name[:2] not in known


_NO_GIVEN = words("zh_titles") | words("zh_after")
_PARTY = frozenset("对我双甲乙各官警地多校资买卖")


def _short_organisations(page: Page) -> None:
    for whole in sorted(page.written(ORGANISATION)):
        short = _LEGAL.sub("", whole)
        if short == whole:
            continue
        for form in dict.fromkeys((short, _SEAT.sub("", short))):
            if len(form) >= 3 and form not in words("zh_generic"):
                page.spread_form(form, ORGANISATION, whole, _whole)


def _familiar(page: Page) -> None:
    """Surname with a title, 老吴, 小陈, 芳姐: short for the only person of the page that it fits."""
    known = people(page)
    endings = Counter(name[-1] for name in known)
    for name in sorted(known):
        if not re.fullmatch(f"{_H}{{2,4}}", name):
            continue
        surname = name[:2] if name[:2] in words("zh_double") else name[0]
        if bearer(surname, known) == name:
            for form in (f"小{surname}", f"老{surname}", f"阿{surname}"):
                page.spread_form(form, PERSON, name, _whole)
        if endings[name[-1]] == 1:
            for form in (f"{name[-1]}姐", f"{name[-1]}哥", f"{name[-2:]}姐", f"{name[-2:]}哥"):
                page.spread_form(form, PERSON, name, _whole)
    for match in _SHORT.finditer(page.text):
        page.add(*match.span("name"), PERSON, bearer(match["surname"], known))

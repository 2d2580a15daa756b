"""Names of Korean papers: persons by surname and what stands beside them, words freed of their particles."""

from __future__ import annotations

import re
from collections import Counter

from graphstore.corpusmap.cjk.lexicon import characters, either, words
from graphstore.corpusmap.cjk.page import Page, bearer, people
from graphstore.corpusmap.cjk.script import HANGUL
from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE, PRODUCT, PROJECT, TOPIC

_S = f"[{HANGUL}]"
_NAME = f"(?:(?:{either('ko_double')}){_S}{{1,2}}|[{characters('ko_surnames')}]{_S}{{2}})"
_SHORT_NAME = f"(?:{_NAME}|[{characters('ko_surnames')}]{_S})"
_TITLE = either("ko_titles")
_PARTICLE = f"(?:{either('ko_particles')})"
_END = f"(?={_PARTICLE}?(?!{_S}))"
_START = f"(?<!{_S})"
_TITLED = re.compile(f"{_START}(?P<name>{_SHORT_NAME}) (?=(?:{_TITLE})님?{_PARTICLE}?(?!{_S}))")
_HONOURED = re.compile(f"{_START}(?P<name>{_NAME})(?=님{_PARTICLE}?(?!{_S})| ?씨{_PARTICLE}?(?!{_S}))")
_LABEL = f"(?:{either('ko_labels')}|보낸 사람|받는 사람)"
_LABELLED = re.compile(f"{_LABEL}(?: ?[:：] ?|[은는인]? )(?P<name>{_NAME})(?=$|[^{HANGUL}]|{_PARTICLE}(?!{_S}))")
_LISTED = re.compile(
    f"(?m)(?<=[,、·:] )(?P<name>{_NAME})(?=\\s*(?:[,、·(<]|$))|^(?P<alone>{_NAME})(?=(?: (?:드림|올림|배상))? *$)"
)
_SAYS = re.compile(f"{_START}(?P<name>{_NAME})(?=입니다(?!{_S}))")
_MEMBER = re.compile(f"(?:팀|부|과|실)(?:의)? (?P<name>{_NAME}){_END}")
_SHORT = re.compile(
    f"{_START}(?P<name>(?P<surname>{either('ko_double')}|[{characters('ko_surnames')}]) ?(?:{_TITLE}))"
    f"(?=님?{_PARTICLE}?(?!{_S}))"
)
_NO_ONE = words("ko_no_one")
_AMBIGUOUS = "이전현신구각본한양주부총그저"  # this, former, present, new, old, each, one, both, main, vice, chief
_LATIN = re.compile(
    r"(?<![\w.])(?P<name>[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][a-z]+){1,2})(?= ?(?:씨|님|과장|부장|교수|대표|팀장|이사))"
)
_HAN_PERSON = re.compile("(?<![\u4e00-\u9fff])(?P<name>[\u4e00-\u9fff]{2,4})(?= ?(?:씨|님))")
_WORD = f"[{HANGUL}A-Za-z0-9&]"
_CORPORATE = either("ko_corporate")
_BEFORE_NAME = re.compile(f"(?P<name>(?:(?:{_CORPORATE}) |㈜ ?|\\(주\\) ?)(?P<stem>{_WORD}{{2,20}}))")
_AFTER_NAME = re.compile(
    f"(?<!{_WORD})(?P<name>(?P<stem>{_WORD}{{2,20}}?)(?: (?:{_CORPORATE})|㈜|\\(주\\)))(?!{_S}{{3}})"
)
_INSTITUTION = re.compile(f"(?<!{_WORD})(?P<name>(?P<stem>{_WORD}{{2,12}}?)(?:{either('ko_organisation_ends')})){_END}")
_TEAM = re.compile(f"(?<!{_WORD})(?P<name>(?P<stem>{_WORD}{{2,10}}?)(?:팀|본부|사업부|위원회|연구소|지원단)){_END}")
_OFFICE = re.compile(
    f"(?<!{_WORD})(?P<name>(?:국내|해외|제?[1-9일이삼])?(?:{either('ko_offices')})+(?:[1-9])?(?:부|과|실|센터|그룹)){_END}"
)
_PROJECT = re.compile(f"(?<!{_WORD})(?P<name>(?P<stem>[{HANGUL}A-Za-z0-9]{{1,10}}) ?프로젝트){_END}")
_PRODUCT_LABEL = re.compile(
    "(?m)^[-*\\s]*(?:제품명|제품|상품명|시스템명|서비스명|앱 이름): ?"
    f"(?P<name>[{HANGUL}A-Za-z0-9]{{2,16}})(?=\\s*(?:[,.()]|$))"
)
_QUOTED_PRODUCT = re.compile(
    "(?:시스템|제품:?|앱|서비스|솔루션|프로그램|소프트웨어) ?['\"‘“「](?P<name>[^'\"’”」\n]{2,20})['\"’”」]"
)
_WORK = re.compile(r"[〈《『](?P<name>[^〈〉《》『』\n]{2,60})[〉》』]")
_NOT_PLACES = {"인도", "화성", "선전"}  # handing over, Mars, propaganda
_PLACE = re.compile(f"{_START}(?P<name>(?:{either('ko_places', without=_NOT_PLACES)})(?:시|특별시|광역시|도)?){_END}")


def find(page: Page) -> None:
    """Take in the names of a Korean page, surest first."""
    page.add_groups(_WORK, TOPIC)
    _organisations(page)
    _projects(page)
    page.add_groups(_PRODUCT_LABEL, PRODUCT)
    page.add_groups(_QUOTED_PRODUCT, PRODUCT)
    page.add_groups(_PLACE, PLACE)
    _persons(page)
    page.spread(_whole)
    _short_names(page)


def _whole(text: str, start: int, end: int, kind: str) -> bool:
    """Whether a known form is a word by itself, with a particle or a title at most."""
    if kind == PLACE or (start and re.match(_S, text[start - 1]) and re.match(_S, text[start])):
        return False
    return not re.match(_S, text[end - 1]) or bool(_FREE.match(text, end))


_FREE = re.compile(f"(?: ?(?:{_TITLE})님?)?{_PARTICLE}?(?!{_S})")


def _organisations(page: Page) -> None:
    for pattern in (_AFTER_NAME, _BEFORE_NAME, _INSTITUTION, _TEAM):
        for match in pattern.finditer(page.text):
            start, end = match.span("name")
            if pattern is _BEFORE_NAME:
                end = start + len(_bare(match["name"]))
            hangs = match.group().endswith("주식회사") and _HANGING.search(match["stem"])
            if hangs and re.match(f" {_S}", page.text[end : end + 2]):
                continue  # "개발은 주식회사 북두칠성에": the name comes after
            team = pattern is _TEAM and match["stem"] in words("ko_generic")
            if not team and page.text[start:end] not in words("ko_generic"):
                page.add(start, end, ORGANISATION)
    page.add_groups(_OFFICE, ORGANISATION)


_HANGING = re.compile("[은는이가을를의에도와과로]$")
_OF_PEOPLE = tuple(each for each in words("ko_particles") if each[0] in "씨님")
_TRAILING = re.compile(
    f"(?<={_S}{{2}})(?:{either('ko_particles', without=('도', '나', '라', '만', '랑', '이나', *_OF_PEOPLE))})$"
)


def _bare(name: str) -> str:
    """A name without the particle that hangs on it."""
    return _TRAILING.sub("", name)


def _projects(page: Page) -> None:
    matches = [match for match in _PROJECT.finditer(page.text) if match["stem"] not in words("ko_not_project")]
    written = Counter(match["stem"] for match in matches)
    for match in matches:
        if _heads(page.text, match.start()) or written[match["stem"]] > 1:
            page.add(*match.span("name"), PROJECT)


def _heads(text: str, start: int) -> bool:
    """Whether a place begins a line, a value or a quotation, but for marks and numbers of lists."""
    while start and text[start - 1] in " #*-0123456789.":
        start -= 1
    return not start or text[start - 1] in "\n:：'\"‘“「"


def _persons(page: Page) -> None:
    page.add_groups(_LATIN, PERSON)
    page.add_groups(_HAN_PERSON, PERSON)
    for pattern in (_TITLED, _HONOURED, _LABELLED, _LISTED, _SAYS, _MEMBER):
        for match in pattern.finditer(page.text):
            group = "name" if match["name"] else "alone"
            if _is_person(match[group], page.text[match.end(group) : match.end(group) + 4]):
                page.add(*match.span(group), PERSON)


_PLACES, _TITLES = words("ko_places"), words("ko_titles")
_LOOSE_TITLES = tuple(sorted(words("ko_loose_titles")))


def _is_person(name: str, after: str) -> bool:
    if name in _NO_ONE or name in _PLACES or name in _TITLES:
        return False
    return len(name) > 2 or not after.strip().startswith(_LOOSE_TITLES)


def _short_names(page: Page) -> None:
    """Surnames with a title, and organisations without their legal form."""
    known = {name for name in people(page) if re.fullmatch(f"{_S}{{2,4}}", name)}
    for match in _SHORT.finditer(page.text):
        if match["name"] in _TITLES:
            continue
        whole = bearer(match["surname"], known)
        if whole or match["surname"] not in _AMBIGUOUS:
            page.add(*match.span("name"), PERSON, whole)
    for whole in sorted(page.written(ORGANISATION)):
        short = re.sub(f"^(?:(?:{_CORPORATE}) |㈜ ?|\\(주\\) ?)|(?: (?:{_CORPORATE})|㈜|\\(주\\))$", "", whole)
        if short != whole and len(short) >= 3:
            page.spread_form(short, ORGANISATION, whole, _whole)

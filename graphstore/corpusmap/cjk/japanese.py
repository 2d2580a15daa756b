"""Names of Japanese papers: persons by surname and honorific, the rest by form and by runs of one script."""

from __future__ import annotations

import re

from graphstore.corpusmap.cjk.lexicon import any_of, either, words
from graphstore.corpusmap.cjk.page import Page, bearer, people
from graphstore.corpusmap.cjk.script import HAN
from graphstore.corpusmap.types import ORGANISATION, PERSON, PLACE, PRODUCT, PROJECT, TOPIC

_HIRA, _KATA = "\u3041-\u3096", "\u30a1-\u30fa\u30fc"
_K = f"[{HAN}ヶ]"
_RUN = f"[{HAN}ヶ{_KATA}A-Za-z0-9&・-]"
_SURNAME = either("ja_surnames")
_LONG_SURNAME = any_of(name for name in words("ja_surnames") if len(name) > 1)
_HONORIFIC = either("ja_honorifics")
_NO_GIVEN = "県市区町村駅店社部課室所場局学館校業線港工内外方面側産製品設備会議員者長語的性化中地側国間前後式型号"
_GIVEN = f"(?![{_NO_GIVEN}様氏君殿])(?!{_HONORIFIC}){_K}"
_HIRA_GIVEN = f"(?!さん|です|から|より|まで|[がはのとにをもでへやか])[{_HIRA}]{{2,4}}?"
_FULL = re.compile(
    f"(?<![{HAN}ヶ{_KATA}])(?P<name>(?P<surname>{_LONG_SURNAME})(?: ?{_GIVEN}){{1,3}}?)"
    f"(?=(?:{_HONORIFIC})|$|[^{HAN}ヶ{_KATA}{_HIRA}]|(?<={_K})[{_HIRA}])"
)
_LABEL = f"(?:{either('ja_labels')})"
_LABELLED = re.compile(
    f"{_LABEL}[:は、 ] ?(?P<name>(?:{_SURNAME})(?: ?(?:{_GIVEN}){{1,3}}?|{_HIRA_GIVEN})?)"
    f"(?=\\s|[、,。()・]|$|(?:{_HONORIFIC}))"
)
_MEMBER = re.compile(
    f"[部課室社ズ]の(?P<name>{_LONG_SURNAME})(?=です|[がはにへと、])|(?m:^)(?P<self>{_LONG_SURNAME})(?=です)"
)
_SIGNED = re.compile(f"(?m)^(?P<name>{_LONG_SURNAME})(?: 拝)?$")
_CALLED = re.compile(f"(?<![{HAN}ヶ])(?P<name>{_SURNAME})(?= ?(?P<title>{_HONORIFIC}))")
_CALLED_FULL = re.compile(
    f"(?<![{HAN}ヶ{_KATA}])(?P<name>(?:{_SURNAME}) ?(?:(?:{_GIVEN}){{1,3}}?|{_HIRA_GIVEN}|[{_KATA}]{{2,5}}))"
    "(?=さん|様|氏|教授|准教授)"
)
_UNKNOWN = re.compile(f"(?<![{HAN}ヶ])(?P<name>{_K}{{2,5}})(?=さん|氏(?![{HAN}]))")
_NO_ONE = words("ja_no_one")
_LATIN = re.compile(
    r"(?<![\w.])(?P<name>[A-Z][a-z]+(?: [A-Z]\.)?(?: [A-Z][a-z]+){1,2})(?= ?(?:さん|様|氏|先生|部長|課長|教授))"
)
_KATAKANA_PERSON = re.compile(
    f"(?<![{_KATA}・])(?P<name>[{_KATA}]{{2,10}}・[{_KATA}]{{2,10}})(?= ?(?:さん|様|氏|教授|博士))"
)
_CORPORATE = either("ja_corporate") + r"|㈱|\(株\)|\(有\)"
_PARTICLE = "[にのがはをとでへもやか、。,()]|から|より|まで|様|$|\\s"
_BEFORE_NAME = re.compile(
    f"(?P<name>(?:{_CORPORATE})(?P<stem>[{_HIRA}]{{0,6}}?{_RUN}{{2,20}}|[{_HIRA}]{{2,6}}?(?={_PARTICLE})))"
)
_AFTER_NAME = re.compile(f"(?P<name>(?P<stem>[{_HIRA}]{{0,6}}?{_RUN}{{2,20}}?)(?:{_CORPORATE}))")
_ENDS = either("ja_organisation_ends")
_INSTITUTION = re.compile(
    f"(?<![{HAN}ヶ{_KATA}A-Za-z])(?P<name>(?P<stem>{_RUN}{{2,12}}?)(?:{_ENDS}))(?![{HAN}{_KATA}])"
)
_DEPARTMENT = re.compile(
    f"(?<![{HAN}ヶ{_KATA}A-Za-z])(?P<name>(?:[{HAN}{_KATA}A-Z0-9]{{1,9}}(?:部|課|局|事業部|本部|委員会)|(?:{either('ja_rooms')})室))"
    f"(?![{HAN}{_KATA}])"
)
_PROJECT = re.compile(
    f"(?<![{HAN}ヶ{_KATA}A-Za-z0-9])(?P<name>(?P<stem>[{HAN}{_KATA}A-Za-z0-9]{{1,10}}?) ?プロジェクト)"
    "(?!マネージャ|リーダ)"
)
_PRODUCT_LABEL = re.compile(
    "(?m)^[-*・\\s]*(?:製品名|製品|商品名|対象システム|システム名|アプリ名): ?"
    f"(?P<name>[{HAN}{_KATA}A-Za-z0-9]{{2,16}})(?=\\s|[、,。()]|$)"
)
_QUOTED_PRODUCT = re.compile("(?:システム|製品[::]?|アプリ|ソフト|サービス|ツール|サイト)「(?P<name>[^」\n]{2,20})」")
_WORK = re.compile(r"[『《](?P<name>[^『』《》\n]{2,60})[』》]")
_PLACE_NAMES = any_of(name for name in words("ja_places") if len(name) > 1)
_PLACE = re.compile(
    f"(?<![{HAN}ヶ{_KATA}])(?P<name>(?P<stem>{_PLACE_NAMES})(?P<unit>[都道府県市区町村]?))(?![語人史円製酒食{_KATA}])"
)
_SITE = re.compile("県|市|区|町|支店|支社|工場|本社|オフィス|駅|事業所|営業所|研究所")
_PLACES = words("ja_places")
_AMBIGUOUS_TITLES = ("支店長", "工場長", "所長", "店長")


def find(page: Page) -> None:
    """Take in the names of a Japanese page, surest first."""
    page.add_groups(_WORK, TOPIC)
    _organisations(page)
    _projects(page)
    page.add_groups(_PRODUCT_LABEL, PRODUCT)
    page.add_groups(_QUOTED_PRODUCT, PRODUCT)
    _persons(page)
    _places(page)
    page.spread(_whole)
    _short_names(page)


def _whole(text: str, start: int, end: int, kind: str) -> bool:
    """Whether a known form stands whole: no run of its first or last script goes on."""
    if kind == PLACE:
        return False
    before, after = text[start - 1 : start], text[end : end + 1]
    first, last = text[start], text[end - 1]
    if kind == PERSON and re.match(f"[{HAN}]", last) and re.match(f"(?:{_HONORIFIC})", text[end:]):
        after = ""
    return not (_same_script(before, first) or _same_script(last, after))


def _same_script(a: str, b: str) -> bool:
    return any(re.match(f"[{script}]", a) and re.match(f"[{script}]", b) for script in (HAN, _KATA, "A-Za-z"))


def _organisations(page: Page) -> None:
    for pattern in (_AFTER_NAME, _BEFORE_NAME, _INSTITUTION):
        for match in pattern.finditer(page.text):
            start, end = match.span("name")
            if pattern is _AFTER_NAME:
                start += _led_by_hiragana(match["stem"])
            elif led := _LED.match(match["stem"]):
                end = match.start("stem") + led.end("name")
            if match["stem"] not in words("ja_generic") and match["name"] not in words("ja_generic"):
                page.add(start, end, ORGANISATION)
    for match in _DEPARTMENT.finditer(page.text):
        if match["name"] not in words("ja_generic"):
            page.add(*match.span("name"), ORGANISATION)


_LED = re.compile(
    f"(?P<name>[{_HIRA}]{{2,}}?)(?:による|により|について|として|から|より|では|には|への|との|[のがはを])(?![{_HIRA}])"
)


def _led_by_hiragana(stem: str) -> int:
    """Hiragana at the beginning of a stem that are the particle before it ("は東洋計測"), not its first letters."""
    lead = re.match(f"[{_HIRA}]*", stem)
    return lead.end() if lead else 0


def _projects(page: Page) -> None:
    for match in _PROJECT.finditer(page.text):
        if match["stem"] not in words("ja_not_project"):
            page.add(*match.span("name"), PROJECT)


def _persons(page: Page) -> None:
    page.add_groups(_LATIN, PERSON)
    page.add_groups(_KATAKANA_PERSON, PERSON)
    for pattern in (_CALLED_FULL, _FULL, _LABELLED, _MEMBER, _SIGNED):
        for match in pattern.finditer(page.text):
            group = "name" if match["name"] else "self"
            if match[group] not in _PLACES:
                page.add(*match.span(group), PERSON)
    for match in _CALLED.finditer(page.text):
        if not (match["name"] in _PLACES and match["title"] in _AMBIGUOUS_TITLES):
            page.add(*match.span("name"), PERSON, bearer(match["name"], _full_names(page)))
    for match in _UNKNOWN.finditer(page.text):
        if match["name"] not in _NO_ONE and match["name"][-1] not in "者長員様方":
            page.add(*match.span("name"), PERSON)


def _full_names(page: Page) -> set[str]:
    """Persons called by more than their surname."""
    return {name for name in people(page) if name not in words("ja_surnames")}


def _places(page: Page) -> None:
    for match in _PLACE.finditer(page.text):
        if match["stem"] in words("ja_surnames") and not match["unit"] and not _SITE.match(page.text, match.end()):
            continue
        page.add(*match.span("name"), PLACE)


def _short_names(page: Page) -> None:
    """Bare surnames of persons, and organisations without their legal form, that the page names in full."""
    known = _full_names(page)
    called = {page.text[each.start : each.end] for each in page.found if each.type == PERSON} & words("ja_surnames")
    surnames = called | {surname for name in known if (surname := _surname(name))}
    for surname in sorted(surnames, key=lambda name: (-len(name), name)):
        if len(surname) > 1:
            page.spread_form(surname, PERSON, bearer(surname, known), _whole)
    for whole in sorted(page.written(ORGANISATION)):
        short = re.sub(f"^(?:{_CORPORATE})|(?:{_CORPORATE})$", "", whole).strip()
        if short != whole and len(short) >= 3:
            page.spread_form(short, ORGANISATION, whole, _whole)


def _surname(name: str) -> str | None:
    return next((name[:size] for size in (3, 2, 1) if name[:size] in words("ja_surnames") and len(name) > size), None)

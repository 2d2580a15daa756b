"""The names of a text in Chinese, Japanese or Korean, found by the finder of its language."""

from __future__ import annotations

import re

from graphstore.corpusmap.cjk import chinese, japanese, korean
from graphstore.corpusmap.cjk.lexicon import either
from graphstore.corpusmap.cjk.page import Page
from graphstore.corpusmap.cjk.script import cjk_share, language
from graphstore.corpusmap.found import Found
from graphstore.corpusmap.types import ORGANISATION, PLACE

_FINDERS = {"zh": chinese.find, "ja": japanese.find, "ko": korean.find}
_MOSTLY = 0.5
_LATIN_PLACE = re.compile(rf"(?<![\w.@/-])(?P<name>{either('latin_places')})(?![A-Za-z0-9@_-]| [A-Z][a-z])")
_LATIN_COMPANY = re.compile(
    r"(?<![\w.])(?P<name>[A-Z][\w&-]*(?: [A-Z][\w&-]*){0,4} (?i:GmbH|Ltd|Inc|Corp|LLC|PLC|AG|Co|S\.A|B\.V)\b\.?)"
)


def cjk_names(text: str) -> list[Found]:
    """The names of a text in Chinese, Japanese or Korean, in order; none where it has none of their characters.

    Names in Latin letters are looked for only where there is too little English for a model of English.
    """
    tongue = language(text)
    if not tongue:
        return []
    page = Page(text)
    if cjk_share(text) >= _MOSTLY:
        page.add_groups(_LATIN_COMPANY, ORGANISATION)
        _FINDERS[tongue](page)
        page.add_groups(_LATIN_PLACE, PLACE)
    else:
        _FINDERS[tongue](page)
    return sorted(page.found, key=lambda found: (found.start, found.end))

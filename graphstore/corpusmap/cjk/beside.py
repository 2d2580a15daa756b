"""Where a person's name begins that stands right before an address or a department, with no blank to show it."""

from __future__ import annotations

import re

from graphstore.corpusmap.cjk.lexicon import common, words
from graphstore.corpusmap.cjk.script import HAN

_LONGEST = 8
_RUN = re.compile(f"[{HAN}]{{2,{_LONGEST}}}$")
_IS_HAN = re.compile(f"[{HAN}]")
_SHORT, _LONG = range(1, 3), range(1, 4)
"""Characters of given names, Chinese and Japanese."""
_ENDS_A_WORD = "者員長方先側達宛署部課"
"""What ends Japanese words for people and places (関係者), and no given name."""


def name_start(text: str, end: int, tongue: str) -> int | None:
    """Where the name begins that ends at ``end``; ``None`` if what stands there is nobody's name.

    :param tongue: Language of the text, as :func:`graphstore.corpusmap.cjk.script.language` tells it.

    >>> [(text, name_start(text, len(text), "zh")) for text in ("请联系孙悦", "和李伟", "一般员工", "欧阳娜娜")]
    [('请联系孙悦', 3), ('和李伟', 1), ('一般员工', None), ('欧阳娜娜', 0)]
    >>> [name_start(text, len(text), "ja") for text in ("出席者田中太郎", "佐々木健", "中村課長", "高橋")]
    [3, 0, None, 0]
    """
    run = _RUN.search(text, max(0, end - _LONGEST), end)
    if not run:
        return None
    first = run.start()
    free = first == 0 or not _IS_HAN.match(text, first - 1)
    if tongue == "ja":
        named = [at for at in range(first, end) if _is_japanese(text[at:end], alone=free and at == first)]
    else:
        named = [at for at in range(first, end) if _is_chinese(text[at:end])]
        named = named or [at for at in range(first, end - 2) if _is_japanese(text[at:end], alone=False)]
        named = [at for at in named if not (text[at] in words("zh_before") and at + 1 in named)]  # "和李伟"
    return named[0] if named else None


def _is_chinese(name: str) -> bool:
    if name in common() or name in words("zh_generic"):
        return False
    if name[:2] in words("zh_double") and len(name) - 2 in _SHORT:
        return True
    given = name[1:]
    titled = given in words("zh_short_titles")
    plain = len(given) in _SHORT and not set(given) & words("zh_not_given")
    return name[0] in words("zh_surnames") and (titled or plain)


def _is_japanese(name: str, *, alone: bool) -> bool:
    surnames = words("ja_surnames")
    if name in words("ja_no_one") or name in words("ja_generic") or name[-1] in _ENDS_A_WORD:
        return False
    if alone and len(name) > 1 and name in surnames:
        return True
    honorifics = words("ja_honorifics")
    return any(
        name[:size] in surnames
        and len(name) - size in (_LONG if size > 1 else (2,))
        and not any(name[at:] in honorifics for at in range(size, len(name)))
        for size in (3, 2, 1)
    )

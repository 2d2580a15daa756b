"""Which script a text is written in: told by its characters, so that no language is presumed."""

from __future__ import annotations

import re

HAN = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff々〆"
KANA = "\u3041-\u309f\u30a1-\u30fa\u30fc-\u30ff\u31f0-\u31ff"
HANGUL = "\uac00-\ud7a3"
CJK = HAN + KANA + HANGUL
_ANY = re.compile(f"[{CJK}]")
_KANA = re.compile(f"[{KANA}]")
_HANGUL = re.compile(f"[{HANGUL}]")
_JAPANESE, _KOREAN = 0.08, 0.2


def cjk_share(text: str) -> float:
    """Share of Chinese, Japanese or Korean characters among the letters of a text, in [0, 1]."""
    letters = sum(char.isalpha() for char in text)
    return len(_ANY.findall(text)) / letters if letters else 0.0


def language(text: str) -> str:
    """``zh``, ``ja`` or ``ko`` by the characters of a text; empty where it has none of theirs.

    >>> language("会议于三月举行"), language("会議は三月です"), language("회의는 3월이다"), language("March")
    ('zh', 'ja', 'ko', '')
    """
    every = len(_ANY.findall(text))
    if not every:
        return ""
    if len(_HANGUL.findall(text)) >= _KOREAN * every:
        return "ko"
    return "ja" if len(_KANA.findall(text)) >= _JAPANESE * every else "zh"

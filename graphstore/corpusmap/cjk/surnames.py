"""Whether an East Asian name is a surname alone, which many people bear."""

from __future__ import annotations

import re
from functools import cache, lru_cache

from graphstore.corpusmap.cjk.lexicon import characters, either, words


@lru_cache(maxsize=1 << 16)
def is_surname_alone(key: str) -> bool:
    """Whether a key is a surname, bare (田中) or with a title (王经理, 老吴, 김 과장), and no full name.

    >>> [is_surname_alone(key) for key in ("田中", "王经理", "老吴", "김 과장", "王芳", "김민수")]
    [True, True, True, True, False, False]
    """
    return key in words("ja_surnames") or bool(_titled().fullmatch(key))


@cache
def _titled() -> re.Pattern[str]:
    chinese = f"(?:{either('zh_double')}|[{characters('zh_surnames')}])"
    korean = f"(?:{either('ko_double')}|[{characters('ko_surnames')}])"
    return re.compile(
        f"{chinese}(?:{either('zh_short_titles')})|[小老阿]{chinese}|{korean} ?(?:{either('ko_titles')})님?"
    )

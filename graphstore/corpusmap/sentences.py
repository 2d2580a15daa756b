"""Sentences with their character offsets, in English and Chinese, in prose, lists and forms."""

from __future__ import annotations

import re

_ABBREVIATIONS = frozenset(
    """mr mrs ms dr prof sir st jr sr vs etc no nos vol fig dept inc ltd co corp bros gen col lt sgt capt rev hon
    e.g i.e eg ie approx jan feb mar apr jun jul aug sep sept oct nov dec mt ft al cf ca c b d""".split()  # noqa: SIM905
)
_CANDIDATE = re.compile(r"[.!?]+[\"'”’)\]]*(?=\s)|[。！？；]+[”’」』）]*|\n")
_LAST_WORD = re.compile(r"(\S+?)[.!?]+[\"'”’)\]]*$")
_STRUCTURED = re.compile(r"\s*(?:[-*+#>|•]|\d+[.)]\s|[A-Z][\w ]{0,24}:\s|$)")
_WRAPPED_LINE = 50
_LONGEST = 1_200


def sentence_spans(text: str) -> list[tuple[int, int]]:
    r"""Start and end of every sentence, in order, without surrounding blanks.

    A line break ends a sentence unless it merely wraps a long line of prose. Nothing longer than 1,200 characters.

    >>> text = "Dr. Wu agreed. It ships on 3 May.\n- 好的。完成！"
    >>> [text[a:b] for a, b in sentence_spans(text)]
    ['Dr. Wu agreed.', 'It ships on 3 May.', '- 好的。', '完成！']
    """
    spans: list[tuple[int, int]] = []
    start = 0
    for found in _CANDIDATE.finditer(text):
        if _ends(text, start, found):
            spans.extend(_trimmed(text, start, found.end()))
            start = found.end()
    spans.extend(_trimmed(text, start, len(text)))
    return spans


def _ends(text: str, start: int, found: re.Match[str]) -> bool:
    mark = found.group()[0]
    if mark == "\n":
        return _ends_line(text, start, found.start())
    if mark in "。！？；":
        return True
    after = text[found.end() : found.end() + 40].lstrip()
    if after and after[0].islower():
        return False
    if mark != ".":
        return True
    last = _LAST_WORD.search(text[max(start, found.start() - 40) : found.end()])
    word = last[1].strip("(\"'“‘[").casefold() if last else ""
    initial = len(word) == 1 and word.isalpha()
    return not initial and word not in _ABBREVIATIONS


def _ends_line(text: str, start: int, at: int) -> bool:
    line_start = text.rfind("\n", 0, at) + 1
    line, rest = text[line_start:at], text[at + 1 : at + 80]
    wraps = len(line) >= _WRAPPED_LINE and not line.lstrip().startswith(("#", "|"))
    return not (wraps and not _STRUCTURED.match(rest.split("\n", 1)[0]))


def _trimmed(text: str, start: int, end: int) -> list[tuple[int, int]]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    out: list[tuple[int, int]] = []
    while end - start > _LONGEST:
        cut = text.rfind(" ", start + 1, start + _LONGEST)
        cut = cut if cut > start else start + _LONGEST
        out.append((start, cut))
        start = cut
        while start < end and text[start].isspace():
            start += 1
    return [*out, (start, end)] if end > start else out

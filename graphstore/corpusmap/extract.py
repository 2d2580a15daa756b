"""Documents to extractions: patterns first, then the model, then capitalised phrases for what both missed."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from graphstore.corpusmap import patterns, spacy_names
from graphstore.corpusmap.capitals import Chain, chains, is_part, is_phrase, is_plain_word
from graphstore.corpusmap.cjk.names import cjk_names
from graphstore.corpusmap.cjk.script import cjk_share
from graphstore.corpusmap.extraction import INITIAL, LINE, PHRASE, Extraction, Name, StatedAlias, Window, key_of
from graphstore.corpusmap.fields import field_names
from graphstore.corpusmap.forms import type_by_form
from graphstore.corpusmap.keys import is_common, name_key
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.corpusmap.spacy_names import Span
from graphstore.corpusmap.types import EMAIL, PERSON, PLACE, PRODUCT, PROJECT, TOPIC
from graphstore.corpusmap.words import ORGANISATION_WORDS, ROLES, TIMES, TITLES, WEAK_TITLES
from graphstore.corpusmap.zero_shot import Typed
from graphstore.records import SourceDocument

_IN = re.compile(r"(?:^|\s)in\s$")
_CELLS = re.compile(r"[|\t]|\n| {2,}")
_ORDINAL = re.compile(r"(?:^|\s)\d+(?:st|nd|rd|th)$")
_CJK = 0.5
"""Share of Chinese, Japanese and Korean letters from which on the model of English is not asked."""
_KIND_WORDS = frozenset("项目 系统 产品 平台 公司 部门 工程 方案 计划 任务".split())  # noqa: SIM905 - read as prose
"""What a thing is, before its code name ("项目代号：…"): no name."""
_LONGEST = 200
"""Characters of a name: what is longer is a list or a sentence, and no key of an index."""
_NO_NAME = re.compile(r"(?:[^\W\u3400-\u9fff]|[.&+'’/=%-]){101,}")
"""Encoded data, minified code, rulers: too long for a name, and patterns would try each of their parts."""


def whole_text(document: SourceDocument) -> str:
    """Title and text as they are read, encoded data and rulers blank; as long as what was written."""
    return _NO_NAME.sub(_blank, f"{document.title}\n{document.text}")


def extract(documents: Sequence[SourceDocument], found: Sequence[Sequence[Typed]] | None = None) -> list[Extraction]:
    """The extraction of each document; equal documents give equal extractions in any company.

    :param found: Of each document, names that another recogniser found in its :func:`whole_text`; surer than spaCy's.
    """
    texts = [whole_text(document) for document in documents]
    english = [text if cjk_share(text) < _CJK else "" for text in texts]
    recognised = spacy_names.recognise(english)
    others = found or [()] * len(documents)
    return [
        _Document(document, text, spans).extraction(other)
        for document, text, spans, other in zip(documents, texts, recognised, others, strict=True)
    ]


def _blank(run: re.Match[str]) -> str:
    return " " * len(run[0])  # what follows stays where it was


class _Document:
    """One document's extraction, from the text of title and body together."""

    def __init__(self, document: SourceDocument, text: str, spans: list[Span]) -> None:
        self.document, self.text, self.spans = document, text, spans
        self.shift = len(document.title) + 1
        self.sentences = [
            *sentence_spans(document.title),
            *((start + self.shift, end + self.shift) for start, end in sentence_spans(document.text)),
        ]
        self.chains = chains(text, self.sentences)
        self.segments = sorted(segment for chain in self.chains for segment in chain.segments)
        self.segment_starts = [start for start, _ in self.segments]
        self.initials = {chain.segments[0][0] for chain in self.chains if chain.initial}
        self.names: list[Name] = []
        self.taken = bytearray(len(text) + 1)
        self.words = {text[start:end] for start, end in self.segments if start not in self.initials}

    def extraction(self, found: Sequence[Typed] = ()) -> Extraction:
        self._by_form()
        for other in found:
            self._add(other.start, other.end, other.type, (), strong=False, label=other.label)
        for span in self.spans:
            self._recognised(span)
        self._qualify_by_address()
        aliases = self._aliases()
        self._revisions()
        self.names.extend(field_names(self.document.metadata))
        names = {name for name in self.names if len(name.text) <= _LONGEST}
        return Extraction(
            tuple(sorted(names, key=lambda n: (n.start, n.end, n.type, n.text, n.qualifiers))),
            tuple(window for window in self._windows() if len(window.text) <= _LONGEST),
            tuple(alias for alias in aliases if max(len(alias.a), len(alias.b)) <= _LONGEST),
        )

    def _by_form(self) -> None:
        people: dict[tuple[int, int], set[str]] = {}
        for found in [*patterns.addresses(self.text), *patterns.codes(self.text), *patterns.departments(self.text)]:
            if found.qualifier:
                start = self._name_start(found.start, found.end)
                people.setdefault((start, found.end), set()).add(found.qualifier)
            else:
                self._add(found.start, found.end, found.type, (), strong=True)
        for (start, end), qualifiers in sorted(people.items()):
            if self._is_person(self.text[start:end]):
                self._add(start, end, PERSON, tuple(sorted(qualifiers, reverse=True)), strong=True)
        for found in [*patterns.projects(self.text), *cjk_names(self.text)]:
            self._add(found.start, found.end, found.type, (), strong=True, whole=found.whole)
        for found in patterns.signed(self.text):
            self._add(found.start, found.end, found.type, (), strong=False)

    def _name_start(self, start: int, end: int) -> int:
        """Where the name begins that a pattern found with what stands before it ("Ask Li Wei")."""
        for span in self.spans:
            if span.type == PERSON and span.end == end and span.start > start:
                return span.start
        first, space, rest = self.text[start:end].partition(" ")
        return self._name_start(start + len(first) + 1, end) if space and rest and is_common(name_key(first)) else start

    def _is_person(self, text: str) -> bool:
        words = text.split(" ")
        organisation = name_key(text).split(" ")[-1] in ORGANISATION_WORDS
        return len(words) <= 4 and not organisation and not any(_is_role(word) for word in words)

    def _add(
        self,
        start: int,
        end: int,
        kind: str,
        qualifiers: tuple[str, ...],
        *,
        strong: bool,
        whole: str | None = None,
        label: str = "",
    ) -> None:
        while start < end and self.text[start].isspace():
            start += 1
        while end > start and self.text[end - 1].isspace():
            end -= 1
        if self._overlaps(start, end):
            return
        text = " ".join(self.text[start:end].split())
        key = key_of(whole or text, kind)
        if not key or is_common(key):
            return
        self.names.append(Name(start - self.shift, end - self.shift, text, kind, qualifiers, strong, key, label))
        self.taken[start:end] = b"\1" * (end - start)

    def _overlaps(self, start: int, end: int) -> bool:
        return end <= start or self.taken.find(1, start, end) >= 0

    def _recognised(self, span: Span) -> None:
        for start, end in self._snapped(span):
            text = " ".join(self.text[start:end].split())
            key = name_key(text)
            tokens = key.split(" ")
            if is_common(key) or "@" in key or "http" in key or tokens[0] in TIMES:
                continue
            if is_plain_word(text) and start in self.initials and text not in self.words:
                # A capital at the beginning of a sentence says nothing.
                continue
            kind, strong = type_by_form(text, tokens, span.type)
            if kind == PERSON and " " not in text and _IN.search(self.text, max(0, start - 4), start):
                kind = PLACE
            if kind == PERSON and any(char.isdigit() for char in key):
                kind = TOPIC
            self._add(start, end, kind, (), strong=strong)

    def _snapped(self, span: Span) -> list[tuple[int, int]]:
        """The span moved to the borders of its capitalised segments: a name is never a part of a longer one."""
        newline = self.text.find("\n", span.start, span.end)
        end = span.end if newline < 0 else newline
        first = bisect_left(self.segment_starts, span.start)
        if first and self.segments[first - 1][1] > span.start:
            first -= 1
        inside = [segment for segment in self.segments[first : first + 12] if segment[0] < end]
        inside = self._unbroken(inside)
        if not inside:
            return []
        end = min(end, max(inside[-1][1], span.start + 1))
        left = self._left(span.start, *inside[0])
        right = self._right(end, *inside[-1])
        if span.type in (PERSON, PLACE) and len(inside) > 1 and _splits(self.text[left:right]):
            return [(max(s, left), min(e, right)) for s, e in inside]
        return [(left, right)] if right > left else []

    def _unbroken(self, segments: list[tuple[int, int]]) -> list[tuple[int, int]]:
        # Cells of a table and columns of a form are not one name, nor is what stands behind a revision's period.
        for index, (before, after) in enumerate(pairwise(segments)):
            gap = self.text[before[1] : after[0]]
            if (gap.startswith(".") and is_part(self.text[slice(*before)])) or _CELLS.search(gap):
                return segments[: index + 1]
        return segments

    def _left(self, at: int, start: int, end: int) -> int:
        if at <= start or at >= end:
            return start
        before = self.text[start:at].split()
        if start in self.initials or all(_is_role(word) for word in before):
            return at
        return start

    def _right(self, at: int, start: int, end: int) -> int:
        if at >= end or at <= start:
            return end
        return at if all(_is_role(word) for word in self.text[at:end].split()) else end

    def _qualify_by_address(self) -> None:
        """Give a person the document's only address whose local part spells the name."""
        mails = sorted({name.text.casefold() for name in self.names if name.type == EMAIL})
        spelled: dict[frozenset[str], list[str]] = {}
        for mail in mails:
            words = frozenset(re.findall(r"[a-z]+", mail.split("@", 1)[0]))
            if len(words) > 1:
                spelled.setdefault(words, []).append(mail)
        for index, name in enumerate(self.names):
            if name.type == PERSON and not name.qualifiers:
                found = spelled.get(frozenset(name.key.split(" ")), [])
                if len(found) == 1:
                    self.names[index] = replace(name, qualifiers=("mail:" + found[0],))

    def _revisions(self) -> None:
        """Add revisions that the model passed over; a word before one that begins its sentence may be any word."""
        ends = {end for _, end in self.segments}
        for found in patterns.REVISION.finditer(self.text):
            if found.end() in ends:  # in "Rev. A. Smith" the letter is an initial
                index = bisect_left(self.segment_starts, found.start() + 1) - 1
                start = self.segments[index][0]
                begin = found.start() if start in self.initials else min(start, found.start())
                self._add(begin, found.end(), PRODUCT, (), strong=False)

    def _windows(self) -> Iterable[Window]:
        seen: set[tuple[int, int]] = set()
        for chain in self.chains:
            for start, end in chain.windows():
                for begin in (start, self._after_first_word(chain, start, end)):
                    if begin is not None and (begin, end) not in seen:
                        seen.add((begin, end))
                        yield from self._window(chain, begin, end)
        for start, end in patterns.quoted(self.text):
            text = " ".join(self.text[start:end].split())
            if (start, end) not in seen and not is_common(key := name_key(text)):
                yield Window(start - self.shift, end - self.shift, text, 0, key)

    def _after_first_word(self, chain: Chain, start: int, end: int) -> int | None:
        # The first word of a sentence, or a title such as "Captain", may stand before the name.
        first_end = next(stop for begin, stop in chain.segments if begin == start)
        word = self.text[start:first_end].split(" ", 1)
        initial = chain.initial and start == chain.segments[0][0]
        title = word[0].casefold().rstrip(".")
        if len(word) < 2 or not (initial or title in TITLES or (title in WEAK_TITLES and " " in word[1])):
            return None
        return start + len(word[0]) + 1

    def _window(self, chain: Chain, start: int, end: int) -> Iterable[Window]:
        text = " ".join(self.text[start:end].split())
        key = name_key(text)
        if is_common(key) or len(key) < 2 or _ORDINAL.search(key):
            return
        flags = LINE if chain.line else 0
        if chain.initial and start == chain.segments[0][0] and (is_plain_word(text) or (chain.line and " " not in key)):
            flags |= INITIAL
        whole = any(start == begin and end == stop for begin, stop in chain.segments)
        if whole and not chain.line and is_phrase(text) and start != chain.segments[0][0] * chain.initial:
            flags |= PHRASE
        yield Window(start - self.shift, end - self.shift, text, flags, key)

    def _aliases(self) -> list[StatedAlias]:
        found = set()
        for alias in patterns.aliases(self.text):
            if _KIND_WORDS & {self.text[slice(*alias.a)], self.text[slice(*alias.b)]}:
                continue
            for start, end in (alias.a, alias.b):
                self._add(start, end, TOPIC, (), strong=False)
            a, b = self._whole(alias.a), self._whole(alias.b)
            keys = name_key(a), name_key(b)
            if keys[0] != keys[1] and not any(is_common(key) or len(key) < 2 for key in keys):
                found.add(StatedAlias(a, b, alias.acronym))
        return sorted(found, key=lambda stated: (stated.a, stated.b, stated.acronym))

    def _whole(self, span: tuple[int, int]) -> str:
        # A project's name may begin before the pattern did, or the pattern before the project's name.
        for name in self.names:
            if name.type == PROJECT and name.end + self.shift == span[1]:
                return name.text
        return " ".join(self.text[span[0] : span[1]].split())


def _is_role(word: str) -> bool:
    folded = word.casefold().strip(".,:;'’\"")
    return folded in ROLES or folded in TITLES or folded in TIMES or folded.removesuffix("'s") in ROLES


def _splits(text: str) -> bool:
    return bool(re.search(r",| and | in | or |\"|/", text))

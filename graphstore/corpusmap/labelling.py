"""Types of a catalog, put on the names of a document: by pattern, by front matter, by keyword."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from itertools import chain

from graphstore.corpusmap.catalog import Catalog
from graphstore.corpusmap.cjk.script import CJK
from graphstore.corpusmap.extraction import PHRASE, Extraction, Name, Window, key_of
from graphstore.corpusmap.keys import is_common
from graphstore.corpusmap.types import BUILT_IN, TOPIC, EntityType
from graphstore.records import JSON, SourceDocument

_LONGEST = 200


@dataclass(frozen=True, slots=True)
class _Rule:
    kind: EntityType
    label: str
    patterns: tuple[re.Pattern[str], ...]
    keywords: re.Pattern[str] | None


class Labeller:
    """Puts a catalog's types on names; what it does to a document depends on the two alone."""

    def __init__(self, catalog: Catalog) -> None:
        told = [kind for kind in catalog.own if kind.patterns or kind.keywords or kind.fields]
        self._rules = [
            _Rule(
                kind,
                "" if kind.name in BUILT_IN else kind.name,
                tuple(re.compile(pattern) for pattern in kind.patterns),
                _any_word(kind.keywords),
            )
            for kind in told
        ]

    def __bool__(self) -> bool:
        return bool(self._rules)

    def stamp(self, document: SourceDocument) -> str:
        """Hash of the types that have a say in the document, empty if none has: another hash, another extraction."""
        text = _text(document)
        said = [rule.kind for rule in self._rules if self._speaks(rule, text, document.metadata)]
        if not said:
            return ""
        rows = [[k.name, k.base, k.patterns, k.keywords, k.fields] for k in said]
        return hashlib.sha256(json.dumps(rows, ensure_ascii=False).encode()).hexdigest()[:12]

    @staticmethod
    def _speaks(rule: _Rule, text: str, metadata: Mapping[str, JSON]) -> bool:
        return (
            any(pattern.search(text) for pattern in rule.patterns)
            or bool(rule.keywords and rule.keywords.search(text))
            or any(metadata.get(field) for field in rule.kind.fields)
        )

    def label(self, document: SourceDocument, extraction: Extraction) -> Extraction:
        """The extraction with the catalog's types: patterns first, then front matter, then keywords."""
        names = list(extraction.names)
        text, shift = _text(document), len(document.title) + 1
        for rule in self._rules:
            names = _with_patterns(names, rule, text, shift)
        for rule in self._rules:
            names = _with_fields(names, rule, document.metadata)
        for rule in self._rules:
            if rule.keywords:
                names = [_by_keyword(name, rule) for name in names]
                names.extend(_phrases(names, extraction.windows, rule))
        names.sort(key=lambda n: (n.start, n.end, n.type, n.text, n.qualifiers))
        return replace(extraction, names=tuple(dict.fromkeys(names)))


def _text(document: SourceDocument) -> str:
    return f"{document.title}\n{document.text}"


def _any_word(words: Iterable[str]) -> re.Pattern[str] | None:
    """A pattern for any of the words, whole where the script puts spaces between words; ``C`` is not in ``C++``."""
    listed = sorted({word.strip() for word in words if word.strip()}, key=lambda word: (-len(word), word))
    if not listed:
        return None
    bounded = (
        re.escape(word) if re.search(f"[{CJK}]", word) else rf"(?<!\w){re.escape(word)}(?![\w+#])" for word in listed
    )
    return re.compile("|".join(bounded), re.IGNORECASE)


def _with_patterns(names: list[Name], rule: _Rule, text: str, shift: int) -> list[Name]:
    found = sorted(
        {match.span() for match in chain.from_iterable(pattern.finditer(text) for pattern in rule.patterns)},
        key=lambda span: (span[0] - span[1], span),
    )
    if not found:
        return names
    taken = bytearray(len(text) + 1)
    added: dict[tuple[int, int], Name] = {}
    held = {(name.start, name.end): name for name in names}
    for start, end in found:
        end = start + len(text[start:end].rstrip())
        start += len(text[start:end]) - len(text[start:end].lstrip())
        written = " ".join(text[start:end].split())
        key = key_of(written, rule.kind.base)
        if end <= start or end - start > _LONGEST or taken.find(1, start, end) >= 0 or not key or is_common(key):
            continue
        place = start - shift, end - shift
        qualifiers = held[place].qualifiers if place in held and held[place].type == rule.kind.base else ()
        added[place] = Name(*place, written, rule.kind.base, qualifiers, True, key, rule.label)
        taken[start:end] = b"\1" * (end - start)
    free = [n for n in names if n.start >= n.end or taken.find(1, n.start + shift, n.end + shift) < 0]
    return [*free, *added.values()]


def _with_fields(names: list[Name], rule: _Rule, metadata: Mapping[str, JSON]) -> list[Name]:
    for field in rule.kind.fields:
        value = metadata.get(field)
        for item in value if isinstance(value, list) else [value]:
            text = " ".join(str(item).split()) if isinstance(item, str | int) and not isinstance(item, bool) else ""
            key = key_of(text, rule.kind.base)
            if not key or len(text) > _LONGEST or is_common(key):
                continue
            names = [name for name in names if name.start < name.end or name.text != text]
            names.append(Name(0, 0, text, rule.kind.base, (), True, key, rule.label))
    return names


def _phrases(names: Iterable[Name], windows: Iterable[Window], rule: _Rule) -> list[Name]:
    """Capitalised phrases that hold a keyword and that nobody took for a name, the longest at a place."""
    taken = sorted((name.start, name.end) for name in names if name.start < name.end)
    added: list[Name] = []
    for window in sorted(windows, key=lambda each: (each.start - each.end, each.start)):
        if not window.flags & PHRASE or not rule.keywords or not rule.keywords.search(window.text):
            continue
        if all(window.end <= start or window.start >= end for start, end in taken):
            taken.append((window.start, window.end))
            added.append(Name(window.start, window.end, window.text, rule.kind.base, (), True, window.key, rule.label))
    return added


def _by_keyword(name: Name, rule: _Rule) -> Name:
    if name.label or not rule.keywords or not rule.keywords.search(name.text):
        return name
    certain = name.strong and name.type != TOPIC and name.type != rule.kind.base
    if certain:
        return name
    return replace(name, type=rule.kind.base, strong=True, label=rule.label)

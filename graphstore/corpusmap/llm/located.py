"""What a model says a document names, found in the document word for word; what is not there is dropped and counted."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from graphstore.corpusmap.catalog import Catalog
from graphstore.corpusmap.extraction import Extraction, Group, Name, StatedAlias, key_of
from graphstore.corpusmap.keys import is_common, is_han, is_word
from graphstore.corpusmap.llm.answers import FoundEntity
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.corpusmap.types import PERSON, PLACE, TOPIC
from graphstore.records import SourceDocument

_LONGEST = 200
"""Characters of a name: what is longer is a sentence, and no key of an index."""
_SHORTEST_STATEMENT = 12

NAME_ABSENT = "names that are not in the text"
NAME_UNUSABLE = "names that name nothing"
STATEMENT_ABSENT = "statements that are not in the text"
TYPE_UNKNOWN = "types that are not in the catalog"
AMBIGUOUS = "names given to several things"

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Located:
    """What is left of a model's answer about one document.

    :param dropped: How much was dropped, by reason.
    """

    extraction: Extraction
    dropped: Counter[str]


def located(
    document: SourceDocument, entities: Iterable[FoundEntity], *, catalog: Catalog, certain: Extraction, by: str
) -> Located:
    """The extraction that a model's answer comes to.

    :param certain: What the local builder read: of it only the names stay that are certain by their form (addresses,
        ticket numbers, fields of front matter), and what tells people of one name apart.
    :param by: Stamp of the builder.
    """
    return _Locating(document, catalog, certain, by).run(entities)


class _Locating:
    """One document's names, in the text of title and body together; offsets are shifted to those of the body."""

    def __init__(self, document: SourceDocument, catalog: Catalog, certain: Extraction, by: str) -> None:
        self._text = f"{document.title}\n{document.text}"
        self._shift = len(document.title) + 1
        self._sentences = [
            *sentence_spans(document.title),
            *((start + self._shift, end + self._shift) for start, end in sentence_spans(document.text)),
        ]
        self._catalog, self._certain, self._by = catalog, certain, by
        self.dropped: Counter[str] = Counter()

    def run(self, entities: Iterable[FoundEntity]) -> Located:
        things = [(entity, *self._typed(entity.type), self._names_of(entity)) for entity in entities]
        owners: dict[str, set[int]] = {}
        for index, (_, _, _, written) in enumerate(things):
            for name in written:
                owners.setdefault(name, set()).add(index)
        places = self._places(owners)
        names: list[Name] = []
        groups: list[Group] = []
        aliases: set[StatedAlias] = set()
        for index, (entity, base, label, written) in enumerate(things):
            # A name of two things is left to each place where it stands; it groups nothing.
            own = [name for name in written if places[name]]
            for name in own:
                if min(owners[name]) == index:
                    names += [self._name(span, name, base, label) for span in places[name]]
            sole = [name for name in own if len(owners[name]) == 1]
            self.dropped[AMBIGUOUS] += len(own) - len(sole)
            said = self._said(entity)
            if sole and (len(sole) > 1 or said):
                groups.append(Group(tuple(sole), said))
            aliases.update(self._aliases(sole, base))
        kept = self._with_certain(names)
        return Located(
            Extraction(
                tuple(sorted(kept, key=lambda n: (n.start, n.end, n.type, n.text, n.qualifiers, n.label))),
                (),
                tuple(sorted({*aliases, *self._certain.aliases}, key=lambda a: (a.a, a.b, a.acronym))),
                self._by,
                tuple(sorted(groups, key=lambda group: (group.names, group.said))),
            ),
            +self.dropped,
        )

    # -- names ---------------------------------------------------------------------------------------------------

    def _typed(self, name: str) -> tuple[str, str]:
        if name.strip().upper() == "UNRESOLVED":
            return TOPIC, ""
        if self._catalog.get(name) is None:
            self.dropped[TYPE_UNKNOWN] += 1
            return TOPIC, ""
        return self._catalog.typed(name)

    def _names_of(self, entity: FoundEntity) -> list[str]:
        """Names of a thing as the text writes them, each once, the fullest first."""
        found: dict[str, None] = {}
        for given in entity.names:
            name = " ".join(given.split())
            key = key_of(name, TOPIC)
            if not key or is_common(key) or len(name) > _LONGEST or not any(char.isalnum() for char in name):
                self.dropped[NAME_UNUSABLE] += 1
            elif not (spans := _occurrences(name, self._text)):
                self.dropped[NAME_ABSENT] += 1
            else:
                start, end = spans[0]
                found[" ".join(self._text[start:end].split())] = None
        return sorted(found, key=lambda name: (-len(name.split()), -len(name), name))

    def _places(self, names: Iterable[str]) -> dict[str, list[Span]]:
        """Where each name stands, and not as a part of a longer one."""
        taken = bytearray(len(self._text))
        places: dict[str, list[Span]] = {}
        for name in sorted(names, key=lambda name: (-len(name), name)):
            places[name] = []
            for start, end in _occurrences(name, self._text):
                if taken.find(1, start, end) < 0:
                    taken[start:end] = b"\1" * (end - start)
                    places[name].append((start, end))
        return places

    def _name(self, span: Span, text: str, base: str, label: str) -> Name:
        start, end = span
        return Name(start - self._shift, end - self._shift, text, base, (), False, key_of(text, base), label)

    def _with_certain(self, names: Sequence[Name]) -> list[Name]:
        """Names of the model and those certain by form; at one place the model's, with what tells it from others."""
        starts = sorted((name.start, name.end) for name in names)
        kept = list(names)
        qualified = {(n.start, n.end): n.qualifiers for n in self._certain.names if n.qualifiers and n.start < n.end}
        for name in self._certain.names:
            if name.strong and (name.start >= name.end or not _overlaps(starts, (name.start, name.end))):
                kept.append(name)
        return [
            replace(name, qualifiers=qualified[name.start, name.end])
            if not name.qualifiers and name.type == PERSON and (name.start, name.end) in qualified
            else name
            for name in kept
        ]

    # -- what is said --------------------------------------------------------------------------------------------

    def _said(self, entity: FoundEntity) -> tuple[int, ...]:
        """Where in the body its statements stand."""
        found = set()
        for given in entity.statements:
            statement = " ".join(given.split())
            spans = _occurrences(statement, self._text) if len(statement) >= _SHORTEST_STATEMENT else []
            if not spans:
                self.dropped[STATEMENT_ABSENT] += 1
            elif spans[0][0] >= self._shift:
                found.add(spans[0][0] - self._shift)
        return tuple(sorted(found))

    def _aliases(self, names: Sequence[str], base: str) -> Iterable[StatedAlias]:
        """Pairs of names that hold in other documents too: whole names that one sentence of this document joins.

        A first name, a surname or a part of the fuller name stays what this document calls it.
        """
        if not names or base == PLACE:
            return
        full = names[0]
        for other in names[1:]:
            a, b = key_of(full, base), key_of(other, base)
            partial = is_word(b) and base == PERSON
            inside = not is_han(b) and f" {b} " in f" {a} "
            if a != b and not partial and not inside and self._together(full, other):
                yield StatedAlias(full, other, _is_acronym(a, b))

    def _together(self, a: str, b: str) -> bool:
        starts = [start for start, _ in self._sentences]
        holding = [
            {max(0, bisect_left(starts, start + 1) - 1) for start, _ in _occurrences(name, self._text)}
            for name in (a, b)
        ]
        return bool(holding[0] & holding[1])


def _occurrences(name: str, text: str) -> list[Span]:
    """Where a text holds a name as whole words; any run of blanks stands for any other."""
    pattern = r"\s+".join(map(re.escape, name.split()))
    return [found.span() for found in re.finditer(pattern, text) if _is_whole(text, *found.span())] if pattern else []


def _is_whole(text: str, start: int, end: int) -> bool:
    """Whether a place is no piece of a longer word, in scripts that put spaces between words."""
    before, first = text[start - 1 : start], text[start]
    last, after = text[end - 1], text[end : end + 1]
    return not (_joins(before) and _joins(first)) and not (_joins(last) and _joins(after))


def _joins(char: str) -> bool:
    return char.isalnum() and not _UNSPACED.match(char)


_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Thai, Japanese, Chinese; and Korean, where endings follow a name without a space."""


def _overlaps(spans: Sequence[Span], span: Span) -> bool:
    index = bisect_left(spans, span)
    near = spans[max(0, index - 1) : index + 1]
    return any(start < span[1] and span[0] < end for start, end in near)


def _is_acronym(full: str, short: str) -> bool:
    return is_word(short) and short == "".join(word[0] for word in full.split(" "))

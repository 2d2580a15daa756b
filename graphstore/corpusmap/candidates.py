"""Candidate types in a sample of documents: families of codes, phrases with a common word, front matter, links."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graphstore.corpusmap.extraction import PHRASE, Extraction
from graphstore.corpusmap.fields import FIELDS
from graphstore.corpusmap.types import CODE, ORGANISATION, PERSON, PLACE, PROJECT, TOPIC, EntityType
from graphstore.corpusmap.words import COMMON, ORGANISATION_WORDS, ROLES
from graphstore.records import SourceDocument

_CODE = re.compile(r"(?P<prefix>[A-Z][A-Z0-9]*)-.*\d")
_WORD_BEFORE = re.compile(r"(?P<word>[^\W\d_]{4,20})[\s:#：]{1,3}$")
_LINK = re.compile(
    r"\[(?P<text>[^\[\]\n]{2,80})\]\((?P<target>[^()\s]+)\)|\[\[(?P<wiki>[^\[\]|\n]+)(?:\|[^\[\]\n]*)?\]\]"
)
_PLAIN = re.compile(r"[a-z]{3,}")
_NO_FIELDS = frozenset(
    """
    title id path url link acl date created modified updated time status state version language lang type layout draft
    description summary subject abstract permalink slug source hash weight order readers format
    """.split()  # noqa: SIM905 - read as prose
)
_DOCUMENTS = 3
"""Documents of a sample that must hold something of a candidate."""
_NAMES = 3
"""Different names of a sample that must be of a candidate."""
_VALUE = 60
_EXAMPLES = 4
_KEYWORDS = 60


@dataclass(slots=True)
class Candidate:
    """A type that a sample suggests.

    :param mark: What it goes by: two samples with one mark suggest one type.
    :param names: Its names, each with the number of documents that have it.
    :param documents: Ids of the documents that hold something of it.
    :param kinds: Built-in types that its names have already.
    """

    mark: tuple[str, str]
    names: Counter[str] = field(default_factory=Counter)
    documents: set[str] = field(default_factory=set)
    kinds: Counter[str] = field(default_factory=Counter)
    words: Counter[str] = field(default_factory=Counter)

    def take(self, document: str, name: str, kind: str) -> None:
        """Count a name."""
        self.names[name] += 1
        self.documents.add(document)
        self.kinds[kind] += 1


Read = Sequence[tuple[SourceDocument, Extraction]]


def candidates(sample: Read) -> dict[tuple[str, str], Candidate]:
    """The candidates of a sample, by mark."""
    found: dict[tuple[str, str], Candidate] = {}
    plain = {word for document, _ in sample for word in _PLAIN.findall(document.text)}
    for document, extraction in sample:
        for mark, name, kind, word in _suggested(document, extraction, plain):
            into = found.setdefault(mark, Candidate(mark))
            into.take(document.id, name, kind)
            if word:
                into.words[word] += 1
    least = min(_DOCUMENTS, max(1, len(sample) // 3))
    return {m: c for m, c in found.items() if len(c.documents) >= least and len(c.names) >= min(_NAMES, least + 1)}


def _suggested(
    document: SourceDocument, extraction: Extraction, plain: set[str]
) -> Iterator[tuple[tuple[str, str], str, str, str]]:
    """Mark, name, built-in type and the word before it, once a name and document."""
    seen: set[tuple[tuple[str, str], str]] = set()
    for found in (
        *_codes(document, extraction),
        *_phrases(extraction, plain),
        *_front_matter(document, extraction),
        *_links(document),
    ):
        if found[:2] not in seen:
            seen.add(found[:2])
            yield found


def _codes(document: SourceDocument, extraction: Extraction) -> Iterator[tuple[tuple[str, str], str, str, str]]:
    for name in extraction.names:
        family = _CODE.fullmatch(name.text) if name.type == CODE else None
        if family:
            before = _WORD_BEFORE.search(document.text[max(0, name.start - 24) : max(0, name.start)])
            yield ("code", family["prefix"]), name.text, CODE, before["word"].casefold() if before else ""


def _phrases(extraction: Extraction, plain: set[str]) -> Iterator[tuple[tuple[str, str], str, str, str]]:
    """Names of several words by their last word, where that is a word that stands in small letters too."""
    named = {(name.start, name.end): name.type for name in extraction.names}
    whole = [(w.start, w.end, w.text) for w in extraction.windows if w.flags & PHRASE]
    every = [*((n.start, n.end, n.text) for n in extraction.names if n.start < n.end), *whole]
    for start, end, text in every:
        words = text.split(" ")
        head = words[-1].casefold()
        if len(words) > 1 and head in plain and head.isalpha() and head not in COMMON | ORGANISATION_WORDS | ROLES:
            yield ("word", _singular(head)), text, named.get((start, end), TOPIC), head


def _front_matter(document: SourceDocument, extraction: Extraction) -> Iterator[tuple[tuple[str, str], str, str, str]]:
    kinds = {name.text: name.type for name in extraction.names}
    known = {each for fields in FIELDS.values() for each in fields} | _NO_FIELDS
    for key, value in document.metadata.items():
        if key.casefold() in known:
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, str) and 1 < len(item.strip()) <= _VALUE:
                yield ("field", key), item.strip(), kinds.get(item.strip(), TOPIC), ""


def _links(document: SourceDocument) -> Iterator[tuple[tuple[str, str], str, str, str]]:
    """Texts of links by the folder that they lead to: ``[Acme](customers/acme.md)``."""
    for link in _LINK.finditer(document.text):
        target, text = link["target"] or link["wiki"], link["text"]
        folders = target.split("#")[0].strip("./").split("/")[:-1]
        if "://" in target or not folders or not folders[-1].isalpha():
            continue
        yield ("folder", folders[-1].casefold()), text or target.rsplit("/", 1)[-1], TOPIC, ""


def entity_type(candidate: Candidate) -> EntityType:
    """The type that a candidate comes to."""
    source, word = candidate.mark
    examples = tuple(name for name, _ in sorted(candidate.names.items(), key=lambda c: (-c[1], c[0]))[:_EXAMPLES])
    if source == "code":
        return _family(candidate, word, examples)
    name = _singular(word.casefold().replace("_", " ").replace("-", " "))
    like = _like(candidate)
    if source == "field":
        return EntityType(name, f"What documents name as their {word}.", "Equal name.", examples, like, fields=(word,))
    if source == "folder":
        words = tuple(sorted(candidate.names)[:_KEYWORDS])
        return EntityType(name, f"What links lead to in {word}/.", "Equal name.", examples, like, keywords=words)
    article, forms = "an" if name[0] in "aeiou" else "a", tuple(sorted(candidate.words))
    definition = f"What is called {article} {name} by its name."
    return EntityType(name, definition, "Equal name.", examples, like, keywords=forms)


def _family(candidate: Candidate, prefix: str, examples: tuple[str, ...]) -> EntityType:
    total = sum(candidate.names.values())
    word, count = max(candidate.words.items(), key=lambda each: (each[1], each[0]), default=("", 0))
    name = word if 2 * count >= total and word.isascii() else f"{prefix.casefold()} code"
    pattern = rf"(?<![A-Za-z0-9-]){prefix}-(?:[A-Z0-9]+-)*\d[\d.-]*(?<![.-])[A-Za-z]?(?![A-Za-z0-9_-])"
    definition = f"What has a number that begins with {prefix}-."
    return EntityType(name, definition, "Equal in every character.", examples, CODE, patterns=(pattern,))


def _like(candidate: Candidate) -> str:
    kind, count = max(candidate.kinds.items(), key=lambda each: (each[1], each[0]))
    apt = kind in (PERSON, ORGANISATION, PROJECT, PLACE) and 2 * count > sum(candidate.kinds.values())
    return kind if apt else TOPIC


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "uses", "xes", "ches", "shes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith(("ss", "us", "is")) and len(word) > 3 else word

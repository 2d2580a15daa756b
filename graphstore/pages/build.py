"""Rows of one entity, as one reader may see them, into its page. Pure; nothing is inferred.

A page holds what the visible documents say, word for word. Its overview is made of counts, dates and one statement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphstore.models import EntityPage, Fact, PageDocument, PageRef
from graphstore.names import normalise
from graphstore.pages.conflicts import conflicts_of
from graphstore.pages.paths import document_path, page_path

LATEST = 5
_LONG = 320
_ADDRESS = re.compile(
    r"(?:to|from|cc|bcc|subject|re|present|attendees|participants|attending|apologies)\s*:|(?:dear|hello|hi)\s\S"
    r"|(?:发件人|收件人|抄送|主题|出席|参会|与会人?员?|主持|出席者|参加者|件名|宛先|참석자?|받는 사람)\s*[:：]",
    re.IGNORECASE,
)
"""Who writes to whom, and who was there: no news."""
_DEFINES = re.compile(r"\W*(?:\([^)]*\)\W*)?(?:,|—|–|is\b|are\b|was\b|were\b|means\b|是|为)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Recorded:
    """What an authoritative record says of an entity, as far as the reader may see it."""

    name: str
    aliases: tuple[str, ...] = ()
    attributes: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that has a page for the reader.

    :param forms: Its written forms in visible documents, most documents first, then names that only its record has.
    :param documents: Number of visible documents.
    :param attributes: Of its record.
    """

    id: str
    name: str
    type: str | None
    forms: tuple[str, ...]
    documents: int
    attributes: Mapping[str, Any] = field(default_factory=dict, compare=False)

    @property
    def ref(self) -> PageRef:
        """The reference to its page."""
        return PageRef(self.id, self.name, self.type, page_path(self.name, self.id))


@dataclass(frozen=True, slots=True)
class Link:
    """What one document says of an entity.

    :param statements: Verbatim, in the order of the text.
    :param dates: The date each speaks of; empty where it has none.
    :param confidence: That it is this entity that the document means, in [0, 1].
    """

    id: str
    path: str
    title: str
    created: str | None
    modified: str | None
    statements: tuple[str, ...]
    dates: tuple[str, ...]
    confidence: float | None = None

    @property
    def date(self) -> str | None:
        """Date of the document: when it was last changed, else made; its statements are dated by the same rule."""
        return self.modified or self.created


def named(
    entity_id: str,
    name: str,
    kind: str | None,
    forms: Sequence[Sequence[str]],
    record: Recorded | None = None,
) -> Named:
    """The entity under a name that the reader can know: its record's, if the reader may see that.

    Else its own name in the registry, if a visible document uses it; else the fullest of their forms, of equal ones the
    most frequent. What only hidden documents say decides nothing.

    :param forms: Written forms, a list a visible document.

    >>> named("e1", "Blue Heron", "project", [["Atlas"], ["Atlas", "Project Atlas"]]).name
    'Project Atlas'
    """
    counts = Counter(form for each in forms for form in dict.fromkeys(each))
    ranked = sorted(counts, key=lambda form: (-counts[form], -len(form), form))
    own = record.name if record else name if name in counts or not ranked else _fullest(ranked)
    further = (form for form in (record.name, *record.aliases) if form not in counts) if record else ()
    known = tuple(dict.fromkeys([*ranked, *further]))
    return Named(entity_id, own, kind, known, len(forms), record.attributes if record else {})


def _fullest(ranked: Sequence[str]) -> str:
    """The first of the forms whose normalised name has most words, then most letters."""
    keys = {form: normalise(form) for form in ranked}
    return min(ranked, key=lambda form: (-keys[form].count(" "), -len(keys[form]), keys[form]))


def refs_of(entities: Iterable[Named]) -> tuple[PageRef, ...]:
    """References to the pages that mention a document, those of fewest documents first: they say most about it."""
    return tuple(each.ref for each in sorted(entities, key=lambda each: (each.documents, each.name, each.id)))


def build_page(
    entity: Named,
    links: Iterable[Link],
    namesakes: Sequence[Named] = (),
    *,
    files: Mapping[str, str] | None = None,
    as_of: str | None = None,
) -> EntityPage:
    """The entity's page.

    :param links: One a visible document, in any order.
    :param namesakes: Other entities of the same name that have pages for this reader.
    :param files: File of documents in an export, by id, where it is not the one that their path gives.
    """
    documents = sorted(links, key=lambda each: (each.path, each.id))
    documents.sort(key=lambda each: each.date or "", reverse=True)
    facts = _facts(documents)
    return EntityPage(
        id=entity.id,
        name=entity.name,
        type=entity.type,
        overview=_overview(entity, documents, facts, namesakes),
        latest=_latest(facts),
        facts=facts,
        aliases=entity.forms,
        documents=tuple(_document(each, files or {}) for each in documents),
        path=page_path(entity.name, entity.id),
        conflicts=conflicts_of(facts, (entity.name, *entity.forms)),
        attributes=entity.attributes,
        as_of=as_of,
    )


def _document(link: Link, files: Mapping[str, str]) -> PageDocument:
    file = files.get(link.id) or document_path(link.path or link.id)
    return PageDocument(link.id, link.path, link.title, link.date, link.confidence, file)


def _facts(documents: Sequence[Link]) -> tuple[Fact, ...]:
    """Each statement once a document, oldest first, those without a date last."""
    found: list[tuple[str, str, int, Fact]] = []
    for each in documents:
        seen: set[str] = set()
        said = each.date[:10] if each.date else None
        for index, (text, date) in enumerate(zip(each.statements, each.dates, strict=True)):
            if text not in seen:
                seen.add(text)
                found.append((date or "~", each.path, index, Fact(text, each.id, date or None, said)))
    return tuple(fact for *_, fact in sorted(found, key=lambda row: (*row[:3], row[3].document)))


def _latest(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The newest dated statements, newest first; one that several documents make counts once.

    Heads of mails and lists of those present are taken only where a page has nothing else.
    """
    chosen: dict[str, Fact] = {}
    dated = [fact for fact in facts if fact.news]
    telling = [fact for fact in dated if not _ADDRESS.match(fact.text.lstrip("*_ "))]
    for fact in sorted(telling or dated, key=lambda fact: (fact.news, fact.date or ""), reverse=True):
        chosen.setdefault(fact.text, fact)
        if len(chosen) == LATEST:
            break
    return tuple(chosen.values())


def _overview(entity: Named, documents: Sequence[Link], facts: Sequence[Fact], namesakes: Sequence[Named]) -> str:
    dates = sorted(each.date[:10] for each in documents if each.date)
    span = "" if not dates else f", {dates[0]}" if dates[0] == dates[-1] else f", {dates[0]} to {dates[-1]}"
    parts = [f"{entity.type or 'entity'} · {len(documents)} documents{span}"]
    defining = _defining(entity, facts)
    if defining:
        parts.append(defining)
    if namesakes:
        others = ", ".join(f"{each.name} ({each.documents} documents, id {each.id})" for each in namesakes)
        parts.append(f"Another {_kinds(namesakes)} of this name: {others}")
    return "\n".join(parts)


def _kinds(namesakes: Sequence[Named]) -> str:
    return " or ".join(dict.fromkeys(each.type or "entity" for each in namesakes))


def _defining(entity: Named, facts: Sequence[Fact]) -> str:
    """The statement that says best what the entity is, verbatim: one that begins with its name and goes on with "is".

    Then one that begins with its name, then one that names it; among equals the oldest.
    """
    names = [form.casefold() for form in (entity.name, *entity.forms)]
    best = min(enumerate(facts), key=lambda row: (_rank(row[1].text, names), row[0]), default=None)
    return best[1].text if best else ""


def _rank(text: str, names: Sequence[str]) -> int:
    folded = text.casefold().lstrip("#*->•\"“‘' \t")
    folded = re.sub(r"^(the|a|an)\s+", "", folded)
    start = next((name for name in names if folded.startswith(name)), None)
    long = 4 if len(text) > _LONG else 0
    if start is None:
        return long + (2 if any(name in folded for name in names) else 3)
    return long + (0 if _DEFINES.match(folded, len(start)) else 1)

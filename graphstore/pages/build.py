"""Rows of one entity, as one reader may see them, into its page. Pure; nothing is inferred.

A page holds what the visible documents say, word for word. Its overview is made of counts, dates and one statement.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from graphstore.models import EntityPage, Fact, PageDocument, PageRef
from graphstore.names import normalise
from graphstore.pages.paths import page_path

LATEST = 5
_LONG = 320
_DEFINES = re.compile(r"\W*(?:\([^)]*\)\W*)?(?:,|—|–|is\b|are\b|was\b|were\b|means\b|是|为)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Named:
    """An entity that has a page for the reader.

    :param forms: Its written forms in visible documents, most documents first.
    :param documents: Number of visible documents.
    """

    id: str
    name: str
    type: str | None
    forms: tuple[str, ...]
    documents: int

    @property
    def ref(self) -> PageRef:
        """The reference to its page."""
        return PageRef(self.id, self.name, self.type, page_path(self.name, self.id))


@dataclass(frozen=True, slots=True)
class Link:
    """What one document says of an entity.

    :param statements: Verbatim, in the order of the text.
    :param dates: The date each speaks of; empty where it has none.
    """

    id: str
    path: str
    title: str
    created: str | None
    modified: str | None
    statements: tuple[str, ...]
    dates: tuple[str, ...]

    @property
    def date(self) -> str | None:
        """Date of the document: when it was last changed, else made; its statements are dated by the same rule."""
        return self.modified or self.created


def named(entity_id: str, name: str, kind: str | None, forms: Sequence[Sequence[str]]) -> Named:
    """The entity under a name that visible documents use.

    Its own name, if one of them does; else their most frequent form, the longest of these, the first of these: a name
    that only hidden documents use is not shown.

    :param forms: Written forms, a list a visible document.

    >>> named("e1", "Blue Heron", "project", [["Atlas"], ["Atlas", "Project Atlas"]]).name
    'Atlas'
    """
    counts = Counter(form for each in forms for form in dict.fromkeys(each))
    ranked = sorted(counts, key=lambda form: (-counts[form], -len(form), form))
    key = normalise(name)
    own = name if name in counts or not ranked else next((form for form in ranked if normalise(form) == key), ranked[0])
    return Named(entity_id, own, kind, tuple(ranked), len(forms))


def refs_of(entities: Iterable[Named]) -> tuple[PageRef, ...]:
    """References to the pages that mention a document, those of fewest documents first: they say most about it."""
    return tuple(each.ref for each in sorted(entities, key=lambda each: (each.documents, each.name, each.id)))


def build_page(entity: Named, links: Iterable[Link], namesakes: Sequence[Named] = ()) -> EntityPage:
    """The entity's page.

    :param links: One a visible document, in any order.
    :param namesakes: Other entities of the same name that have pages for this reader.
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
        documents=tuple(PageDocument(each.id, each.path, each.title, each.date) for each in documents),
        path=page_path(entity.name, entity.id),
    )


def _facts(documents: Sequence[Link]) -> tuple[Fact, ...]:
    """Each statement once a document, oldest first, those without a date last."""
    found: list[tuple[str, str, int, Fact]] = []
    for each in documents:
        seen: set[str] = set()
        for index, (text, date) in enumerate(zip(each.statements, each.dates, strict=True)):
            if text not in seen:
                seen.add(text)
                found.append((date or "~", each.path, index, Fact(text, each.id, date or None)))
    return tuple(fact for *_, fact in sorted(found, key=lambda row: (*row[:3], row[3].document)))


def _latest(facts: Sequence[Fact]) -> tuple[Fact, ...]:
    """The newest dated statements, newest first; one that several documents make counts once."""
    chosen: dict[str, Fact] = {}
    for fact in sorted((fact for fact in facts if fact.date), key=lambda fact: fact.date or "", reverse=True):
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

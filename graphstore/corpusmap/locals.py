"""Document-local entities: the names of one document, chosen and grouped (RESOLUTION step 2)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import lru_cache

from graphstore.corpusmap.extraction import INITIAL, Extraction, Name, Window, key_of
from graphstore.corpusmap.keys import is_common, is_word, name_key, numbers, split_title
from graphstore.corpusmap.persons import surname, without_titles
from graphstore.corpusmap.types import CODE, EMAIL, ORGANISATION, PERSON, PLACE, PROJECT, RANK, TOPIC
from graphstore.corpusmap.words import ORGANISATION_WORDS

Topic = tuple[str, str | None]
"""Key and disambiguator of a document's title."""

STRONG = 3
"""Votes of a type that is certain by form; one by the model, none by a title or a phrase alone."""


@dataclass(frozen=True, slots=True)
class Local:
    """One thing that a document speaks of.

    :param key: Key of its fullest name there.
    :param names: Its written forms, most frequent first.
    :param votes: Votes per type.
    :param strong: A type that its form makes certain, or ``None``.
    :param spans: Where it stands in the text; negative offsets lie in the title.
    :param qualifiers: What tells it from others of its name: ``mail:…``, ``dept:…``, ``title:…``.
    :param own: Whether the document's title names it.
    :param labels: The types of the store's own catalog that it has there, each with one vote.
    """

    key: str
    names: tuple[str, ...]
    votes: tuple[tuple[str, int], ...]
    strong: str | None
    spans: tuple[tuple[int, int], ...]
    qualifiers: frozenset[str]
    own: bool
    labels: tuple[str, ...] = ()


@dataclass(slots=True)
class _Group:
    key: str
    names: Counter[str]
    votes: Counter[str]
    strong: str | None
    spans: set[tuple[int, int]]
    qualifiers: set[str]
    own: bool = False
    labels: set[str] = field(default_factory=set)

    def absorb(self, other: _Group) -> None:
        self.names += other.names
        self.spans |= other.spans
        self.qualifiers |= {q for q in other.qualifiers if q.startswith(("mail:", "dept:"))}
        self.own = self.own or other.own
        self.labels |= other.labels

    def type(self) -> str:
        if self.strong:
            return self.strong
        return max(self.votes, key=lambda kind: (self.votes[kind], -RANK[kind])) if self.votes else TOPIC


def local_entities(
    extraction: Extraction,
    topic: Topic | None,
    title: str,
    active: Callable[[str, int], bool],
    two: Callable[[str, str], bool] = lambda a, b: False,
) -> tuple[Local, ...]:
    """The local entities of a document, sorted by key.

    :param topic: Key and disambiguator of its title, if that names something.
    :param active: Whether a window with this key and these flags is a name, by what all documents say.
    :param two: Whether documents use two names as two people's, thrice as many as state that they are one's.
    """
    names, windows = _chosen(extraction, topic, active)
    groups = _grouped(names, windows)
    if topic:
        _own_title(groups, topic, title)
    _join_stated(groups, extraction, two)
    _join_grouped(groups, extraction)
    _join_shorter(groups, lambda key: active(key, INITIAL), _subject(title))
    found = [_frozen(group) for group in groups.values()]
    return tuple(sorted(found, key=lambda local: (local.key, sorted(local.qualifiers))))


def _chosen(
    extraction: Extraction, topic: Topic | None, active: Callable[[str, int], bool]
) -> tuple[list[Name], list[Window]]:
    """Names and active windows that do not overlap: the longer one, and a certain one over a guess."""
    named = {name.key for name in extraction.names}
    if topic:
        named.add(topic[0])
    # At the beginning of a sentence a capital says nothing: only words of names that the document has elsewhere.
    fuller = [name.key for name in extraction.names if name.type in (PERSON, ORGANISATION, PROJECT)]
    known = named | {part for key in fuller for part in (key.split(" ")[0], key.rsplit(" ", 1)[-1])}
    wanted = [
        window
        for window in extraction.windows
        if window.key in (known if window.flags & INITIAL else named) or active(window.key, window.flags)
    ]
    wanted.sort(key=lambda window: (window.start - window.end, window.start))
    names = sorted((name for name in extraction.names if name.start < name.end), key=lambda name: name.start)
    ends = [name.end for name in names]
    lost: set[int] = set()
    windows: list[Window] = []
    shift = -min((window.start for window in wanted), default=0)  # offsets inside the title are negative
    taken = bytearray(max((window.end for window in wanted), default=0) + shift + 1)
    for window in wanted:
        if taken.find(1, window.start + shift, window.end + shift) >= 0:
            continue
        clashes = range(bisect_right(ends, window.start), bisect_left(names, window.end, key=lambda name: name.start))
        if any(_keeps(names[index], window) for index in clashes if index not in lost):
            continue
        windows.append(window)
        taken[window.start + shift : window.end + shift] = b"\1" * (window.end - window.start)
        lost.update(index for index in clashes if names[index].key != window.key)
    kept = [name for index, name in enumerate(names) if index not in lost]
    spans = {(name.start, name.end) for name in kept}
    free = [name for name in extraction.names if name.start >= name.end]
    return kept + free, [window for window in windows if (window.start, window.end) not in spans]


def _keeps(name: Name, window: Window) -> bool:
    """Whether a name withstands a window that overlaps it."""
    if name.key == window.key:
        return False
    longer = name.end - name.start > window.end - window.start
    inside = name.start <= window.start and window.end <= name.end
    if inside:
        return name.type in (CODE, EMAIL, PROJECT) or not _is_list(name.text)
    return name.type in (CODE, EMAIL) or longer


def _is_list(text: str) -> bool:
    return any(mark in text for mark in (" and ", ", ", " or ", " in ", " with "))


def _grouped(names: Iterable[Name], windows: Iterable[Window]) -> dict[tuple[str, str], _Group]:
    """Equal keys together; two addresses or departments under one name keep two people apart."""
    told: dict[str, set[str]] = {}
    for name in names:
        told.setdefault(name.key, set()).update(name.qualifiers)
    groups: dict[tuple[str, str], _Group] = {}

    def group(key: str, part: str) -> _Group:
        return groups.setdefault((key, part), _Group(key, Counter(), Counter(), None, set(), set()))

    for name in names:
        several = _several(told.get(name.key, set()))
        into = group(name.key, name.qualifiers[0] if several and name.qualifiers else "")
        into.names[name.text] += 1
        into.votes[name.type] += STRONG if name.strong else (name.type != TOPIC)
        if name.strong and (into.strong is None or RANK[name.type] < RANK[into.strong]):
            into.strong = name.type
        if name.start < name.end:
            into.spans.add((name.start, name.end))
        into.qualifiers.update(name.qualifiers)
        if name.label:
            into.labels.add(name.label)
    for window in windows:
        into = group(window.key, "")
        into.names[window.text] += 1
        into.spans.add((window.start, window.end))
    return groups


def _several(qualifiers: set[str]) -> bool:
    mails = sum(q.startswith("mail:") for q in qualifiers)
    departments = sum(q.startswith("dept:") for q in qualifiers)
    return mails > 1 or (not mails and departments > 1)


def _own_title(groups: dict[tuple[str, str], _Group], topic: Topic, title: str) -> None:
    key, inner = topic
    group = groups.setdefault((key, ""), _Group(key, Counter(), Counter(), None, set(), set()))
    group.own = True
    group.qualifiers.add(f"title:{inner or ''}")
    if not group.names:
        group.names[title] += 1


def _join_stated(
    groups: dict[tuple[str, str], _Group], extraction: Extraction, two: Callable[[str, str], bool]
) -> None:
    for alias in extraction.aliases:
        a, b = groups.get((name_key(alias.a), "")), groups.get((name_key(alias.b), ""))
        if a and b and a is not b and not b.own and not (a.type() == b.type() == PERSON and two(a.key, b.key)):
            a.absorb(b)
            del groups[(b.key, "")]


def _join_grouped(groups: dict[tuple[str, str], _Group], extraction: Extraction) -> None:
    """What a model that read the document found to be one thing: the fullest name takes in the others."""
    for found in extraction.groups:
        slots = [(key_of(name, kind), "") for name in found.names for kind in (TOPIC, CODE)]
        held = [groups[slot] for slot in dict.fromkeys(slots) if slot in groups]
        for other in held[1:]:
            if not other.own:
                held[0].absorb(other)
                del groups[(other.key, "")]


def _subject(title: str) -> str | None:
    """The key of what a title is about that ends in words for documents: "Kestrel" of "Kestrel budget review"."""
    words = split_title(title)[0].split()
    left = len(words)
    while left and words[left - 1].islower() and is_common(name_key(words[left - 1])):
        left -= 1
    return name_key(" ".join(words[:left])) if 0 < left < len(words) else None


def _join_shorter(groups: dict[tuple[str, str], _Group], usual: Callable[[str], bool], subject: str | None) -> None:
    """A shorter name joins the only longer name of the document that contains it; with two it stays apart.

    A name that is usual by itself ("Bluebird") is not short for a thing that begins with it ("Bluebird weekly"), nor is
    what the title is about short for the title.
    """
    tokens = {slot: slot[0].split(" ") for slot in groups}
    order = sorted(groups, key=lambda slot: (len(tokens[slot]), slot))
    kinds = {slot: group.type() for slot, group in groups.items()}
    longer: dict[str, list[tuple[str, str]]] = {}
    for slot in order:
        for word in {tokens[slot][0], tokens[slot][-1], tokens[slot][:2][-1], surname(tokens[slot])}:
            longer.setdefault(word, []).append(slot)
    for slot in order:
        short = groups[slot]
        if short.own or short.strong in (CODE, EMAIL, PLACE, ORGANISATION, PROJECT) or short.qualifiers:
            continue
        alone = bool(short.spans) and usual(short.key)
        near = dict.fromkeys([*longer[tokens[slot][0]], *longer[tokens[slot][-1]]])
        hosts = [
            other
            for other in near
            if other in groups
            and not (groups[other].own and slot[0] == subject)
            and not (alone and not _may_hold(kinds[other], kinds[slot], tokens[other], tokens[slot]))
            and len(tokens[other]) > len(tokens[slot])
            and numbers(other[0]) == numbers(slot[0])  # "Ledger" is not one of its versions
            and _contains(tokens[other], tokens[slot], kinds[other], kinds[slot], groups[other].own)
        ]
        if len(hosts) == 1:
            groups[hosts[0]].absorb(short)
            del groups[slot]


def _may_hold(host: str, kind: str, long: list[str], short: list[str]) -> bool:
    """Whether a longer name may hold one that is usual by itself: no full name, nor a place before someone's post."""
    if host != PERSON:
        return host == PROJECT
    return len(short) == 1 and not (kind == PLACE and long[0] == short[0])


def _contains(long: list[str], short: list[str], host: str, kind: str, own: bool) -> bool:
    starts, ends = long[: len(short)] == short, long[-len(short) :] == short
    if host == PERSON:
        ends = ends or without_titles(long)[-len(short) :] == short
        return starts or (ends and (kind != PLACE or own))
    if host == PROJECT:
        return long[0] == "project" and long[1:] == short
    if host == ORGANISATION:
        if ends and not starts:
            return kind in (ORGANISATION, TOPIC) and short[-1] not in ORGANISATION_WORDS and not is_common(short[-1])
        return starts and kind in (ORGANISATION, PERSON, TOPIC, PROJECT)
    return starts and (own or kind == host) and len(short) * 2 >= len(long) - 1 and is_word(short[0])


def _frozen(group: _Group) -> Local:
    names = tuple(sorted(group.names, key=lambda name: (-group.names[name], name)))
    # A document has one vote a type, whatever how often it repeats the name.
    most = {kind: STRONG if kind == group.strong else 1 for kind in group.votes}
    votes = _one(tuple(sorted((kind, min(count, most[kind])) for kind, count in group.votes.items() if count)))
    spans = tuple(sorted(group.spans))
    labels = tuple(sorted(group.labels))
    qualifiers = frozenset(group.qualifiers) if group.qualifiers else _NONE
    return Local(group.key, names, votes, group.strong, spans, qualifiers, group.own, labels)


@lru_cache(maxsize=1 << 12)
def _one(votes: tuple[tuple[str, int], ...]) -> tuple[tuple[str, int], ...]:
    """The same votes, one object for all documents that have them: registries hold them all."""
    return votes


_NONE: frozenset[str] = frozenset()  # an empty set takes as much memory as one of four

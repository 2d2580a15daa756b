"""A page as Markdown, in parts that each keep to a budget of tokens. Pure.

Part 1 begins with what matters most: overview, latest, conflicts; then come the other statements, oldest first, so that
what is added later changes the last part only. Each part stands alone: its statements cite documents by number, and it
lists those documents. What a part leaves out is counted in its last line, with the way to it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphstore.errors import NotFound, SettingsError
from graphstore.models import EntityPage, Fact, PageDocument, PageText
from graphstore.pages.markdown import Count, cut, escape, front, joined, listed
from graphstore.pages.paths import link, part_path
from graphstore.retrieval.prompt_tokens import estimated_tokens

PAGE_TOKENS = 2_000
"""Default budget: about a screen and a half."""
LEAST_TOKENS = 400
UNSURE = 0.8
"""A link of less confidence is marked."""

_NAMES = 12  # written forms in the head
_VERSIONS = 6  # of a conflict
_CITED = 5  # sources of one version
_RATHER = 0.45  # of the room of a part: the most that one line takes of it
_FACTS, _DOCUMENTS, _CONFLICTS = "Facts", "Documents", "Conflicts"


@dataclass(frozen=True, slots=True)
class _Item:
    """A line of a section.

    :param cites: Documents that it cites, or the one that it lists.
    :param statements: Statements that it holds.
    """

    section: str
    line: str
    cites: tuple[str, ...]
    statements: int = 0


@dataclass(slots=True)
class _Part:
    head: str
    size: int
    items: list[_Item] = field(default_factory=list)
    named: dict[str, None] = field(default_factory=dict)


def page_parts(page: EntityPage, max_tokens: int = PAGE_TOKENS, count: Count = estimated_tokens) -> list[PageText]:
    """All parts of a page; the same for the same page and budget.

    :param max_tokens: The most that a part may have, :data:`LEAST_TOKENS` or more.
    :param count: Tokens of a text, as the reader's model counts them.
    :raises SettingsError: the budget is too small.
    """
    if max_tokens < LEAST_TOKENS:
        raise SettingsError(f"a page of {max_tokens} tokens is too small: give {LEAST_TOKENS} or more")
    return _Writer(page, max_tokens, count).parts()


def page_part(
    page: EntityPage, part: int = 1, max_tokens: int = PAGE_TOKENS, count: Count = estimated_tokens
) -> PageText:
    """One part of a page, from 1.

    :raises NotFound: it has fewer parts.
    :raises SettingsError: the budget is too small.
    """
    parts = page_parts(page, max_tokens, count)
    if not 1 <= part <= len(parts):
        raise NotFound(f"{page.name} has {len(parts)} parts of {max_tokens} tokens, there is no part {part}")
    return parts[part - 1]


class _Writer:
    def __init__(self, page: EntityPage, budget: int, count: Count) -> None:
        self._page = page
        self._budget = budget
        self._count = count
        self._known = {each.id: each for each in page.documents}
        self._foot = count(self._footer(2, 9_999, 9_999, 9_999)) + 2
        self._most = int((budget - self._foot) * _RATHER / 2)
        # a confidence that all links share stands in the head
        alike = len({each.confidence for each in page.documents}) == 1
        self._lines = {each.id: cut(_document(each, page.path, alike), self._most, count) for each in page.documents}
        self._cost = {key: count(line) + 6 for key, line in self._lines.items()}

    def parts(self) -> list[PageText]:
        whole = self._packed(self._budget)
        if len(whole) > 1:
            whole = self._packed(self._budget - self._foot)
        texts = [self._text(part, number, len(whole)) for number, part in enumerate(whole, start=1)]
        total = sum(item.statements for part in whole for item in part.items)
        return [
            PageText(
                self._page.id,
                self._page.name,
                number,
                len(whole),
                text,
                self._count(text),
                total - sum(item.statements for item in part.items),
                len(self._known) - len(part.named),
            )
            for number, (part, text) in enumerate(zip(whole, texts, strict=True), start=1)
        ]

    def _packed(self, limit: int) -> list[_Part]:
        """Items in order, as many a part as fit."""
        left = deque(self._items())
        parts = [self._opened(1)]
        while left or (over := self._trimmed(parts[-1], limit)):
            if not left:
                left.extend(over)
                parts.append(self._opened(len(parts) + 1))
            item, part = left.popleft(), parts[-1]
            if item.section == _DOCUMENTS and any(item.cites[0] in other.named for other in parts):
                continue
            cost = self._cost_of(part, item)
            if (part.items or len(parts) == 1) and part.size + cost > limit:
                left.appendleft(item)
                left.extendleft(reversed(self._trimmed(part, limit)))
                parts.append(self._opened(len(parts) + 1))
                continue
            part.items.append(item)
            part.size += cost
            part.named.update(dict.fromkeys(item.cites))
        return parts

    def _trimmed(self, part: _Part, limit: int) -> list[_Item]:
        """Items taken off the end of a part until it fits: sums of lines are close, not exact."""
        over: list[_Item] = []
        while len(part.items) > 1 and self._count(self._body(part)) > limit:
            over.insert(0, part.items.pop())
            part.named = dict.fromkeys(document for item in part.items for document in item.cites)
        return over

    def _cost_of(self, part: _Part, item: _Item) -> int:
        heading = 4 if all(other.section != item.section for other in part.items) else 0
        new = sum(self._cost[each] for each in item.cites if each not in part.named)
        return heading + new + (0 if item.section == _DOCUMENTS else self._count(item.line) + 4 * len(item.cites) + 3)

    def _opened(self, number: int) -> _Part:
        head = _head(self._page, self._most, self._count) if number == 1 else _later_head(self._page, number)
        return _Part(head, self._count(head) + 8)

    def _items(self) -> Iterator[_Item]:
        page = self._page
        for key, value in page.attributes.items():
            yield self._item("Record", f"{escape(str(key))}: {escape(_plain(value))}", ())
        for fact in page.latest:
            yield self._item("Latest", _dated(fact, fact.news), (fact.document,), 1)
        for line, cites in self._conflicts():
            yield self._item(_CONFLICTS, line, cites)
        shown = {(fact.document, fact.text) for fact in page.latest}
        for fact in page.facts:
            if (fact.document, fact.text) not in shown:
                yield self._item(_FACTS, _dated(fact, fact.date or ""), (fact.document,), 1)
        for each in page.documents:
            yield _Item(_DOCUMENTS, "", (each.id,))

    def _item(self, section: str, line: str, cites: tuple[str, ...], statements: int = 0) -> _Item:
        return _Item(section, cut(line, self._most, self._count), cites, statements)

    def _conflicts(self) -> Iterator[tuple[str, tuple[str, ...]]]:
        for conflict in self._page.conflicts:
            about = escape(conflict.attribute.partition(" [")[0].replace("@", self._page.name))
            for version in conflict.versions[:_VERSIONS]:
                fact = version.facts[0]
                cites = tuple(dict.fromkeys(each.document for each in version.facts))[:_CITED]
                said = f", said {version.said}" if version.said else ""
                yield f"{about}: **{escape(version.value)}**{said}: {escape(fact.text)}", cites
            if len(conflict.versions) > _VERSIONS:
                yield f"{about}: {len(conflict.versions) - _VERSIONS} older values", ()

    def _body(self, part: _Part) -> str:
        numbers: dict[str, int] = {}
        sections: dict[str, list[str]] = {}
        for item in part.items:
            if item.section != _DOCUMENTS:
                marks = "".join(f" [{numbers.setdefault(each, len(numbers) + 1)}]" for each in item.cites)
                sections.setdefault(item.section, []).append(item.line + marks)
        blocks = [part.head]
        for name, lines in sections.items():
            note = ["The documents disagree. Nothing is decided here; what was said last comes first."]
            blocks += [f"## {name}", *(note if name == _CONFLICTS else []), listed(lines)]
        documents = [f"[{number}] {self._lines[each]}" for each, number in numbers.items()]
        documents += [self._lines[each] for each in part.named if each not in numbers]
        if documents:
            blocks += [f"## {_DOCUMENTS}", listed(documents)]
        return "\n\n".join(blocks) + "\n"

    def _text(self, part: _Part, number: int, of: int) -> str:
        if of == 1:
            return self._body(part)
        missing = len(self._page.facts) - sum(item.statements for item in part.items)
        return self._body(part) + self._footer(number, of, missing, len(self._known) - len(part.named))

    def _footer(self, number: int, of: int, statements: int, documents: int) -> str:
        """What the part leaves out, and where that is."""
        path = self._page.path
        ways = [
            f"[part {other}]({link(part_path(path, other), path).removeprefix('../pages/')})"
            for other in (number - 1, number + 1)
            if 1 <= other <= of
        ]
        return (
            f"\nPart {number} of {of}. In the other parts: {statements} of {len(self._page.facts)} statements, "
            f"{documents} of {len(self._known)} documents. Go on: {' · '.join(ways)}\n"
        )


def _head(page: EntityPage, most: int, count: Count) -> str:
    """Front matter, name, overview and written forms."""
    sure = [each.confidence for each in page.documents if each.confidence is not None]
    aliases: list[str] = []
    for alias in page.aliases[:_NAMES]:
        aliases.append(cut(alias, most // 4, count))
        if sum(map(count, aliases)) > most // 3:
            break
    more = len(page.aliases) - len(aliases)
    fields: dict[str, Any] = {
        "id": page.id,
        "name": page.name,
        "type": page.type,
        "aliases": aliases,
        "more_aliases": more if more > 0 else None,
        "documents": len(page.documents),
        "latest": max((each.date for each in page.documents if each.date), default=None),
        "confidence": min(sure) if sure and min(sure) < 1 else None,
        "as_of": page.as_of,
    }
    overview = [cut(escape(line), most // 2, count) for line in page.overview.split("\n")]
    further = [escape(alias) for alias in aliases if alias != page.name]
    if further:
        rest = f" and {more} more" if more > 0 else ""
        overview.append(cut(f"Also written: {' · '.join(further)}{rest}", most // 2, count))
    return "\n\n".join([front(fields), f"# {cut(escape(page.name), most // 4, count)}", *overview])


def _later_head(page: EntityPage, number: int) -> str:
    fields = {"id": page.id, "name": page.name, "type": page.type, "part": number, "as_of": page.as_of}
    return "\n\n".join([front(fields), f"# {escape(page.name)}, part {number}"])


def _dated(fact: Fact, date: str) -> str:
    """The statement after its date, unless it begins with it."""
    text = escape(fact.text)
    return text if not date or fact.text.lstrip("*[( ").startswith(date[:10]) else f"{date[:10]}: {text}"


def _document(document: PageDocument, source: str, alike: bool) -> str:
    sure, shown = document.confidence, None
    if sure is not None and (sure < UNSURE or not (alike or sure >= 1)):
        shown = f"link {sure:.2f}" if sure >= UNSURE else f"**unsure** link {sure:.2f}"
    title = f"[{escape(document.title or document.id)}]({link(document.file, source)})"
    return joined(title, document.path, (document.date or "")[:10], shown)


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(each)}" for key, each in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(map(_plain, value))
    return str(value)

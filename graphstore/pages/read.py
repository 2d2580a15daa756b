"""Pages and documents out of the store, for one reader."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from graphstore.counts import counted
from graphstore.db import Database
from graphstore.errors import ConnectError, NotFound
from graphstore.models import EntityPage, PageRef, PageText, StoredDocument
from graphstore.names import normalise
from graphstore.pages.build import Link, Named, Recorded, build_page, named, refs_of
from graphstore.pages.markdown import Count
from graphstore.pages.parts import PAGE_TOKENS, page_part
from graphstore.pages.paths import document_paths
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.tokens import tokenise
from graphstore.visibility import OWNER, Visibility

_T = TypeVar("_T")
_TRIES = 8
_CANDIDATES = 200
_SUGGESTED = 5
_LONGEST_NAME = 500
_WORD = re.compile(r"[^\W_]+")
_SHOWN = 100  # characters of what was asked for, in an error


def entity_page(db: Database, name_or_id: str, who: Visibility = OWNER) -> EntityPage:
    """The page of an entity.

    :param name_or_id: Its id, its name or one of its written forms, in any case and spacing.
    :raises NotFound: No such page for this reader, or several entities of this name; the message lists them.
    """
    return stable(db, lambda: _entity_page(db, name_or_id, who))


def find_entity(db: Database, name_or_id: str, who: Visibility = OWNER) -> Named:
    """The entity that has a page for the reader under an id, a name or a written form.

    :raises NotFound: As for :func:`entity_page`.
    """
    return stable(db, lambda: _find(db, name_or_id, who))


def page_text(
    db: Database,
    name_or_id: str,
    who: Visibility = OWNER,
    *,
    part: int = 1,
    max_tokens: int = PAGE_TOKENS,
    count: Count = estimated_tokens,
) -> PageText:
    """One part of an entity's page as Markdown, as an export of that budget has it.

    :raises NotFound: As for :func:`entity_page`, or it has fewer parts.
    :raises SettingsError: The budget is too small.
    """
    return page_part(entity_page(db, name_or_id, who), part, max_tokens, count)


def document(db: Database, path_or_id: str, who: Visibility = OWNER) -> StoredDocument:
    """A document with the pages that mention it.

    :raises NotFound: No such document for this reader, or several of this path; the message lists their ids.
    """
    return stable(db, lambda: _document(db, path_or_id, who))


def pages_of(db: Database, path_or_id: str, who: Visibility = OWNER) -> tuple[PageRef, ...]:
    """The pages that mention a document, those of fewest documents first: they say most about it.

    :raises NotFound: As for :func:`document`.
    """
    return document(db, path_or_id, who).pages


def entities(db: Database, type: str | None = None, who: Visibility = OWNER) -> list[dict[str, Any]]:
    """Every entity that has a page for the reader: ``id, name, type, documents``, most documents first."""
    return [
        {"id": each.id, "name": each.name, "type": each.type, "documents": each.documents}
        for each in all_named(db, who)
        if type is None or each.type == type
    ]


def all_named(db: Database, who: Visibility) -> list[Named]:
    """Every entity that has a page for the reader, most documents first."""
    return _named(db.read("page/entities", **who.parameters))


def links_of(db: Database, ids: Sequence[str], who: Visibility) -> dict[str, list[Link]]:
    """What visible documents say of entities: entity id → a link a document."""
    found: dict[str, list[Link]] = {entity: [] for entity in ids}
    for row in db.read("page/entity_links", ids=list(ids), **who.parameters):
        found[row["entity"]].append(
            Link(
                id=row["id"],
                path=row["path"],
                title=row["title"],
                created=row["created"],
                modified=row["modified"],
                statements=tuple(row["statements"]),
                dates=tuple(row["dates"]),
                confidence=row["confidence"],
            )
        )
    return found


def stable(db: Database, read: Callable[[], _T]) -> _T:
    """What ``read`` returns, read again until no writer moved the graph meanwhile.

    :raises ConnectError: The store is written without a pause.
    """
    for _ in range(_TRIES):
        before = db.graph_version()
        result = read()
        if db.graph_version() == before:
            return result
    raise ConnectError(f"{db.address}: the store is written without a pause; try again when the load is done")


def _entity_page(db: Database, wanted: str, who: Visibility) -> EntityPage:
    entity = _find(db, wanted, who)
    links = links_of(db, [entity.id], who)[entity.id]
    return build_page(entity, links, _namesakes(db, entity, who), files=_files(db, links, who), as_of=who.as_of)


def _namesakes(db: Database, entity: Named, who: Visibility) -> list[Named]:
    """Other entities that the reader knows by the same name."""
    own = normalise(entity.name)
    by_name = {row["id"] for row in db.read("page/entity_by_name", id=entity.id, key=own)}
    candidates = sorted({*by_name, *_by_words(db, entity.name, who)} - {entity.id})
    return [each for each in _named_ids(db, candidates, who) if normalise(each.name) == own]


def _find(db: Database, wanted: str, who: Visibility) -> Named:
    key = normalise(wanted)
    found = _named_ids(db, [row["id"] for row in db.read("page/entity_by_name", id=wanted, key=key)], who)
    by_id = [each for each in found if each.id == wanted]
    # a name is one that visible documents use: what only hidden ones say finds nothing
    by_name = [each for each in found if _is_called(each, key)]
    if not by_id and not by_name:
        found = _named_ids(db, _by_words(db, wanted, who), who)
        by_name = [each for each in found if _is_called(each, key)]
    chosen = by_id or by_name
    if not chosen:
        raise NotFound(_no_page(wanted, found))
    if len(chosen) > 1:
        raise NotFound(f"{wanted[:_SHOWN]!r} names {len(chosen)} entities, ask by id: {_listed(chosen)}")
    return chosen[0]


def _files(db: Database, links: Sequence[Link], who: Visibility) -> dict[str, str]:
    """File of each document in an export, told apart from those of documents whose paths are alike."""
    stems = {unicodedata.normalize("NFKD", each.path.lower()).removesuffix(".md") for each in links}
    alike = [path for stem in sorted(stems) for path in (stem, f"{stem}.md")]
    rows = db.read("page/documents_alike", paths=alike, **who.parameters)
    return document_paths(
        {**{row["id"]: row["path"] for row in rows}, **{each.id: each.path for each in links}}.items()
    )


def _document(db: Database, key: str, who: Visibility) -> StoredDocument:
    rows = db.read("page/document", key=key, **who.parameters)
    rows = [row for row in rows if row["id"] == key] or rows
    if not rows:  # it may have lain there before it was moved
        moved = db.read("page/documents_moved", path=key, **who.parameters)
        rows = [row for each in moved for row in db.read("page/document", key=each["id"], **who.parameters)]
    if not rows:
        raise NotFound(f"no document {key[:_SHOWN]!r}: give its id, or its path as `graphstore search` shows it")
    if len(rows) > 1:
        raise NotFound(
            f"{len(rows)} documents have the path {key[:_SHOWN]!r}, ask by id: {', '.join(row['id'] for row in rows)}"
        )
    row = rows[0]
    ids = [each["entity"] for each in db.read("page/document_entities", ids=[row["id"]])]
    return StoredDocument(
        id=row["id"],
        path=row["path"],
        title=row["title"],
        text=row["text"],
        acl=tuple(row["acl"]),
        created=row["created"],
        modified=row["modified"],
        metadata=json.loads(row["metadata"] or "{}"),
        pages=refs_of(_named_ids(db, ids, who)),
        earlier=tuple(row["earlier"]),
    )


def _named_ids(db: Database, ids: Sequence[str], who: Visibility) -> list[Named]:
    return _named(db.read("page/entity_names", ids=list(ids), **who.parameters)) if ids else []


def _named(rows: list[dict[str, Any]]) -> list[Named]:
    found = [named(row["id"], row["name"], row["type"], row["forms"], _record(row["record"])) for row in rows]
    # by the names that the reader sees: the owner's, which the store sorts by, would show in the order
    return sorted(found, key=lambda each: (-each.documents, each.name, each.id))


def _record(row: list[Any] | None) -> Recorded | None:
    return Recorded(row[0], tuple(row[1]), json.loads(row[2] or "{}")) if row else None


def _is_called(entity: Named, key: str) -> bool:
    return any(normalise(form) == key for form in (entity.name, *entity.forms))


def _by_words(db: Database, name: str, who: Visibility) -> list[str]:
    words = re.sub(r'[\\"]', " ", name[:_LONGEST_NAME]).strip()
    if not words:
        return []
    # the phrase first: a written form; then each of its words ("project-atlas" has two), for what to suggest: a form
    # that holds both may be one that only hidden documents use
    single = " ".join(f'"{word}"' for word in _WORD.findall(words)[:20])
    rows = db.read("page/entity_by_words", words=f'"{words}"^10 {single}', limit=_CANDIDATES, **who.parameters)
    if not rows:  # a name of stop words or symbols only
        rows = db.read("page/entity_by_form", forms=sorted({name.strip().lower(), normalise(name)}))
    return [row["id"] for row in rows]


def _no_page(wanted: str, found: Sequence[Named]) -> str:
    # the index also knows forms that only hidden documents use: similar is what shares a word the reader can see
    words = set(tokenise(wanted))
    similar = [each for each in found if words & {word for form in each.forms for word in tokenise(form)}]
    hint = f"; similar: {_listed(similar[:_SUGGESTED])}" if similar else ""
    return f"no page for {wanted[:_SHOWN]!r}: a page needs two documents that mention the entity{hint}"


def _listed(found: Sequence[Named]) -> str:
    return ", ".join(
        f"{each.name} ({each.type or 'entity'}, {counted(each.documents, 'document')}, id {each.id})" for each in found
    )

"""Pictures out of the store, for one reader."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any

from graphstore.counts import counted
from graphstore.db import Database
from graphstore.errors import NotFound
from graphstore.models import EntityPage
from graphstore.pages.build import Named, named
from graphstore.pages.read import entity_page, stable
from graphstore.pictures.model import Column, Line, Picture, Spot
from graphstore.visibility import OWNER, Visibility

Row = dict[str, Any]

LIMIT = 14  # spots a column: what fits a screen and can still be read
_SIMILAR = 6
_QUOTED = 3
_SIDES: dict[str, tuple[Column, str]] = {"before": ("left", "comes before"), "after": ("right", "comes after")}


def picture(db: Database, name_or_id: str, who: Visibility = OWNER) -> Picture:
    """The picture of a tool or, if no tool is called so, of an entity.

    :param name_or_id: Id or name of a tool, or id, name or written form of an entity.
    :param who: Who reads, and at what date.
    :raises NotFound: neither a tool nor a page of this name for this reader, or several.
    """
    return stable(db, lambda: _picture(db, name_or_id, who))


def _picture(db: Database, wanted: str, who: Visibility) -> Picture:
    tools = db.read("retrieve/picture_tool", wanted=wanted)
    tools = [row for row in tools if row["id"] == wanted] or tools
    if len(tools) > 1:
        raise NotFound(f"{wanted!r} names {len(tools)} tools, ask by id: {', '.join(row['id'] for row in tools)}")
    if tools:
        return tool_picture(tools[0], db.read("retrieve/picture_tool_edges", id=tools[0]["id"]))
    try:
        page = entity_page(db, wanted, who)
    except NotFound as error:
        raise NotFound(f"no tool of this name, and {error}") from None
    return entity_picture(page, *_company(db, page, who))


def _company(db: Database, page: EntityPage, who: Visibility) -> tuple[dict[str, list[str]], list[Named]]:
    """Document → the other entities it mentions, and those of them that have pages for the reader."""
    mentioned: dict[str, list[str]] = defaultdict(list)
    for row in db.read("page/document_entities", ids=[each.id for each in page.documents]):
        if row["entity"] != page.id:
            mentioned[row["document"]].append(row["entity"])
    ids = sorted({entity for each in mentioned.values() for entity in each})
    rows = db.read("page/entity_names", ids=ids, **who.parameters)
    return mentioned, [named(row["id"], row["name"], row["type"], row["forms"]) for row in rows]


def tool_picture(tool: Row, edges: Iterable[Row]) -> Picture:
    """A tool between those that come before and after it, the similar ones beneath.

    :param tool: ``id, name, domain, description, runs``.
    :param edges: Rows of ``retrieve/picture_tool_edges``.
    """
    centre, domain = f"centre:{tool['id']}", tool["domain"] or ""
    spots = [Spot(centre, tool["id"], "Tool", tool["name"], domain, _tool_detail(tool), "middle")]
    lines: list[Line] = []
    headings: dict[Column, str] = {}
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in edges:
        groups[_role(row)].append(row)
    for role, (column, heading) in _SIDES.items():
        rows = sorted(groups[role], key=lambda row: (row["type"] != "NEXT", -(row["weight"] or 0), row["id"]))
        shown = _one_each(rows)[:LIMIT]
        if shown:
            headings[column] = _heading(heading, len(shown), len(_one_each(rows)), "tools")
        strongest = max((row["weight"] or 0 for row in groups["before"] + groups["after"]), default=0) or 1
        for row in shown:
            spots.append(_tool_spot(row, role, column))
            lines.append(_tool_line(row, role, tool["id"], (row["weight"] or 0) / strongest))
    similar = sorted(groups["similar"], key=lambda row: (-row["score"], row["id"]))
    shown = _one_each(similar)[:_SIMILAR]
    for row in shown:
        spots.append(_tool_spot(row, "similar", "middle"))
        lines.append(_tool_line(row, "similar", tool["id"], row["score"]))
    if shown:
        headings["middle"] = "similar in meaning"
    again = sum(row["count"] or 0 for row in groups["itself"])
    subtitle = " · ".join(filter(None, [_runs(tool), f"called again at once in {again}" if again else ""]))
    return Picture(tool["name"], subtitle, centre, tuple(spots), tuple(lines), headings)


def entity_picture(page: EntityPage, mentioned: dict[str, list[str]], others: Sequence[Named]) -> Picture:
    """An entity, the documents that mention it, and the entities that these mention too.

    :param mentioned: Document id → ids of the other entities it mentions.
    :param others: Those of them that have pages for the reader.
    """
    documents = page.documents[:LIMIT]
    statements: dict[str, list[str]] = defaultdict(list)
    for fact in page.facts:
        statements[fact.document].append(fact.text)
    most = max((len(statements[each.id]) for each in documents), default=0) or 1
    spots = [Spot(page.id, page.id, "Entity", page.name, page.type or "entity", ", ".join(page.aliases), "left")]
    lines = []
    for each in documents:
        said = statements[each.id]
        detail = "\n".join([each.path, *said[:_QUOTED], *(["…"] if len(said) > _QUOTED else [])])
        spots.append(Spot(each.id, each.id, "Document", each.title, (each.date or "")[:10], detail, "middle"))
        lines.append(Line(each.id, page.id, "MENTIONS", len(said) / most, counted(len(said), "statement")))
    shared = Counter(entity for each in page.documents for entity in mentioned.get(each.id, ()))
    # as many shared documents as possible; of equals the rarer one, which says more
    ranked = sorted(others, key=lambda each: (-shared[each.id], each.documents, each.name, each.id))
    drawn = {entity for each in documents for entity in mentioned.get(each.id, ())}
    shown = [each for each in ranked if each.id in drawn][:LIMIT]
    for other in shown:
        note = f"{other.type or 'entity'} · {shared[other.id]} shared"
        detail = f"{counted(other.documents, 'document')} in all"
        spots.append(Spot(other.id, other.id, "Entity", other.name, note, detail, "right"))
    names = {each.id for each in shown}
    for each in documents:
        lines += [Line(each.id, e, "MENTIONS", 0.0, "") for e in mentioned.get(each.id, ()) if e in names]
    headings: dict[Column, str] = {"middle": _heading("mentioned in", len(documents), len(page.documents), "documents")}
    if shown:
        headings["right"] = _heading("together with", len(shown), len(others), "entities")
    return Picture(page.name, page.overview.splitlines()[0], page.id, tuple(spots), tuple(lines), headings)


def _role(row: Row) -> str:
    if row["type"] == "SIMILAR":
        return "similar"
    if row["itself"]:
        return "itself"
    # what a tool requires comes before it
    return "after" if row["outgoing"] == (row["type"] == "NEXT") else "before"


def _one_each(rows: Iterable[Row]) -> list[Row]:
    """The first row of each tool."""
    first: dict[str, Row] = {}
    for row in rows:
        first.setdefault(row["id"], row)
    return list(first.values())


def _tool_spot(row: Row, role: str, column: Column) -> Spot:
    note = {
        "NEXT": f"{row['count']} ×",
        "SIMILAR": f"cosine {row['score'] or 0:.2f}",
        "REQUIRES": _required(row),
    }[row["type"]]
    return Spot(f"{role}:{row['id']}", row["id"], "Tool", row["name"], note, _tool_detail(row), column)


def _required(row: Row) -> str:
    return (
        f"produces {row['parameter']}" if row["kind"] == "produces" else f"required: {row['parameter'] or row['kind']}"
    )


def _tool_line(row: Row, role: str, tool: str, strength: float) -> Line:
    ends = [f"centre:{tool}", f"{role}:{row['id']}"]
    source, target = reversed(ends) if role == "before" else ends
    detail = f"{row['count']} times, weight {row['weight']:.2f}" if row["type"] == "NEXT" else ""
    return Line(source, target, row["type"], strength, detail, dashed=row["type"] != "NEXT")


def _tool_detail(row: Row) -> str:
    return "\n".join(filter(None, [row["id"], row["domain"], row["description"]]))


def _runs(tool: Row) -> str:
    return " · ".join(filter(None, [tool["domain"], f"used in {counted(tool['runs'] or 0, 'run')}"]))


def _heading(text: str, shown: int, all_of_them: int, what: str) -> str:
    return f"{text} · {all_of_them}" if shown == all_of_them else f"{text} · {shown} of {all_of_them} {what}"

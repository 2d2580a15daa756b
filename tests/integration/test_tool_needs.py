"""Declared needs and links between parameters in a real store, however they were loaded, and the order they give."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from graphstore.db import Database
from graphstore.ordered_export import ordered_export
from graphstore.pictures.read import picture
from graphstore.records import Requirement, StageRun, ToolCall, ToolSpec
from graphstore.retrieval.tools import ToolSearch
from graphstore.toolgraph.update import derive, load_logs, load_tools

if TYPE_CHECKING:
    from graphstore.encoders import Encoder

IDS = {"type": "object", "properties": {"mail_id": {"type": "string"}}, "required": ["mail_id"]}
SEND = ToolSpec(
    "send_mail",
    "Send an e-mail to somebody.",
    requires=(Requirement("enable_wifi"), Requirement("validate_address", "parameter", "to")),
)
WIFI = ToolSpec("enable_wifi", "Turn wireless networking on.", requires=(Requirement("wifi_status", "tool-indirect"),))
CATALOG = [
    SEND,
    WIFI,
    ToolSpec("wifi_status", "Whether wireless networking is on."),
    ToolSpec("validate_address", "Check how an address is written."),
    ToolSpec("find_mails", "Look through the mailbox.", output={"properties": {"mail_id": {"type": "string"}}}),
    ToolSpec("delete_mail", "Remove a message.", IDS),
    ToolSpec("paint_fence", "Put paint on a fence."),
]
EDGES = {
    ("send_mail", "enable_wifi"): ("tool", None),
    ("send_mail", "validate_address"): ("parameter", "to"),
    ("enable_wifi", "wifi_status"): ("tool-indirect", None),
    ("delete_mail", "find_mails"): ("produces", "mail_id"),
}
Edges = dict[tuple[str, str], tuple[str, str | None]]


def edges(db: Database) -> Edges:
    rows = db.read("retrieve/tool_requires")
    return {(row["source"], row["target"]): (row["kind"], row["parameter"]) for row in rows}


def clear(db: Database) -> None:
    list(db.run("MATCH (n) WHERE NOT n:Meta DETACH DELETE n", write=True))


def load(db: Database, encoder: Encoder, *catalogs: Sequence[ToolSpec]) -> None:
    for catalog in catalogs:
        load_tools(db, encoder, catalog)


def test_needs_are_the_same_in_any_order_of_loading(db: Database, encoder: Encoder) -> None:
    load(db, encoder, CATALOG)
    assert edges(db) == EDGES
    whole = list(ordered_export(db))
    assert sum('"REQUIRES"' in line for line in whole) == len(EDGES)
    for seed in range(3):
        clear(db)
        shuffled = random.Random(seed).sample(CATALOG, len(CATALOG))
        load(db, encoder, shuffled[:2], shuffled[2:5], shuffled[5:])
        assert list(ordered_export(db)) == whole
    assert load_tools(db, encoder, CATALOG).unchanged == len(CATALOG)
    assert not derive(db, encoder)


def test_a_need_waits_for_its_tool_and_goes_with_its_declaration(db: Database, encoder: Encoder) -> None:
    load(db, encoder, [SEND])
    assert edges(db) == {}
    # a log may bring it, before any catalog does
    calls = (ToolCall("validate_address"),)
    load_logs(db, encoder, [StageRun("T", "T/1", "r", "Check this address", True, calls, "log.json")])
    assert edges(db) == {("send_mail", "validate_address"): ("parameter", "to")}
    load(db, encoder, [WIFI])
    assert set(edges(db)) == {("send_mail", "validate_address"), ("send_mail", "enable_wifi")}
    report = load_tools(db, encoder, [replace(SEND, requires=SEND.requires[:1])])
    assert (report.changed, set(edges(db))) == (1, {("send_mail", "enable_wifi")})


def test_an_answer_brings_needs_along_in_order_and_says_who_needs_them(db: Database, encoder: Encoder) -> None:
    load(db, encoder, CATALOG)
    hits = ToolSearch.read(db, encoder).search("send an e-mail", k=4, order=True)
    assert {hit.id for hit in hits} == {"send_mail", "enable_wifi", "wifi_status", "validate_address"}
    assert [hit.position for hit in hits] == [1, 2, 3, 4]
    assert hits[3].id == "send_mail"
    assert [hit.when for hit in hits] == ["before"] * 3 + [None]
    ids = [hit.id for hit in hits]
    assert ids.index("wifi_status") < ids.index("enable_wifi")
    (wifi,) = (hit for hit in hits if hit.id == "wifi_status")
    assert ("REQUIRES", "enable_wifi") in {(why.via, why.source) for why in wifi.because}


def test_without_history_the_schemas_bring_what_finds_the_id(db: Database, encoder: Encoder) -> None:
    load(db, encoder, CATALOG)
    hits = {hit.id: hit for hit in ToolSearch.read(db, encoder).search("remove a message", k=7)}
    assert ("REQUIRES", "delete_mail") in {(why.via, why.source) for why in hits["find_mails"].because}
    assert hits["find_mails"].when == "before"


def test_a_picture_says_what_each_need_is_for(db: Database, encoder: Encoder) -> None:
    load(db, encoder, CATALOG)
    notes = {spot.key: spot.note for spot in picture(db, "send_mail").spots if spot.column == "left"}
    assert notes == {"enable_wifi": "required: tool", "validate_address": "required: to"}
    notes = {spot.key: spot.note for spot in picture(db, "delete_mail").spots if spot.column == "left"}
    assert notes == {"find_mails": "produces mail_id"}

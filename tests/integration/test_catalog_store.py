"""The catalog of a store: versions, the one in use, and what a change of it reads again."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from graphstore.cli import cli
from graphstore.corpusmap.build import build_map
from graphstore.corpusmap.catalog import BUILT_IN_CATALOG, catalog_of
from graphstore.corpusmap.catalog_store import catalog_at, keep, use, used, versions
from graphstore.corpusmap.types import EntityType
from graphstore.corpusmap.update import load_documents
from graphstore.encoders import load_encoder
from graphstore.errors import NotFound
from graphstore.ordered_export import ordered_export
from graphstore.records import SourceDocument

ENCODER = load_encoder(None)
INCIDENT = EntityType("incident", "What broke.", "Equal number.", ("INC-1042",), "code", patterns=(r"\bINC-\d+\b",))
TEXTS = [
    "Tom Becker closed INC-1042 for Acme Ltd. today.",
    "INC-1042 was raised by Anna Schmidt of Acme Ltd. yesterday.",
    "Nothing of the kind; Tom Becker met Anna Schmidt.",
    "CHG-7 and CHG-8 wait for Anna Schmidt.",
]


def load(db) -> None:
    documents = [SourceDocument(str(n), f"{n}.md", "2026-01-01", text) for n, text in enumerate(TEXTS)]
    load_documents(db, ENCODER, lambda: documents)


def kinds(db) -> dict[str, str]:
    rows, _, _ = db.driver.execute_query(
        "MATCH (e:Entity)-[:OF_TYPE]->(t) RETURN e.name AS name, t.name AS type", database_=db.database
    )
    return {row["name"]: row["type"] for row in rows}


def types(db) -> set[str]:
    rows, _, _ = db.driver.execute_query("MATCH (t:EntityType) RETURN t.name AS name", database_=db.database)
    return {row["name"] for row in rows}


def test_versions_are_numbered_kept_for_good_and_one_is_in_use(db):
    assert used(db) == BUILT_IN_CATALOG
    first = keep(db, catalog_of([INCIDENT], source="file"), note="catalog.toml")
    assert first.version == 1
    assert keep(db, catalog_of([INCIDENT], source="file")).version == 1
    assert keep(db, catalog_of([], source="local")).version == 2
    assert used(db) == BUILT_IN_CATALOG
    assert use(db, 1) == used(db) == catalog_at(db, 1) == first
    assert [(kept.catalog.version, kept.note, kept.used) for kept in versions(db)] == [
        (1, "catalog.toml", True),
        (2, "", False),
    ]
    assert use(db, 0) == used(db) == BUILT_IN_CATALOG
    with pytest.raises(NotFound, match="no version 9 of the catalog; the store has 0, 1, 2"):
        use(db, 9)


def test_a_changed_catalog_reads_again_what_it_concerns_and_gives_the_graph_of_a_load_with_it(db):
    load(db)
    before = list(ordered_export(db))
    assert kinds(db)["INC-1042"] == "code"
    use(db, keep(db, catalog_of([INCIDENT], source="file")).version)
    built = build_map(db, ENCODER)
    assert built.extracted == 2
    assert kinds(db)["INC-1042"] == "incident"
    assert kinds(db)["CHG-7"] == "code"
    after = list(ordered_export(db))
    assert build_map(db, ENCODER).extracted == 0
    assert list(ordered_export(db)) == after

    db.driver.execute_query("MATCH (n) WHERE NOT n:Meta DETACH DELETE n", database_=db.database)
    load(db)
    assert list(ordered_export(db)) == after

    use(db, 0)
    assert build_map(db, ENCODER).extracted == 2
    assert list(ordered_export(db)) == before
    assert "incident" not in types(db)


def test_what_another_kind_of_builder_read_stays(db):
    load(db)
    db.driver.execute_query(
        'MATCH (d:Document) SET d.extracted = replace(d.extracted, \'"by":"local"\', \'"by":"llm:m:1"\')',
        database_=db.database,
    )
    use(db, keep(db, catalog_of([INCIDENT], source="file")).version)
    assert build_map(db, ENCODER).extracted == 0


def test_the_command_line_lists_versions_as_one_object(db, server, monkeypatch: pytest.MonkeyPatch):
    for name, value in (("URI", server.uri), ("USERNAME", server.username), ("PASSWORD", server.password)):
        monkeypatch.setenv(f"NEO4J_{name}", value)
    use(db, keep(db, catalog_of([INCIDENT], source="file"), note="catalog.toml").version)
    result = CliRunner().invoke(cli, ["catalog", "list", "--json"])
    (row,) = json.loads(result.stdout)["catalogs"]
    assert (row["version"], row["note"], row["used"]) == (1, "catalog.toml", True)

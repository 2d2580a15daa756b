"""The schema of a new store, made by several processes at once."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest

from graphstore.errors import QueryError

if TYPE_CHECKING:
    from graphstore.db import Database

ROUNDS = 4
WRITERS = 8


@pytest.mark.parametrize("name", ["range_document_hash", "unique_decision", "fulltext_entity", "vector_stage"])
def test_what_several_define_at_once_is_defined_once_and_refuses_none(db: Database, name: str) -> None:
    params = {"fulltext_entity": {"analyzer": "cjk"}, "vector_stage": {"dimensions": 384}}.get(name, {})
    kind = "CONSTRAINT" if name.startswith("unique") else "INDEX"
    for _ in range(ROUNDS):
        list(db.run(f"DROP {kind} {name} IF EXISTS", write=True))
        with ThreadPoolExecutor(WRITERS) as pool:
            list(pool.map(lambda _: db.define(f"schema/{name}", **params), range(WRITERS)))
        assert len(list(db.run("SHOW INDEXES YIELD name WHERE name = $name", {"name": name}))) == 1
    db.define("schema/await_indexes", seconds=60)


def test_a_definition_that_cannot_be_made_is_told(db: Database) -> None:
    list(db.run("DROP INDEX vector_stage IF EXISTS", write=True))
    with pytest.raises(QueryError, match="vector_stage"):
        db.define("schema/vector_stage", dimensions=-1)
    db.define("schema/vector_stage", dimensions=384)
    db.define("schema/await_indexes", seconds=60)

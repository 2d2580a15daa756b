"""A writer that came too late computes again; one that always does says so."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from graphstore import writers
from graphstore.db import StaleVersion
from graphstore.errors import ConnectError, QueryError

DB = SimpleNamespace(address="bolt://here")


@pytest.fixture(autouse=True)
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    found: list[float] = []
    monkeypatch.setattr(writers.time, "sleep", found.append)
    return found


def test_work_is_done_again_until_it_is_written(waits: list[float]) -> None:
    late = iter([True, True, False])

    def work() -> str:
        if next(late):
            raise StaleVersion("too late")
        return "written"

    assert writers.until_written(DB, work) == "written"
    assert len(waits) == 2


def test_a_store_that_never_pauses_is_an_error_that_names_it(waits: list[float]) -> None:
    def work() -> None:
        raise StaleVersion("too late")

    with pytest.raises(ConnectError, match="bolt://here: other processes write without a pause"):
        writers.until_written(DB, work)
    assert len(waits) == writers._ATTEMPTS
    assert max(waits) <= writers._LONGEST


def test_another_error_ends_the_work(waits: list[float]) -> None:
    def work() -> None:
        raise QueryError("no")

    with pytest.raises(QueryError):
        writers.until_written(DB, work)
    assert waits == []

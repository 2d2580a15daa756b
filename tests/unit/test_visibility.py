"""Who may see which document, and from which day on."""

from __future__ import annotations

import pytest

from graphstore.errors import SettingsError
from graphstore.visibility import OWNER, Visibility, known_since


def test_the_owner_sees_all_and_a_reader_open_documents_and_those_of_a_principal():
    bob = Visibility.of(["bob", "sales"])
    assert [OWNER.sees(acl, None) for acl in ([], ["ann"], None)] == [True, True, True]
    assert [bob.sees(acl, None) for acl in ([], None, ["ann"], ["ann", "sales"], ["Bob"])] == [
        True,
        True,
        False,
        True,
        False,
    ]
    assert [Visibility.of([]).sees(acl, None) for acl in ([], ["ann"])] == [True, False]


def test_a_reader_given_as_one_text_is_one_principal():
    assert Visibility.of("bob").principals == ("bob",)
    assert not Visibility.of("bob").may_read(["b"])


def test_equal_readers_are_equal_whatever_the_order():
    assert Visibility.of(["b", "a"], "2026-03-01") == Visibility.of(["a", "b", "a"], " 2026-03-01T23:59:00Z ")


def test_a_document_is_known_from_the_day_of_its_last_change():
    assert known_since("2026-03-01T10:00:00", "2026-01-01", "2026-12-01") == "2026-03-01"
    assert known_since(None, "2026-01-01", "2026-12-01") == "2026-01-01"
    assert known_since(None, None, "2026-12-01T00:00:00+00:00") == "2026-12-01"
    assert known_since(None, None, None) is None


def test_at_a_date_only_what_was_known_by_the_end_of_that_day_is_seen():
    then = Visibility.of(as_of="2026-03-01")
    assert [then.sees([], since) for since in ("2026-02-28", "2026-03-01", "2026-03-02", None)] == [
        True,
        True,
        False,
        False,
    ]
    assert not Visibility.of(["bob"], "2026-03-01").sees(["ann"], "2026-02-28")


@pytest.mark.parametrize("written", ["", "yesterday", "2026-13-01", "2026", "01/02/2026"])
def test_what_is_no_date_is_refused(written: str):
    with pytest.raises(SettingsError, match="is no date; write it as 2026-03-01"):
        Visibility.of(as_of=written)

"""Normalised names: what is one name, and what must stay two."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.names import normalise


@pytest.mark.parametrize(
    "forms",
    [
        ("Project Atlas", "project  atlas", "Project-Atlas", "PROJECT_ATLAS", "“Project Atlas”,", "Project\u00a0Atlas"),
        ("Straße", "STRASSE"),
        ("\uff21\uff34\uff26", "ATF"),  # full-width letters
        ("O’Brien", "O'Brien"),
    ],
)
def test_written_forms_of_one_name_share_a_key(forms: tuple[str, ...]) -> None:
    assert len({normalise(form) for form in forms}) == 1


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("李伟", "王芳"),
        ("C++", "C#"),
        ("C++", "C"),
        (".NET", "net"),
        ("SR-2023-052", "SR-2023-053"),
        ("Rev A", "Rev B"),
        ("v1.2", "v1.12"),
        ("Q3 2024", "Q3 2025"),
        ("田中", "田中 太郎"),
        ("...", "!!!"),
    ],
)
def test_different_names_keep_different_keys(one: str, other: str) -> None:
    assert normalise(one) != normalise(other)


@given(st.text(min_size=1).filter(str.strip))
def test_no_name_has_an_empty_key(name: str) -> None:
    assert normalise(name)


@given(st.text())
def test_normalising_twice_changes_nothing(name: str) -> None:
    assert normalise(normalise(name)) == normalise(name)

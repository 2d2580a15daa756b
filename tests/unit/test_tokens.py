"""Tokens of lexical search."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from graphstore.tokens import STOP_WORDS, tokenise


def test_identifiers_give_their_parts() -> None:
    assert tokenise("check_document_permission listUserRoles HTTPServer") == [
        *("check", "document", "permission"),
        *("list", "user", "roles"),
        *("http", "server"),
    ]


def test_chinese_gives_pairs_of_characters() -> None:
    assert tokenise("文档权限") == ["文档", "档权", "权限"]
    assert tokenise("批") == ["批"]


def test_chinese_and_latin_in_one_run_are_told_apart() -> None:
    assert tokenise("项目Bluebird延期") == ["项目", "bluebird", "延期"]


def test_symbols_that_tell_names_apart_stay() -> None:
    assert tokenise("C++ or C# or C") == ["c++", "c#", "c"]


@given(st.text())
def test_tokens_are_never_empty_and_never_stop_words(text: str) -> None:
    assert all(token and token not in STOP_WORDS for token in tokenise(text))


@given(st.text())
def test_case_does_not_matter_outside_identifiers(text: str) -> None:
    assert tokenise(text.lower()) == tokenise(text.lower().casefold()) or not text.isascii()


@given(st.text("aZ9_+# .-é\u6587", max_size=12))
def test_text_in_ascii_gives_what_it_gives_beside_other_scripts(text: str) -> None:
    plain = text.encode("ascii", "ignore").decode()
    assert [*tokenise(plain), "é"] == tokenise(f"{plain} é")

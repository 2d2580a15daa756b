"""File names of an export, whatever the names of entities and documents."""

from __future__ import annotations

import re
import unicodedata
from pathlib import PurePosixPath, PureWindowsPath
from urllib.parse import unquote

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphstore.pages.paths import document_path, document_paths, link, page_path

WORDS = st.text(st.characters(exclude_categories=["Cs"]), max_size=300)
PATHS = st.lists(WORDS | st.sampled_from(["..", ".", "", "CON", "a", "A", "a.md", "x.MD"]), max_size=6).map("/".join)
DEVICES = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|com[\d¹²³]|lpt[\d¹²³])\s*(\..*)?", re.IGNORECASE)


def is_safe(path: str) -> bool:
    parts = PurePosixPath(path).parts
    return (
        "/".join(parts) == path
        and ".." not in parts
        and path.endswith(".md")
        and len(path.encode()) <= 240
        and not PurePosixPath(path).is_absolute()
        and not PureWindowsPath(path).is_absolute()
        and not re.search(r'[\x00-\x1f<>:"|?*\\]', path)
        and not any(DEVICES.fullmatch(part) or part != part.strip() or part.endswith(".") for part in parts)
        and not any(part.startswith(".") for part in parts)
        and not any(unicodedata.category(char) in ("Cc", "Cf", "Cn", "Zl", "Zp") for char in path)
        and path == unicodedata.normalize("NFC", path)
    )


@settings(deadline=None)
@given(WORDS, st.text(st.characters(exclude_categories=["Cs"]), min_size=1))
@example("../../etc/x", "e")
@example("C++", "e")
@example("", "e")
@example("x" * 5000, "0" * 32)
def test_a_page_stays_in_its_folder_under_a_safe_name(name: str, entity_id: str):
    path = page_path(name, entity_id)
    assert path.startswith("pages/")
    assert path.count("/") == 1
    assert is_safe(path)
    assert path == path.casefold()


@settings(deadline=None)
@given(PATHS)
@example("../../etc/x")
@example("C:\\Windows\\x.md")
@example("/etc/passwd")
@example("con/aux.md")
@example("é" * 300)
@example("/".join(["deep"] * 100))
@example("trailing. /dot.")
@example("COM¹.txt/nul .md")
@example("invoice\u202egnp.md")
@example("e\u0301.md")
def test_a_document_stays_in_its_folder_under_a_safe_name(path: str):
    assert document_path(path).startswith("documents/")
    assert is_safe(document_path(path))


@settings(deadline=None)
@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=4), PATHS, max_size=8))
@example({"1": "a.md", "2": "A.md", "3": "a", "4": "a.MD", "5": "b.md/c", "6": "b", "7": "../a.md", "8": "/a.md"})
@example({"1": "é.md", "2": "e\u0301.md"})
@example({"1": "ı.md", "2": "i.md", "3": "I.md"})
@example({"1": "STRASSE.md", "2": "straße.md"})
def test_no_two_documents_share_a_file_even_where_case_is_ignored(documents: dict[str, str]):
    files = document_paths(documents.items())
    assert files.keys() == documents.keys()
    folded = [file.casefold() for file in files.values()]
    assert len(set(folded)) == len(folded)
    assert all(is_safe(file) for file in files.values())
    folders = {str(parent) for file in folded for parent in PurePosixPath(file).parents}
    assert folders.isdisjoint(folded), "a folder where a file stands"


@pytest.mark.parametrize("path", ["minutes.md", "a/b c/minutes.md", "会议/纪要.md", "SR-2023-052.md"])
def test_a_plain_path_keeps_its_name(path: str):
    assert document_path(path) == f"documents/{path}"


@settings(deadline=None)
@given(PATHS, PATHS)
def test_a_link_leads_to_its_target(one: str, other: str):
    source, target = document_path(one), document_path(other)
    url = link(target, source)
    assert re.fullmatch(r"[\w./~%-]+", url), "nothing that ends a link in Markdown"
    steps = [*PurePosixPath(source).parent.parts]
    for part in unquote(url).split("/"):
        if part == "..":
            steps.pop()
        else:
            steps.append(part)
    assert "/".join(steps) == target


def test_pages_of_records_with_long_numbers_do_not_meet():
    assert page_path("Li Wei", "1000000000000001") != page_path("Li Wei", "1000000000000002")

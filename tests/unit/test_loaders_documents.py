"""Documents from folders, single files and JSON records."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

import pytest
from graphstore.loaders import read_documents
from graphstore.loaders.fields import iso_date
from graphstore.loaders.front_matter import FrontMatterError, front_matter
from graphstore.loaders.html_text import html_text
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from graphstore.errors import LoadError
from graphstore.records import Ignored, Rejected, SourceDocument

Found = list[SourceDocument | Rejected | Ignored]


def write(folder: Path, files: dict[str, str | bytes]) -> Path:
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return folder


def documents(found: Found) -> list[SourceDocument]:
    return [each for each in found if isinstance(each, SourceDocument)]


def said(found: Found, folder: Path) -> list[str]:
    return [str(each).removeprefix(f"{folder}/") for each in found if not isinstance(each, SourceDocument)]


def one(tmp_path: Path, name: str, content: str | bytes) -> SourceDocument:
    found = list(read_documents(write(tmp_path / "docs", {name: content})))
    assert said(found, tmp_path / "docs") == []
    (document,) = documents(found)
    return document


FRONT = """---
title: "Minutes: Atlas"
date: 2026-01-05
updated: 2026-01-06 10:30:00
acl: [ann, "group:board"]
id: MIN-7
tags: [a, b]
owner: {name: Ann, since: 2024-02-01}
---
# Another heading

Atlas starts.
"""


def test_front_matter_is_read_and_the_rest_of_it_is_metadata(tmp_path: Path):
    assert one(tmp_path, "a/minutes.md", FRONT) == SourceDocument(
        id="MIN-7",
        path="a/minutes.md",
        title="Minutes: Atlas",
        text="# Another heading\n\nAtlas starts.\n",
        acl=("ann", "group:board"),
        created="2026-01-05",
        modified="2026-01-06T10:30:00",
        metadata={"tags": ["a", "b"], "owner": {"name": "Ann", "since": "2024-02-01"}},
    )


def test_files_of_one_name_in_two_folders_are_two_documents(tmp_path: Path):
    found = list(read_documents(write(tmp_path / "docs", {"a/readme.md": "x", "b/readme.md": "x"})))
    assert [(each.id, each.path) for each in documents(found)] == [("a/readme.md",) * 2, ("b/readme.md",) * 2]


@pytest.mark.parametrize(
    ("name", "content", "title"),
    [
        ("a.md", "Text.\n\n## First one ##\n\n# Second", "First one"),
        ("a.md", "```\n# a comment\n```\n\n# Real", "Real"),
        ("a.md", "Under\nlined\n===\n", "lined"),
        ("a.md", "#no heading, no space", "a"),
        ("some minutes.txt", "# Not markdown", "some minutes"),
        ("a.html", "<title> The\n page </title><h1>Heading</h1>", "The page"),
        ("a.htm", "<h1>The <b>heading</b></h1>", "The heading"),
        ("a.html", "<p>None</p>", "a"),
        ("a.md", "---\ntitle: 2026\n---\n# x", "2026"),
        ("会议纪要.md", "你好", "会议纪要"),
    ],
)
def test_the_title_is_given_or_the_first_heading_or_the_name(tmp_path: Path, name: str, content: str, title: str):
    assert one(tmp_path, name, content).title == title


def test_html_is_stripped_of_scripts_and_navigation_and_keeps_its_blocks():
    page = """<!doctype html><html><head><title>T</title><style>p {}</style></head><body>
      <nav><a>Home</a></nav><script>var x = "<p>no</p>";</script><!-- a
      comment -->
      <h1>Head</h1><p>One &amp; <b>bold</b>
      two.</p><ul><li>first</li><li>second</li></ul>line<br>break
      <table><tr><td>a</td><td>b</td></tr></table><pre>x
  y</pre></body></html>"""
    title, text = html_text(page)
    assert title == "T"
    assert [line for line in text.split("\n") if line] == [
        "Head",
        "One & bold two.",
        "first",
        "second",
        "line",
        "break",
        "a | b",
        "x",
        "y",
    ]


def test_large_and_deep_pages_are_read_in_time():
    started = time.monotonic()
    assert html_text("<p>a</p>" * 20_000)[1].count("a") == 20_000
    assert html_text("<div>" * 5_000 + "a")[1] == "a"
    assert time.monotonic() - started < 20  # linear: well under 2 s; by inserting into the tree it took minutes


def test_hidden_files_are_passed_over_and_other_types_refused_in_a_line_each(tmp_path: Path):
    files: dict[str, str | bytes] = {
        "a.md": "x",
        ".git/config.md": "x",
        ".b.md": "x",
        "c.pdf": "x",
        "d": "x",
        "e.jsonl": "{}",
        "F.MD": "y",
    }
    found = list(read_documents(write(tmp_path / "docs", files)))
    assert [each.path for each in documents(found)] == ["F.MD", "a.md"]
    assert said(found, tmp_path / "docs") == [
        "c.pdf: .pdf: only .md, .txt and .html are read from a folder",
        "d: no suffix: only .md, .txt and .html are read from a folder",
        "e.jsonl: .jsonl: only .md, .txt and .html are read from a folder: name it to load its records",
    ]


@pytest.mark.parametrize("content", ["", "  \n\n", "\ufeff", "---\ntitle: T\n---\n", "---\n---\n"])
def test_an_empty_document_is_loaded_with_a_warning(tmp_path: Path, content: str):
    found = list(read_documents(write(tmp_path / "docs", {"a.md": content, "b.txt": "Hello world"})))
    assert [(each.title, each.text.strip()) for each in documents(found)] == [
        ("T" if "title" in content else "a", ""),
        ("b", "Hello world"),
    ]
    assert said(found, tmp_path / "docs") == ["a.md: has no text"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"caf\xe9", ":1: not UTF-8 (byte 0xe9): convert it first (iconv -t UTF-8)"),
        (b"one\ntwo \xff\xfe", ":2: not UTF-8 (byte 0xff): convert it first (iconv -t UTF-8)"),
        ("x".encode("utf-16"), ": is UTF-16, not UTF-8: convert it first (iconv -f UTF-16 -t UTF-8)"),
        (b"a\0b", ": holds NUL bytes: binary, or not UTF-8"),
        (b"---\nacl: [ann\n---\nx", ":3: the front matter is not valid YAML"),
        (b"---\nacl: ann\nx", ":1: the front matter is not closed: put --- on a line after it"),
        (b"---\nacl: ann\nacl: bob\n---\nx", ":3: the front matter is not valid YAML (the field 'acl' twice)"),
        (b"---\nacl: ann\nACL: bob\n---\nx", ": acl is given twice"),
        (b"---\nacl: {ann: read}\n---\nx", ": acl is neither a list of names nor names separated by commas"),
        (b"---\nacl: [ann, [bob]]\n---\nx", ": acl is neither a list of names nor names separated by commas"),
        (b"---\nacl: ' , '\n---\nx", ": acl is text without a name: leave it out if everyone may read"),
        (b"---\na: &x [1]\nb: *x\n---\nx", ":2: the front matter uses YAML aliases: write the values out"),
        (b"---\ndate: 2026-02-30\n---\nx", ":2: the front matter is not valid YAML"),
        (b"---\na: !!python/object:os.system x\n---\nx", ":2: the front matter is not valid YAML"),
        (b"---\nid: [1]\n---\nx", ": id is a list, not text"),
    ],
)
def test_a_document_that_cannot_be_understood_is_named_and_the_rest_loads(tmp_path: Path, content: bytes, reason: str):
    found = list(read_documents(write(tmp_path / "docs", {"a.md": content, "b.md": "fine"})))
    assert [each.path for each in documents(found)] == ["b.md"]
    (line,) = said(found, tmp_path / "docs")
    assert line.startswith(f"a.md{reason}")
    assert "\n" not in line


@pytest.mark.parametrize(
    "content", ["---\n\nText after a rule.\n", "---\nJust words\n---\nText", "----\nx: y", "- a\n---\n"]
)
def test_a_rule_at_the_top_is_no_front_matter(content: str):
    assert front_matter(content) == ({}, content)


@pytest.mark.parametrize(
    ("acl", "names"),
    [
        ("ann, bob ,ann", ("ann", "bob")),
        ("[ann, 7]", ("ann", "7")),
        ("[]", ()),
        ("", ()),
        ("李伟", ("李伟",)),
    ],
)
def test_acl_is_a_list_or_names_separated_by_commas(tmp_path: Path, acl: str, names: tuple[str, ...]):
    assert one(tmp_path, "a.md", f"---\nAcl: {acl}\n---\nx").acl == names


def test_a_date_that_is_none_stays_in_the_metadata_with_a_warning(tmp_path: Path):
    found = list(read_documents(write(tmp_path / "docs", {"a.md": "---\nCreated: next week\n---\nx"})))
    assert documents(found)[0].created is None
    assert documents(found)[0].metadata == {"Created": "next week"}
    assert said(found, tmp_path / "docs") == ["a.md: Created: 'next week' is no date, kept as metadata"]


@pytest.mark.parametrize(
    ("written", "iso"),
    [
        ("2026-01-05", "2026-01-05"),
        ("2026/1/5", "2026-01-05"),
        ("2026-01-05T10:00:00Z", "2026-01-05T10:00:00+00:00"),
        ("2026-01-05 10:00", "2026-01-05T10:00:00"),
        ("Mon, 05 Jan 2026 10:00:00 +0100", "2026-01-05T10:00:00+01:00"),
        (20260105, "2026-01-05"),
        (1767571200, "2026-01-05T00:00:00+00:00"),
        (1767571200000, "2026-01-05T00:00:00+00:00"),
        (7, None),
        (20261399, None),
        (True, None),
        ("", None),
        ("yesterday", None),
        ([], None),
        (float("inf"), None),
        (float("nan"), None),
        (10**400, None),
        (-(10**400), None),
    ],
)
def test_dates_are_iso(written: Any, iso: str | None):
    assert iso_date(written) == iso


def test_line_ends_are_made_one(tmp_path: Path):
    assert one(tmp_path, "a.md", b"\xef\xbb\xbf---\r\ntitle: T\r\n---\r\none\r\ntwo\r").text == "one\ntwo\n"


def test_links_that_leave_the_folder_or_loop_are_refused_and_nothing_outside_is_read(tmp_path: Path):
    write(tmp_path, {"secret/s.md": "secret", "docs/a/x.md": "x", "docs/real.md": "y", "docs/b/z.md": "z"})
    root = tmp_path / "docs"
    (root / "a/up").symlink_to(root)
    (root / "out").symlink_to(tmp_path / "secret")
    (root / "out.md").symlink_to(tmp_path / "secret/s.md")
    (root / "self.md").symlink_to(root / "self.md")
    (root / "gone.md").symlink_to(root / "nowhere.md")
    (root / "inside.md").symlink_to(root / "real.md")
    (root / "b/c1").symlink_to(root / "a")
    (root / "b/c2").symlink_to(root / "a")
    found = list(read_documents(root))
    assert {each.path for each in documents(found)} == {"a/x.md", "b/c1/x.md", "b/z.md", "inside.md", "real.md"}
    assert "secret" not in repr(found).replace(str(tmp_path / "secret"), "")
    refused = dict(line.split(": ", 1) for line in said(found, root))
    assert refused["a/up"] == "a link to a folder above it: not followed"
    assert refused["out"] == refused["out.md"] == "a link that leaves the folder: not followed"
    assert refused["b/c2"] == "a second link to the same folder: not followed"
    assert refused["self.md"].startswith("cannot be opened")
    assert refused["gone.md"].startswith("cannot be opened")


def test_what_is_no_regular_file_is_refused_without_waiting_for_it(tmp_path: Path):
    root = write(tmp_path / "docs", {"a.md": "x"})
    os.mkfifo(root / "pipe.md")
    found = list(read_documents(root))
    assert said(found, root) == ["pipe.md: not a regular file"]


def test_a_name_that_is_no_unicode_is_refused(tmp_path: Path):
    root = write(tmp_path / "docs", {"a.md": "x"})
    try:
        Path(os.fsdecode(os.fsencode(root) + b"/\xff.md")).write_text("x")
    except OSError:
        pytest.skip("this file system holds Unicode names only")
    found = list(read_documents(root))
    assert said(found, root) == ["\\udcff.md: its name is not Unicode: rename it"]
    for each in said(found, root):
        each.encode()


def test_one_file_is_a_document_by_its_name(tmp_path: Path):
    write(tmp_path, {"docs/a.md": "# T"})
    assert [(each.path, each.title) for each in documents(list(read_documents(tmp_path / "docs/a.md")))] == [
        ("a.md", "T")
    ]


def test_of_two_folders_with_one_path_the_first_is_kept_and_the_second_named(tmp_path: Path):
    write(tmp_path, {"x/readme.md": "one", "y/readme.md": "two"})
    found = list(read_documents(tmp_path / "x", tmp_path / "y"))
    assert [each.text for each in documents(found)] == ["one"]
    assert said(found, tmp_path) == [f"y/readme.md: the id 'readme.md' was read from {tmp_path}/x/readme.md"]


def test_a_path_that_is_not_there_is_an_error(tmp_path: Path):
    with pytest.raises(LoadError, match="no such file"):
        list(read_documents(tmp_path / "absent"))


def records(tmp_path: Path, *values: Any, name: str = "d.jsonl") -> Found:
    file = tmp_path / name
    file.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in values), "utf-8")
    return list(read_documents(file))


def test_records_are_read_and_further_fields_are_metadata(tmp_path: Path):
    value = {
        "id": 7,
        "path": "mail/7.txt",
        "title": " Re:  Atlas ",
        "text": "Hello.",
        "acl": ["ann"],
        "created": "2026-01-05",
        "modified": None,
        "from": {"name": "Ann"},
        "n": 3,
    }
    assert records(tmp_path, value) == [
        SourceDocument(
            id="7",
            path="mail/7.txt",
            title="Re: Atlas",
            text="Hello.",
            acl=("ann",),
            created="2026-01-05",
            metadata={"from": {"name": "Ann"}, "n": 3},
        )
    ]


def test_a_record_goes_by_its_id_or_path_or_title_or_text(tmp_path: Path):
    found = records(
        tmp_path,
        {"id": "i", "text": "x"},
        {"path": "p/q.md", "text": "x"},
        {"title": "t", "text": "x"},
        {"title": "t", "text": "y"},
        {"text": "x"},
    )
    ids = [each.id for each in documents(found)]
    assert ids[:3] == ["i", "p/q.md", "t"]
    assert ids[3].startswith("t (")
    assert len(ids[4]) == 16
    assert [each.title for each in documents(found)] == ["i", "q.md", "t", "t", ids[4]]


def test_arrays_and_objects_of_titles_are_read_too(tmp_path: Path):
    for content in (
        [{"title": "t", "text": "ab"}],
        {"t": ["a", "b"]},
        {"documents": [{"title": "t", "content": "ab"}]},
    ):
        (found,) = documents(records(tmp_path, content, name="d.json"))
        assert (found.id, found.text) == ("t", "ab")


@pytest.mark.parametrize(
    ("value", "reason"),
    [
        ({"id": "x"}, "the document has no text"),
        ({"id": "x", "text": None}, "the document has no text"),
        ({"id": "x", "text": 5}, "text is a number, not text"),
        ({"id": {}, "text": "t"}, "id is an object, not text"),
        ({"id": "x", "text": "t", "acl": {"ann": 1}}, "acl is neither a list"),
        ({"id": "x", "text": "t", "acl": False}, "acl is neither a list"),
        ({"id": "x", "text": "t", "path": "../../etc/x"}, "the path '../../etc/x' climbs by '..'"),
        ({"id": "x", "text": "t", "path": "a\\..\\..\\x"}, "the path 'a/../../x' climbs by '..'"),
        ({"id": "a", "text": "again"}, "the id 'a' was read from {file}:1"),
        ([1], "is a list, not a document"),
        ('{"id": "x", "te', "not JSON"),
        ('{"id": "x", "text": NaN}', "NaN is not JSON"),
    ],
)
def test_a_broken_record_is_named_by_its_line_and_the_rest_loads(tmp_path: Path, value: Any, reason: str):
    found = records(tmp_path, {"id": "a", "text": "t"}, value, {"id": "b", "text": "t"})
    assert [each.id for each in documents(found)] == ["a", "b"]
    (line,) = said(found, tmp_path)
    assert line.startswith("d.jsonl:2: " + reason.format(file=tmp_path / "d.jsonl"))


def test_an_empty_record_is_loaded_with_a_warning(tmp_path: Path):
    found = records(tmp_path, {"id": "a", "text": ""})
    assert len(documents(found)) == 1
    assert said(found, tmp_path) == ["d.jsonl:1: 'a' has no text"]


def test_two_files_with_one_id_are_one_document_and_one_refusal(tmp_path: Path):
    root = write(tmp_path / "docs", {"a.md": "---\nid: X\n---\none", "b.md": "---\nid: X\n---\ntwo"})
    found = list(read_documents(root))
    assert [each.path for each in documents(found)] == ["a.md"]
    assert said(found, root) == [f"b.md: the id 'X' was read from {root}/a.md"]


@pytest.mark.parametrize(
    ("path", "count"),
    [
        ("2wikimultihopqa-101/2wikimultihopqa_corpus.json.gz", 6119),
        ("hotpotqa-100/hotpotqa_train_corpus.json.gz", 994),
        ("tau2-banking-knowledge/documents.jsonl.gz", 698),
    ],
)
def test_real_corpora_are_read_whole(data: Path, path: str, count: int):
    found = list(read_documents(data / "docs" / path))
    assert len(documents(found)) == len(found) == count
    assert len({each.id for each in documents(found)}) == count


@settings(deadline=None)
@given(st.text())
@example("---\n? [a]\n: 1\n---\n")
@example("---\n- &a [*a]\n---\n")
@example("---\n" + "[" * 5000 + "\n---\n")
@example("---\nx: 2026-01-01T00:00:00+99:99\n---\n")
@example("---\n{}: 1\n---\n")
def test_front_matter_is_read_or_refused(text: str):
    for source in (text, f"---\n{text}\n---\nbody"):
        try:
            fields, body = front_matter(source)
        except FrontMatterError:
            continue
        json.dumps(fields, allow_nan=False)
        assert source.endswith(body)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200), st.sampled_from(["a.md", "a.txt", "a.html", "a.jsonl"]))
@example(b"<div>" * 300, "a.html")
@example(b"<![foo", "a.html")
@example(b"<!DOCTYPE html [ <!ENTITY", "a.html")
def test_random_bytes_are_a_document_or_a_refusal(tmp_path: Path, content: bytes, name: str):
    write(tmp_path, {name: content})
    for each in read_documents(tmp_path / name):
        assert isinstance(each, (SourceDocument, Rejected, Ignored))


NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=8).filter(str.strip)


@settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    NAMES,
    st.text(),
    st.lists(NAMES.filter(lambda n: "," not in n), max_size=3),
    st.dictionaries(st.sampled_from("uvw"), st.integers()),
)
def test_a_record_comes_back_as_written(tmp_path: Path, name: str, text: str, acl: list[str], more: dict[str, int]):
    (found,) = documents(records(tmp_path, {"id": name, "text": text, "acl": acl, **more}))
    assert found.id == name.strip()
    assert found.text == text
    assert found.acl == tuple(dict.fromkeys(each.strip() for each in acl))
    assert found.metadata == more


@pytest.mark.parametrize(
    ("content", "command"),
    [
        ([{"name": "get_document", "description": "Reads."}], "tools"),
        ({"tools": [{"name": "get_document", "inputSchema": {}}]}, "tools"),
        ({"task_id": "T", "stages": [{"stage_id": 1, "tool_calls_detail": []}]}, "logs"),
        ({"task_logs": [{"task_id": "T", "stages": []}]}, "logs"),
    ],
)
def test_a_catalog_or_log_named_as_documents_is_an_error_that_names_the_command(
    tmp_path: Path, content: Any, command: str
):
    (tmp_path / "x.json").write_text(json.dumps(content), "utf-8")
    with pytest.raises(LoadError, match=f"no documents: graphstore load {command}"):
        list(read_documents(tmp_path / "x.json"))


def test_nothing_to_load_is_said(tmp_path: Path):
    (tmp_path / "none").mkdir()
    (tmp_path / "empty.jsonl").write_text("", "utf-8")
    found = [str(each) for each in read_documents(tmp_path / "none", tmp_path / "empty.jsonl")]
    assert found == [f"{tmp_path / 'none'}: holds no file", f"{tmp_path / 'empty.jsonl'}: holds no documents"]


def test_an_id_that_no_index_holds_costs_its_document_only(tmp_path: Path):
    records = [{"id": "i" * 9000, "text": "x"}, {"path": "p" * 9000, "text": "x"}, {"id": "good", "text": "x"}]
    (tmp_path / "x.jsonl").write_text("\n".join(map(json.dumps, records)), "utf-8")
    found = list(read_documents(tmp_path / "x.jsonl"))
    assert [each.id for each in documents(found)] == ["good"]
    assert ["4000 are the most" in str(each) for each in found if isinstance(each, Rejected)] == [True, True]

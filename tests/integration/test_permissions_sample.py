"""The sample as somebody sees it who may read the open documents only: words of the others stand nowhere."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from graphstore.client import GraphStore
from graphstore.errors import NotFound

ROOT = Path(__file__).parents[2]
STRANGER = ["stranger"]
WORD = re.compile(r"\w{4,}")


def words(text: str) -> set[str]:
    return {word.casefold() for word in WORD.findall(text)}


@pytest.fixture(scope="module")
def documents(sample: GraphStore) -> list[dict[str, Any]]:
    found = sample.query(
        "MATCH (d:Document) RETURN d.id AS id, d.path AS path, d.title AS title, d.text AS text, d.acl AS acl"
    )
    return [dict(row) for row in found]


@pytest.fixture(scope="module")
def hidden_words(documents: list[dict[str, Any]]) -> set[str]:
    """Words of documents that the stranger may not read, that no open document and none of our own texts hold."""
    of: dict[bool, set[str]] = {True: set(), False: set()}
    for each in documents:
        of[bool(each["acl"])] |= words(f"{each['path']} {each['title']} {each['text']}")
    code = [
        *ROOT.glob("graphstore/pages/*.py"),
        *ROOT.glob("graphstore/pictures/*.py"),
        *ROOT.glob("graphstore/corpusmap/*.py"),
        *ROOT.glob("graphstore/navigation/*.py"),
    ]
    ours = set().union(*(words(file.read_text("utf-8")) for file in code))
    tools = words(Path(ROOT / "graphstore/sample/tools.json").read_text("utf-8"))
    found = of[True] - of[False] - ours - tools
    assert len(found) > 40, "the sample has restricted documents"
    return found


def said(ask: Callable[..., Any], *arguments: Any, **options: Any) -> str:
    try:
        answer = ask(*arguments, **options)
    except NotFound as error:
        return str(error)
    return json.dumps(answer.to_dict() if hasattr(answer, "to_dict") else answer, ensure_ascii=False, default=repr)


def answers(store: GraphStore, documents: list[dict[str, Any]], folder: Path) -> Iterator[tuple[str, str]]:
    """What was asked, and what a stranger was told."""
    every = store.entities()
    yield "entities", said(store.entities, reader=STRANGER)
    yield "duplicates", said(store.duplicates, k=200, reader=STRANGER)
    for each in every[::2]:
        yield each["name"], said(store.page, each["name"], reader=STRANGER)
        yield each["id"], said(store.page_text, each["id"], max_tokens=600, reader=STRANGER)
    for each in every[::9]:
        yield each["name"], said(store.picture, each["name"], reader=STRANGER)
    for each in documents:
        yield each["path"], said(store.document, each["path"], reader=STRANGER)
    for each in [*documents[::8], *(each for each in documents if each["acl"])]:
        yield each["title"], said(store.search, each["title"], k=20, reader=STRANGER)
    navigation = store.navigation(reader=STRANGER)
    for each in [*documents[::16], *(each for each in documents if each["acl"])]:
        yield each["path"], said(navigation.neighbours, each["path"])
        yield each["title"], said(navigation.grep, each["title"][:30])
    yield "pay", said(navigation.grep, "the", max_tokens=20_000)
    store.export_pages(folder, reader=STRANGER)
    for file in folder.rglob("*"):
        if file.is_file():
            yield "export", f"{file.relative_to(folder)}\n{file.read_text('utf-8')}"


def test_no_word_of_a_hidden_document_stands_in_any_answer(
    sample: GraphStore, documents: list[dict[str, Any]], hidden_words: set[str], tmp_path: Path
):
    told: list[tuple[str, set[str]]] = []
    for asked, text in answers(sample, documents, tmp_path / "out"):
        found = (words(text) & hidden_words) - words(asked)  # an error and a search repeat what was asked for
        if found:
            told.append((asked, found))
    assert told == []
    restricted = [each["path"] for each in documents if each["acl"]]
    assert all(words(said(sample.document, path)) & hidden_words for path in restricted[:3]), "it would have been seen"


def test_counts_and_documents_are_those_that_a_stranger_can_count(sample: GraphStore, documents: list[dict[str, Any]]):
    open_ones = {each["id"] for each in documents if not each["acl"]}
    assert len(open_ones) < len(documents)
    listed = sample.entities(reader=STRANGER)
    assert len(listed) < len(sample.entities()) or listed != sample.entities()
    for each in listed:
        page = sample.page(each["id"], reader=STRANGER)
        assert {document.id for document in page.documents} <= open_ones
        assert len(page.documents) == each["documents"] >= 2
        assert {fact.document for fact in page.facts} <= open_ones


def test_what_is_hidden_is_as_what_is_not_there(sample: GraphStore, documents: list[dict[str, Any]]):
    for each in (each for each in documents if each["acl"]):
        nothing = said(sample.document, "nowhere/at-all.md", reader=STRANGER)
        assert said(sample.document, each["path"], reader=STRANGER) == nothing.replace(
            "nowhere/at-all.md", each["path"]
        )
        assert each["id"] not in {hit.id for hit in sample.search(each["title"], k=50, reader=STRANGER).documents}
        assert sample.document(each["path"], reader=each["acl"][:1]).id == each["id"]

"""Navigation of the sample, by readers who may see different things."""

from __future__ import annotations

from dataclasses import fields

import pytest

from graphstore.client import GraphStore
from graphstore.errors import NotFound, SettingsError
from graphstore.navigation import Navigation
from graphstore.navigation.records import Answer
from graphstore.navigation.tools import FIND_TOOLS, TOOLS, tool_named
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.retrieval.questions import NO_WORDS

KICKOFF = "minutes/2026-01-13-kickoff.md"
SALARIES = "hr/salary-review-2026.md"


@pytest.fixture(scope="module")
def owner(sample: GraphStore) -> Navigation:
    return sample.navigation()


@pytest.fixture(scope="module")
def stranger(sample: GraphStore) -> Navigation:
    return sample.navigation(reader=["stranger"])


CALLS = [
    ("search", {"query": "When does Project Atlas launch?"}),
    ("read_page", {"name": "Norrfjord Radio AB"}),
    ("read_document", {"path": KICKOFF}),
    ("pages_of_document", {"path": KICKOFF}),
    ("neighbours", {"of": KICKOFF}),
    ("neighbours", {"of": "Norrfjord Radio AB"}),
    ("grep", {"pattern": "Norrfjord", "context": 1}),
    ("find_tools", {"request": "approve that document access request"}),
]


@pytest.mark.parametrize(("name", "arguments"), CALLS, ids=[f"{name}-{i}" for i, (name, _) in enumerate(CALLS)])
@pytest.mark.parametrize("budget", [None, 450])
def test_every_answer_says_its_size_and_keeps_to_its_budget(owner: Navigation, name, arguments, budget):
    tool = tool_named(name, (*TOOLS, FIND_TOOLS))
    answer = tool(owner, arguments | ({"max_tokens": budget} if budget else {}))
    assert isinstance(answer, tool.answers)
    assert answer.tokens == estimated_tokens(answer.markdown)
    most = budget or next(each.default for each in tool.parameters if each.name == "max_tokens")
    assert 0 < answer.tokens <= most
    assert set(answer.to_dict()) == {field.name for field in fields(answer)} - {"markdown"}


def test_a_search_for_an_unknown_type_lists_those_of_which_the_reader_has_pages(owner: Navigation):
    answer = owner.search("Norrfjord", type="spaceship")
    assert (answer.pages, answer.documents) == ((), ())
    assert "no page is of the type 'spaceship'; there are: " in answer.markdown
    assert {"person", "organisation"} <= set(answer.markdown.rpartition(": ")[2].strip().split(", "))
    assert "no page is of" not in owner.search("Norrfjord", type="PERSON").markdown


def test_a_search_in_an_unknown_folder_lists_those_in_which_the_reader_has_documents(owner: Navigation):
    answer = owner.search("Norrfjord", folder="./nowhere/")
    assert (answer.pages, answer.documents) == ((), ())
    note = answer.markdown.splitlines()[1]
    assert note.startswith("no document is in the folder 'nowhere'; there are: ")
    known = note.rpartition(": ")[2].split(", ")
    assert all(owner.search("Norrfjord", folder=folder).documents for folder in known)
    # the folder is there, and nothing in it is of that day
    assert "no document is in" not in owner.search("Norrfjord", folder=known[0], until="1900-01-01").markdown


@pytest.mark.parametrize("arguments", [{"query": "half \ud83d"}, {"query": "Norrfjord", "k": "\ud83d"}, {"\ud83d": 1}])
def test_what_no_message_can_carry_is_refused_in_one_that_can_be_sent(owner: Navigation, arguments):
    with pytest.raises(SettingsError) as caught:
        tool_named("search")(owner, arguments)
    assert str(caught.value).encode()


def test_a_search_gives_paths_and_names_that_can_be_read(owner: Navigation):
    found = owner.search("When does Project Atlas launch?", k=5)
    assert 0 < len(found.documents) <= 5
    for hit in found.documents:
        assert hit.path in found.markdown
        assert owner.read_document(hit.path).id == hit.id
    for page in found.pages:
        assert owner.read_page(page.id).name == page.name


def test_a_search_may_be_narrowed(owner: Navigation):
    found = owner.search("Norrfjord", folder="contracts", since="2026-01-01", max_tokens=5000)
    assert found.documents
    assert {each.path.split("/")[0] for each in found.documents} == {"contracts"}
    assert {each.type for each in owner.search("Norrfjord", type="person").pages} == {"person"}
    with pytest.raises(SettingsError, match="is no date"):
        owner.search("Norrfjord", since="soon")


def test_a_small_budget_keeps_the_best_of_each(owner: Navigation):
    whole, small = (owner.search("Norrfjord price", k=10, max_tokens=n) for n in (5000, 120))
    assert small.documents == whole.documents[: len(small.documents)]
    assert small.pages == whole.pages[: len(small.pages)]
    assert small.documents
    assert small.pages
    assert "left out" in (small.cut or "")
    assert whole.cut is None


def test_documents_are_read_by_section(owner: Navigation):
    whole = owner.read_document(KICKOFF)
    assert whole.whole
    parts = [owner.read_document(KICKOFF, section=str(section.number)).text for section in whole.sections]
    assert "".join(parts) == whole.text
    with pytest.raises(NotFound, match="no section"):
        owner.read_document(KICKOFF, section="no such heading")


def test_the_lines_that_grep_finds_are_where_it_says(owner: Navigation):
    found = owner.grep("norrfjord", max_tokens=20_000)
    assert found.finished
    assert found.cut is None
    assert found.matching == sum(len(each.lines) for each in found.documents) > 5
    for each in found.documents:
        for line in each.lines:
            assert line.text.strip("…") in owner.read_document(each.path, line=line.number).text.split("\n")[0]
    small = owner.grep("norrfjord", folder="contracts")
    assert {each.path.split("/")[0] for each in small.documents} == {"contracts"}


@pytest.mark.parametrize("folder", ["contracts", "./contracts/", "contract", "minutes", KICKOFF])
def test_search_and_grep_have_one_rule_of_what_a_folder_holds(owner: Navigation, folder):
    listed = {each.path for each in owner.search("Norrfjord", folder=folder, k=100, max_tokens=20_000).documents}
    matched = {each.path for each in owner.grep("norrfjord", folder=folder, max_tokens=20_000).documents}
    assert matched <= listed
    assert bool(listed) == (folder != "contract")


def test_an_expression_finds_what_python_finds(owner: Navigation):
    found = owner.grep(r"INC-10\d\d", expression=True, max_tokens=20_000)
    assert found.matching > 5
    assert owner.grep(r"INC-10\d\d").matching == 0
    assert owner.grep("ATLAS", case=True).matching < owner.grep("ATLAS").matching


def test_chinese_is_found(owner: Navigation):
    zh = next(each for each in owner.grep(r"[\u4e00-\u9fff]{4}", expression=True).documents if "zh/" in each.path)
    assert owner.grep(zh.lines[0].text[:4]).matching >= 1


def test_a_pattern_without_end_is_stopped_and_told(owner: Navigation):
    found = owner.grep(r"(?:.|..|...)+[§¶]", expression=True, seconds=0.4)
    assert not found.finished
    assert "out of time" in (found.cut or "")


def test_neighbours_of_an_entity_share_its_documents(owner: Navigation):
    near = owner.neighbours("Norrfjord Radio AB", max_tokens=5000)
    assert near.entities
    for each in near.entities:
        assert 0 < each.score <= 1
        page = owner.read_page(each.id, max_tokens=20_000)
        assert all(path in page.text for path in each.documents)
        assert each.shared >= len(each.documents) > 0
    assert [each.score for each in near.entities] == sorted((each.score for each in near.entities), reverse=True)


def test_neighbours_of_a_document_mention_the_same_rare_things(owner: Navigation):
    near = owner.neighbours(KICKOFF, max_tokens=5000)
    assert near.documents
    own = {page.name for page in owner.pages_of(KICKOFF, max_tokens=5000).pages}
    for each in near.documents:
        assert each.path != KICKOFF
        assert set(each.entities) <= own
        assert set(each.entities) <= {page.name for page in owner.pages_of(each.path, max_tokens=5000).pages}


def test_what_a_reader_may_not_see_is_not_there(owner: Navigation, stranger: Navigation, sample: GraphStore):
    board = sample.navigation(reader=["board"])
    assert "3.4 %" in board.read_document(SALARIES).text
    hidden = [row["path"] for row in sample.query("MATCH (d:Document) WHERE size(d.acl) > 0 RETURN d.path AS path")]
    assert SALARIES in hidden
    for call in (stranger.read_document, stranger.pages_of, stranger.neighbours):
        for path in hidden:
            with pytest.raises(NotFound) as refused:
                call(path)
            other = path.replace("/", "-")  # no such file; of the same words, by which pages are suggested
            with pytest.raises(NotFound) as absent:
                call(other)
            assert str(refused.value).replace(path, "?") == str(absent.value).replace(other, "?")
    assert board.grep("allowance of 400 EUR").matching == 1
    assert stranger.grep("allowance of 400 EUR").matching == 0
    assert stranger.grep(".", expression=True, max_tokens=300).searched == owner.grep(
        ".", expression=True
    ).searched - len(hidden)
    shown = [
        stranger.search("salary review rise of Li Wei", k=100, max_tokens=20_000),
        stranger.grep("e", max_tokens=50_000),
        *(
            stranger.neighbours(each.path, k=100, max_tokens=20_000)
            for each in owner.search("salary").documents
            if each.path not in hidden
        ),
        *(stranger.read_page(each.id, max_tokens=20_000) for each in stranger.search("salary review", k=50).pages),
        *(stranger.neighbours(each.id, k=100, max_tokens=20_000) for each in stranger.search("Atlas", k=20).pages),
    ]
    for answer in shown:
        assert isinstance(answer, Answer)
        assert [path for path in hidden if path in answer.markdown or path in str(answer.to_dict())] == []


@pytest.mark.parametrize(
    "path", ["/etc/passwd", "../../etc/passwd", "file:///etc/passwd", "pyproject.toml", "\x00", "a" * 10_000]
)
def test_paths_are_looked_up_in_the_store_only(owner: Navigation, path: str):
    with pytest.raises(NotFound) as error:
        owner.read_document(path)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({}, "query is missing"),
        ({"query": " "}, "query is blank"),
        ({"query": ["a"]}, "query is a text: got"),
        ({"query": "a", "k": "many"}, "k is a whole number"),
        ({"query": "a", "k": 0}, "k is 1 to 100: got 0"),
        ({"query": "a", "limit": 5}, "there is no argument 'limit'; there are query, k, type"),
        ({"query": "a", "max_tokens": 5}, "max_tokens is 100 to"),
    ],
)
def test_wrong_arguments_are_told_in_one_line(owner: Navigation, arguments, message):
    with pytest.raises(SettingsError, match=message) as error:
        tool_named("search")(owner, arguments)
    assert "\n" not in str(error.value)


def test_signs_alone_find_nothing_and_the_answer_says_so(owner: Navigation):
    found = owner.search("🙂 ???")
    assert (found.documents, found.pages) == ((), ())
    assert found.markdown.splitlines()[1] == NO_WORDS


def test_numbers_and_truth_may_come_as_text(owner: Navigation):
    assert tool_named("grep")(owner, {"pattern": "atlas", "case": "true", "context": "1", "folder": None}).finished


def test_an_unknown_tool_is_told_what_there_is():
    with pytest.raises(SettingsError, match="no tool 'cat'; there are search, read_page"):
        tool_named("cat")

"""What is read out of one document, before any other is known."""

from __future__ import annotations

import json
from collections import Counter
from datetime import date
from itertools import pairwise

import pytest
from growth import LINEAR, growth
from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap import patterns
from graphstore.corpusmap.dates import dates_in, statement_date
from graphstore.corpusmap.decisions import display_name
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.extraction import FORMAT, INITIAL, Extraction, from_json
from graphstore.corpusmap.homonyms import bearers
from graphstore.corpusmap.keys import name_key, numbers, title_key
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.records import SourceDocument


def names(text: str, title: str = "2026-01-01", **metadata) -> dict[str, tuple[str, tuple[str, ...]]]:
    document = SourceDocument(id="d", path="d.md", title=title, text=text, metadata=metadata)
    return {name.text: (name.type, name.qualifiers) for name in extract([document])[0].names}


def stated(text: str) -> set[tuple[str, str]]:
    document = SourceDocument(id="d", path="d.md", title="2026-01-01", text=text)
    return {(name_key(alias.a), name_key(alias.b)) for alias in extract([document])[0].aliases}


@given(st.text(max_size=300))
def test_sentences_cover_every_visible_character_once_in_order(text: str):
    spans = sentence_spans(text)
    assert all(a < b for a, b in spans)
    assert [b for _, b in spans[:-1]] == sorted(b for _, b in spans[:-1])
    assert all(left[1] <= right[0] for left, right in pairwise(spans))
    assert sum(not c.isspace() for a, b in spans for c in text[a:b]) == sum(not c.isspace() for c in text)


def test_abbreviations_and_initials_end_no_sentence():
    text = "Dr. A. Wu of Acme Inc. agreed. It ships on 3 May."
    assert [text[a:b] for a, b in sentence_spans(text)] == ["Dr. A. Wu of Acme Inc. agreed.", "It ships on 3 May."]


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("It slips to 2026-03-12.", "2026-03-12"),
        ("It slips to 12 March 2026.", "2026-03-12"),
        ("On March 12 it ships.", "2025-03-12"),
        ("On Sept. 3rd, 2024 it shipped.", "2024-09-03"),
        ("将于2026年3月12日上线。", "2026-03-12"),
        ("3月12日上线。", "2025-03-12"),
        ("会议定于二〇二六年十一月二十五日。", "2026-11-25"),
        ("令和8年3月5日に開始。", "2026-03-05"),
        ("平成元年1月8日から。", "1989-01-08"),
        ("2026年3月29日（日）の深夜", "2026-03-29"),
        ("2026년 3월 5일에 시작한다.", "2026-03-05"),
        ("4월 6일 회의", "2025-04-06"),
        ("２０２６／３／５ 开始", "2026-03-05"),
        ("It ships on 2026.3.5.", "2026-03-05"),
        ("Version 2026.3.5.1 ships next Monday.", "2025-01-02"),
        ("明天上线，下周复盘；来週の金曜日；다음 주 월요일", "2025-01-02"),
        ("It ships on 31 February 2026.", "2025-01-02"),
        ("It ships soon.", "2025-01-02"),
        ("It may 5 times fail, they march 10 km.", "2025-01-02"),
        ("Due: 0000-01-03.", "2025-01-02"),
    ],
)
def test_a_statement_speaks_of_the_date_it_names_else_of_its_documents(sentence: str, day: str):
    assert statement_date(sentence, "2025-01-02T10:00:00") == day


@given(st.text(st.one_of(st.characters(), st.sampled_from("0123456789０３年月日년월일号令和元十二/.- ")), max_size=40))
def test_dates_of_any_text_are_days_at_their_place(text: str):
    for start, end, day in dates_in(text, "2025-01-02"):
        assert 0 <= start < end <= len(text)
        assert date.fromisoformat(day).isoformat() == day
    assert all(left[1] <= right[0] for left, right in pairwise(dates_in(text, "2025-01-02")))


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("Project Atlas (code name Bluebird) slips.", ("project atlas", "bluebird")),
        ('Outside we call it so: Project Atlas, code-named "Bluebird", slips.', ("project atlas", "bluebird")),
        ("Bluebird is the code name of Project Atlas.", ("project atlas", "bluebird")),
        ("The code name for Project Atlas is Bluebird.", ("project atlas", "bluebird")),
        ("Norrfjord Radio (formerly Fjordwave) delivers.", ("norrfjord radio", "fjordwave")),
        ("The Data Governance Initiative (DGI) starts.", ("data governance initiative", "dgi")),
        ("项目Atlas（代号Bluebird）进展顺利。", ("project atlas", "bluebird")),
        ("Huaxin Port Logistics (华新港务物流) 签署。", ("huaxin port logistics", "华新港务物流")),
    ],
)
def test_an_alias_is_taken_from_an_explicit_statement(text: str, pair: tuple[str, str]):
    assert pair in stated(text)


@pytest.mark.parametrize(
    "text",
    ["Bluebird met Project Atlas.", "Yuki Tanaka (Quality) works.", "He was formerly at Acme.", "Atlas, Bluebird"],
)
def test_two_names_side_by_side_are_no_alias(text: str):
    assert stated(text) == set()


@pytest.mark.parametrize("code", ["INC-1042", "SR-2023-052", "CVE-2024-3094", "DOC-17", "C-2026-014"])
def test_codes_are_whole(code: str):
    assert [m.group() for m in patterns.CODE_PATTERN.finditer(f"工单{code}已关闭, see {code}. x{code}")] == [code] * 2


def test_a_person_beside_an_address_or_a_department_is_told_by_it():
    found = names("Ask Li Wei (Finance) <li.wei@helio.example>. | Priya Raman | Legal | priya@helio.example |\n")
    assert found["Li Wei"] == ("person", ("mail:li.wei@helio.example", "dept:finance"))
    assert found["li.wei@helio.example"][0] == "email"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "请联系孙悦（市场部），抄送欧阳娜娜 <oy@helio.example>。",
            {"孙悦": "dept:市场部", "欧阳娜娜": "mail:oy@helio.example"},
        ),
        ("王志远（市场部）和李伟（财务部）出席。", {"王志远": "dept:市场部", "李伟": "dept:财务部"}),
        ("一般员工（生产部），联系方式 <x@helio.example>", {}),
        (
            "田中太郎（営業部）が来た。佐々木健（開発部）も来た。",
            {"田中太郎": "dept:営業部", "佐々木健": "dept:開発部"},
        ),
        ("中村課長（営業部）より。関係者（営業部）へ。", {"中村": None}),
        ("鈴木一郎 <suzuki@helio.example>", {"鈴木一郎": "mail:suzuki@helio.example"}),
    ],
)
def test_a_chinese_or_japanese_name_beside_them_begins_where_it_begins(text: str, found: dict[str, str | None]):
    people = {name: told for name, (kind, told) in names(text).items() if kind == "person"}
    assert people == {name: (told,) if told else () for name, told in found.items()}


def test_front_matter_names_people_projects_and_customers():
    found = names("Nothing here.", author="Li Wei <li.wei@helio.example>", project="Project Atlas", customer="Acme AG")
    assert {found[name][0] for name in ("Li Wei", "Project Atlas", "Acme AG")} == {"person", "project", "organisation"}
    assert found["Li Wei"][1] == ("mail:li.wei@helio.example",)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Rev A is the cheapest. Rev B costs more.", {"Rev A", "Rev B"}),
        ("Rev. C was late.", {"Rev. C"}),
        ("Please use Rev D now. We saw the Otter Pump Rev E.", {"Rev D", "Otter Pump Rev E"}),
        ("Use Rev F now.", {"Rev F"}),
        ("Revision G was lost, as we told Contoso.", {"Revision G"}),
    ],
)
def test_a_revision_is_a_product_wherever_it_stands(text: str, found: set[str]):
    assert {name for name, (kind, _) in names(text).items() if kind == "product"} == found


@pytest.mark.parametrize("text", ["Rev. A. Smith preached.", "We heard Rev A Smith.", "Rev. Al Green sang."])
def test_a_reverend_is_no_revision(text: str):
    assert not any(kind == "product" or name in ("Rev A", "Rev. A") for name, (kind, _) in names(text).items())


def test_what_a_plus_or_a_hash_ends_is_a_product_and_no_place():
    found = names("We met at C++ and Lisbon. C# is slow, F# is new and Notepad++ is open. He bought C++ from Bjarne.")
    assert {name: found[name][0] for name in ("C++", "C#", "F#", "Notepad++")} == dict.fromkeys(
        ("C++", "C#", "F#", "Notepad++"), "product"
    )


@pytest.mark.parametrize("text", ["A sonata in C# minor.", "PO# 4711 was paid.", "See C++_x and C##."])
def test_other_signs_behind_a_letter_make_no_product(text: str):
    assert "product" not in {kind for kind, _ in names(text).values()}


def test_keys_keep_what_tells_names_apart():
    assert len({name_key(name) for name in ("C++", "C#", "C", "Rev A", "Rev B", "李伟", "王芳")}) == 7
    assert name_key("Project-Atlas") == name_key("project  atlas") == name_key("the Atlas project")
    assert numbers("ledger v1.2") != numbers("ledger v1.12")
    assert numbers("george v") != numbers("george tupou vi")


@given(st.text(min_size=1, max_size=60))
def test_no_visible_name_has_an_empty_key(name: str):
    assert bool(name_key(name)) == bool(name.strip()) or not name.isprintable()


@pytest.mark.parametrize("stem", ["c", "empty", "README", "readme", "Untitled"])
def test_what_a_file_happens_to_be_called_names_nothing(stem: str):
    assert title_key(stem) is None


@pytest.mark.parametrize("title", ["Mercury", "project-atlas", "eBay", "李伟", "b12 notes"])
def test_a_title_that_is_written_as_a_name_names_something(title: str):
    assert title_key(title) is not None


def test_titles_that_name_nothing_are_no_topics():
    assert [title_key(t) for t in ("2026-05-20", "Re: budget", "Minutes", "Agenda", "")] == [None] * 5
    assert title_key("Henry Moore (cricketer)") == ("henry moore", "cricketer")


def test_bearers_of_a_name_do_not_depend_on_order_and_join_only_without_contradiction():
    told = [frozenset({"mail:a"}), frozenset({"mail:b", "dept:x"}), frozenset({"dept:x"}), frozenset({"dept:y"})]
    found = [bearer.qualifiers for bearer in bearers(told)]
    assert found == [bearer.qualifiers for bearer in bearers(reversed(told))]
    assert sorted(map(sorted, found)) == [["dept:x", "mail:b"], ["dept:y", "mail:a"]]


def test_a_long_document_takes_time_in_proportion():
    def found(sentences: int) -> set[str]:
        text = "\n\n".join(f"Person{i} Surname{i} met Other{i} Name{i} about INC-{1000 + i}." for i in range(sentences))
        return set(names(text))

    assert len(found(500)) > 500
    assert growth(found, 500) < LINEAR


@pytest.mark.parametrize(
    ("begin", "part", "end"),
    [("", "a", ""), ("", "Atlas", ""), ("", "A", "-1234"), ("INC-", "1", ""), ("", "iVBORw0KGgo+/Aa9", "==")],
    ids=["letters", "name", "code", "digits", "base64"],
)
def test_an_unbroken_run_costs_what_it_is_long_and_hides_no_name_beside_it(begin: str, part: str, end: str):
    def found(length: int) -> set[str]:
        run = begin + part * (length // len(part)) + end
        text = f"Owner: Tom Becker. ![](data:image/png;base64,{run}) Project {run} is INC-1042 of Anna Schmidt."
        return set(names(text))

    assert found(50_000) >= {"Tom Becker", "INC-1042", "Anna Schmidt"}
    assert growth(found, 12_500) < LINEAR


def test_what_is_too_long_for_a_name_is_none():
    document = SourceDocument(
        "d", "d.md", "Tide " * 3000, "See " + "Big " * 3000 + "Corp.", metadata={"tags": "q" * 9000}
    )
    (found,) = extract([document])
    assert max((len(each.text) for each in [*found.names, *found.windows]), default=0) <= 200


@pytest.mark.parametrize(
    ("text", "name", "not_name"),
    [
        ("She was a daughter of Ismail I, the founder.", "Ismail I", None),
        ("When Tom and I went, Anna stayed.", "Tom", "Tom and I"),
        ("He met David Ogilvy, 12th Earl of Airlie, in Rome.", "David Ogilvy, 12th Earl of Airlie", None),
        ('It was screened with "Claire\'s Knee" in Rome.', "Claire's Knee", None),
        ("A film directed by Kim Ki-young in Seoul.", "Kim Ki-young", None),
        ("The New York-based Heliograph AG grew.", "Heliograph AG", "New York-based Heliograph AG"),
        ("It was sung by Donna Summer in Rome.", "Donna Summer", None),
        ("They closed the Heliograph March sheet.", "Heliograph", "Heliograph March"),
        ("A film directed by I. V. Sasi in Kerala.", "I. V. Sasi", None),
        ('A sequel, "Taxi nach Kairo", was not completed.', "Taxi nach Kairo", None),
        ('In Rome he said "the end of it" and left.', "Rome", "the end of it"),
    ],
)
def test_a_name_could_stand_wherever_capitals_and_quotation_marks_say_so(
    text: str, name: str, not_name: str | None
) -> None:
    (found,) = extract([SourceDocument(id="a", path="a", title="", text=text)])
    windows = {window.text: text[window.start : window.end] for window in found.windows}
    assert all(windows[each] == each for each in windows)
    assert name in windows
    assert not_name not in windows


def test_a_space_beside_an_ampersand_is_no_other_name() -> None:
    assert name_key("Track& Field News") == name_key("Track & Field News")
    assert name_key("AT&T") == "at&t"


@pytest.mark.parametrize("text", ["DGIA met.", "DGIA approved it.", "DGIA wrote to Li Wei.", "Late again. DGIA met."])
def test_a_word_all_in_capitals_is_a_name_at_the_start_of_a_sentence_too(text: str) -> None:
    assert "DGIA" in names(text)


@pytest.mark.parametrize("text", ["Project-Atlas is late.", "Project-Atlas", "We saw Project-Atlas."])
def test_a_hyphen_makes_no_plain_word_of_a_projects_name(text: str) -> None:
    assert names(text)["Project-Atlas"][0] == "project"


@pytest.mark.parametrize("word", ["Follow-up", "Follow", "X-ray"])
def test_a_first_capital_at_the_start_of_a_sentence_says_nothing(word: str) -> None:
    (found,) = extract([SourceDocument(id="a", path="a", title="", text=f"{word} is due.")])
    assert all(window.flags & INITIAL for window in found.windows)
    assert not [name for name in found.names if name.text == word]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("We saw Gearbox Rev A in May.", "Gearbox Rev A"),
        ("DGIA approved Rev A. Rev B of the Gearbox waits for v1.2.", "Rev A"),
    ],
)
def test_the_letter_of_a_revision_makes_nobody_and_ends_its_sentence(text: str, name: str) -> None:
    found = names(text)
    assert found[name][0] == "product"
    assert "person" not in {kind for each, (kind, _) in found.items() if "Rev" in each}
    assert not [each for each in found if each.startswith("Rev A.")]


@pytest.mark.parametrize("name", ["Harold D. Schuster", "Mark J. Reichel", "Warner Bros. Records"])
def test_an_initial_or_an_abbreviation_is_no_revision(name: str) -> None:
    assert name in names(f"It was {name} who paid for the film.")


def test_an_acronym_stands_for_what_begins_with_a_capital() -> None:
    text = "He led the board of the National Hockey League (NHL) in May."
    assert stated(text) == {("national hockey league", "nhl")}


def test_of_equally_common_forms_one_that_is_not_all_in_capitals_is_shown() -> None:
    forms = Counter({"PROJECT ATLAS": 1, "Project Atlas": 1, "project-atlas": 1})
    assert display_name(forms, forms, "project atlas") == "Project Atlas"
    assert display_name(forms + Counter({"PROJECT ATLAS": 1}), forms, "project atlas") == "PROJECT ATLAS"


def test_what_older_rules_read_is_read_again_but_not_what_a_model_was_paid_for() -> None:
    old = {**json.loads(Extraction().to_json()), "v": FORMAT - 1}
    assert from_json(json.dumps(old)) is None
    assert from_json(json.dumps({**old, "by": "llm:some-model"})) is not None
    assert from_json(json.dumps({**old, "v": FORMAT})) == Extraction()

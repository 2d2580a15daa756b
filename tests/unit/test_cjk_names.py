"""Names of Chinese, Japanese and Korean papers: on papers with the names marked, and on what could go wrong."""

from __future__ import annotations

import json
from collections import defaultdict
from itertools import pairwise
from pathlib import Path

import pytest
from growth import LINEAR, growth
from hypothesis import given
from hypothesis import strategies as st

from graphstore.corpusmap.cjk.names import cjk_names
from graphstore.corpusmap.cjk.script import cjk_share, language
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.extraction import from_json
from graphstore.corpusmap.keys import is_word, name_key, without_legal_form
from graphstore.corpusmap.locals import local_entities
from graphstore.records import SourceDocument

CORPUS = Path(__file__).parents[1] / "data" / "cjk"
LETTERS = st.characters(min_codepoint=0x3000, max_codepoint=0xD7A3)
WORDS = [
    *(
        "王芳",
        "李建国",
        "田中",
        "田中太郎",
        "김민수",
        "김 과장",
        "经理",
        "さん",
        "님",
        "株式会社",
        "㈜",
        "有限公司",
        "项目",
    ),
    *(
        "プロジェクト",
        "프로젝트",
        "。",
        "、",
        "：",
        "《",
        "》",
        "「",
        "」",
        "财务部",
        "営業部",
        "개발팀",
        "2026年3月5日",
    ),
    *("INC-1042", "ａｂｃ"),
]
PAPERS = st.lists(
    st.one_of(st.sampled_from(WORDS), st.text(LETTERS, max_size=6), st.text(max_size=6)), max_size=30
).map("".join)


def documents(half: str) -> list[SourceDocument]:
    rows = [json.loads(line) for line in (CORPUS / "documents.jsonl").read_text("utf-8").splitlines()]
    return [SourceDocument(**row) for row in rows if row["path"].startswith(half)]


def gold() -> dict[str, dict[tuple[int, int], str]]:
    marked: dict[str, dict[tuple[int, int], str]] = defaultdict(dict)
    for line in (CORPUS / "gold.jsonl").read_text("utf-8").splitlines():
        row = json.loads(line)
        marked[row["document"]][row["start"], row["end"]] = row["type"]
    return marked


def scores(half: str, tongue: str) -> tuple[float, float]:
    """Precision and recall of names by place, both ends and type."""
    papers = [paper for paper in documents(half) if paper.id.startswith(tongue)]
    marked, right, found, wanted = gold(), 0, 0, 0
    for paper, extraction in zip(papers, extract(papers), strict=True):
        names = {(n.start, n.end): n.type for n in extraction.names if 0 <= n.start < n.end}
        right += len(names.items() & marked[paper.id].items())
        found += len(names)
        wanted += len(marked[paper.id])
    return right / found, right / wanted


@pytest.mark.parametrize("half", ["development", "held-out"])
@pytest.mark.parametrize("tongue", ["zh", "ja", "ko"])
def test_names_of_papers_are_found_with_their_types(half: str, tongue: str):
    precision, recall = scores(half, tongue)
    assert precision >= 0.97
    assert recall >= 0.85


def forms(text: str) -> dict[str, set[str]]:
    """The written forms of each local entity, by its key."""
    extraction = extract([SourceDocument(id="d", path="d.md", title="2026-01-01", text=text)])[0]
    assert from_json(extraction.to_json()) == extraction
    found = local_entities(extraction, None, "2026-01-01", lambda key, flags: False)
    return {local.key: set(local.names) for local in found}


@pytest.mark.parametrize(
    ("text", "key", "names"),
    [
        ("参会人：王芳、李强\n王芳经理汇报。芳姐补充。王经理同意。", "王芳", {"王芳", "芳姐", "王经理"}),
        ("記録：田中太郎\n田中さんが説明した。田中は反対した。", "田中太郎", {"田中太郎", "田中"}),
        ("참석자: 김민수, 박지성\n김 과장이 말했다. 김민수는 동의했다.", "김민수", {"김민수", "김 과장"}),
        (
            "客户：深圳市远航物流有限公司\n远航物流要求报价。",
            "深圳市远航物流有限公司",
            {"深圳市远航物流有限公司", "远航物流"},
        ),
        (
            "㈜한빛소프트웨어와 한빛소프트웨어 주식회사",
            "한빛소프트웨어",
            {"㈜한빛소프트웨어", "한빛소프트웨어 주식회사"},
        ),
    ],
)
def test_a_document_groups_the_ways_it_names_one_thing(text: str, key: str, names: set[str]):
    assert forms(text)[key] == names


def test_a_surname_that_two_people_of_the_document_bear_is_neither():
    found = forms("参会人：王芳、王强\n王经理汇报。")
    assert found["王芳"] == {"王芳"}
    assert found["王强"] == {"王强"}
    assert found["王经理"] == {"王经理"}


@pytest.mark.parametrize("key", ["田中", "王经理", "老吴", "김 과장"])
def test_a_surname_alone_is_too_little_to_name_a_person_elsewhere(key: str):
    assert is_word(name_key(key))
    assert not any(is_word(full) for full in ("田中太郎", "王芳", "김민수"))


def test_legal_forms_of_companies_are_told_from_their_names():
    assert len({name_key(name) for name in ("株式会社青空", "青空株式会社", "㈱青空", "(株)青空")}) == 1
    assert without_legal_form(name_key("蓝海软件有限公司")) == "蓝海软件"
    assert set(forms("작성자: 김민수\n(주)에이비씨가 왔다. ㈜대한씨앤씨는 크다.")) == {
        "김민수",
        "에이비씨",
        "대한씨앤씨",
    }
    assert name_key("株式会社") == "株式会社"


@pytest.mark.parametrize(
    "text",
    [
        "项目上线周内原则上不休假，需要项目负责人同意。Norrfjord Radio 的合同已经签署。",
        "高级工程师对方案的成本和任务作了严格的时间安排，谢谢。对方确认，马上处理，金额有余。",
        "森林環境と林業の関係者は、高原の南部で上部の一部を検討した。皆さん、お客さん、業者さん。",
        "이번 주요 조치와 최근 결과를 전체 임직원이 확인했다. 해당 팀장과 담당 과장, 고객님, 선생님.",
        "대표이사가 말했다. 담당이사와 감사위원이 왔다. 참석자는 이번주 확인하고 담당자는 오후에 확인한다.",
        "고객 담당 이사회의 결정.",
    ],
)
def test_common_words_that_begin_like_a_name_are_none(text: str):
    assert [text[each.start : each.end] for each in cjk_names(text)] == []


@given(PAPERS)
def test_any_text_gives_names_that_stand_in_it_and_do_not_overlap(text: str):
    found = cjk_names(text)
    assert all(0 <= each.start < each.end <= len(text) for each in found)
    assert all(a.end <= b.start for a, b in pairwise(found))
    assert found == cjk_names(text)


@given(PAPERS)
def test_every_extracted_name_is_written_where_it_is_said_to_be(text: str):
    extraction = extract([SourceDocument(id="d", path="d.md", title="t", text=text)])[0]
    assert from_json(extraction.to_json()) == extraction
    whole = f"t\n{text}"
    for name in extraction.names:
        assert " ".join(whole[name.start + 2 : name.end + 2].split()) == name.text


@given(st.text(max_size=200))
def test_the_script_of_any_text_is_told(text: str):
    assert language(text) in ("", "zh", "ja", "ko")
    assert 0.0 <= cjk_share(text) <= 1.0


@pytest.mark.parametrize(
    "run",
    ["王", "株式会社", "项目", "김", "あ", "有限公司", "田中", "《", "프로젝트 ", "王芳、", "・ア", "《王》", "ａ"],
)
def test_a_long_run_costs_time_in_proportion(run: str):
    cjk_names("王芳です김")
    assert growth(lambda size: cjk_names(run * (size // len(run)) + "会议は이다"), 10_000) < LINEAR

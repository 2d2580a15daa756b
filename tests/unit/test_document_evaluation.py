"""The evaluation of document retrieval: data sets by their form, figures, navigators, and methods on a small corpus."""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.cli.eval import evaluation
from graphstore.errors import LoadError
from graphstore.evaluation.comparisons import comparisons
from graphstore.evaluation.document_methods import METHODS
from graphstore.evaluation.document_report import DEPTH, KS, NAMES, figures
from graphstore.evaluation.document_sets import Question, read_document_set
from graphstore.evaluation.document_stores import identity
from graphstore.evaluation.navigators import Listed, Reader, Trace, holds, part
from graphstore.evaluation.tool_answers import METHODS as TOOL_METHODS
from graphstore.records import SourceDocument


def write(path, value, *, lines=False):
    text = "\n".join(map(json.dumps, value)) if lines else json.dumps(value)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(gzip.compress(text.encode()) if path.suffix == ".gz" else text.encode())


class TestSets:
    def test_titles_and_sentences_with_supporting_facts(self, tmp_path):
        write(tmp_path / "x_corpus.json.gz", {"A": ["One. ", "Two."], "B": ["Three."]})
        write(
            tmp_path / "x.json.gz",
            [{"_id": "q", "question": "?", "type": "bridge", "supporting_facts": [["B", 0], ["B", 1]]}],
        )
        data = read_document_set(str(tmp_path))
        assert [(d.title, d.text) for d in data.documents] == [("A", "One. Two."), ("B", "Three.")]
        assert [(q.gold, q.parts) for q in data.questions] == [((data.documents[1].id,), ("bridge",))]

    def test_the_evidence_in_a_document_is_told_where_the_set_says_it(self, tmp_path):
        write(tmp_path / "a" / "x_corpus.json", {"A": ["One. ", "Two."], "B": ["Three."]})
        facts = {"supporting_facts": [["A", 1], ["B", 7]], "context": [["A", ["One. ", "Two."]], ["B", ["Three."]]]}
        write(tmp_path / "a" / "x.json", [{"_id": "q", "question": "?", **facts}])
        assert read_document_set(str(tmp_path / "a")).questions[0].evidence == {"000000": ("Two.",)}
        paragraphs = [{"idx": 4, "title": "A", "paragraph_text": "one", "is_supporting": True}]
        steps = [{"answer": "one", "paragraph_support_idx": 4}, {"answer": "two", "paragraph_support_idx": None}]
        write(tmp_path / "b" / "x_corpus.json", [{"title": "A", "text": "one"}])
        record = {"id": "2hop", "question": "?", "paragraphs": paragraphs, "question_decomposition": steps}
        write(tmp_path / "b" / "x.json", [record])
        assert read_document_set(str(tmp_path / "b")).questions[0].evidence == {"000000": ("one",)}

    def test_paragraphs_are_told_apart_by_title_and_text(self, tmp_path):
        write(tmp_path / "x_corpus.json", [{"title": "A", "text": "one"}, {"title": "A", "text": "two"}])
        paragraphs = [
            {"title": "A", "paragraph_text": "two", "is_supporting": True},
            {"title": "A", "paragraph_text": "one", "is_supporting": False},
        ]
        write(tmp_path / "x.json", [{"id": "3hop1__1", "question": "?", "paragraphs": paragraphs}])
        (question,) = read_document_set(str(tmp_path)).questions
        assert question.gold == ("000001",)
        assert question.parts == ("3hop",)

    def test_published_runs_give_questions_where_no_other_file_does(self, tmp_path):
        write(tmp_path / "x_corpus.json", [{"title": "A", "text": "one"}, {"title": "B", "text": "two"}])
        run = [{"question": "?", "ground_truth": ["B"], "evidence": ["A", "gone", "B"]}]
        write(tmp_path / "results" / "other" / "run.json", run)
        (question,) = read_document_set(str(tmp_path)).questions
        assert question.gold == ("000001",)
        assert question.published == {"other": ("000000", "000001")}

    def test_tasks_ask_by_their_instructions(self, tmp_path):
        write(tmp_path / "documents.jsonl.gz", [{"id": "d1", "title": "T", "content": "text"}], lines=True)
        task = {"id": "t", "user_scenario": {"instructions": "Do it"}, "required_documents": ["d1", "d1"]}
        write(tmp_path / "tasks.jsonl.gz", [task, {"id": "u", "question": "no gold"}], lines=True)
        data = read_document_set(str(tmp_path))
        assert [(q.id, q.text, q.gold) for q in data.questions] == [("t", "Do it", ("d1",))]

    def test_gold_that_the_corpus_lacks_is_named(self, tmp_path):
        write(tmp_path / "documents.jsonl", [{"id": "d1", "title": "T", "content": "text"}], lines=True)
        write(tmp_path / "tasks.jsonl", [{"id": "t", "question": "?", "gold": ["d2"]}], lines=True)
        with pytest.raises(LoadError, match="'d2'"):
            read_document_set(str(tmp_path))

    def test_an_empty_folder_has_no_form(self, tmp_path):
        with pytest.raises(LoadError, match="none of the known forms"):
            read_document_set(str(tmp_path))

    def test_a_union_asks_every_question_of_all_documents(self, data, monkeypatch):
        monkeypatch.setenv("GRAPHSTORE_DATA", str(data))
        both = read_document_set("hotpotqa-100+musique-100")
        assert len(both.documents) == 994 + 1890
        assert len(both.questions) == 200
        assert len({d.id for d in both.documents}) == len({d.path for d in both.documents}) == len(both.documents)
        assert {q.parts[0] for q in both.questions} == {"hotpotqa-100", "musique-100"}


class TestFigures:
    TOKENS = {f"d{i}": 100 for i in range(DEPTH)}  # noqa: RUF012

    def test_recall_within_tokens_counts_whole_documents_only(self):
        row = dict(zip(NAMES, figures([f"d{i}" for i in range(30)], ["d0", "d4"], self.TOKENS, DEPTH), strict=True))
        assert row["recall@250t"] == 0.5
        assert row["recall@500t"] == 1.0
        assert row["tokens_to_full"] == 500
        assert (row["recall@2"], row["full@5"], row["full@2"]) == (0.5, 1.0, 0.0)

    def test_gold_that_is_not_found_costs_all_that_was(self):
        row = dict(zip(NAMES, figures(["d0", "d1"], ["d0", "x"], self.TOKENS, DEPTH), strict=True))
        assert row["tokens_to_full"] == 200

    def test_beyond_what_a_run_gives_it_has_no_figures(self):
        row = dict(zip(NAMES, figures(["d0"], ["d0"], {}, 8), strict=True))
        assert row["recall@8"] == 1.0
        assert math.isnan(row["recall@10"])
        assert math.isnan(row["tokens_to_full"])

    def test_comparisons_leave_out_metrics_that_one_of_a_pair_lacks(self):
        values = {"graph": np.array([[1.0, 1.0]] * 30), "old": np.array([[0.0, np.nan]] * 30)}
        rows = comparisons(
            values, ["a", "b"], [("graph", "old")], ["a", "b"], [str(i) for i in range(30)], samples=2000
        )
        assert [(row["metric"], row["difference"]) for row in rows] == [("a", 1.0)]
        assert rows[0]["p_holm"] < 0.01

    @given(st.permutations(range(12)), st.sets(st.integers(0, 11), min_size=1))
    def test_recall_never_falls_with_depth(self, order, gold):
        row = figures([f"d{i}" for i in order], [f"d{i}" for i in gold], self.TOKENS, DEPTH)
        assert row[: len(KS)] == sorted(row[: len(KS)])


class TestNavigators:
    DOCUMENTS = tuple(
        SourceDocument(
            f"d{i}",
            f"d{i}.md",
            f"Title {i}",
            f"A red fox ran. It was cold in May. Nobody saw fox number {i}. It rained. It rained again. He left.",
        )
        for i in range(25)
    )
    RANKING = tuple(Listed(document.id) for document in DOCUMENTS)

    def read(self, unit, ranking=RANKING, **evidence):
        reader = Reader(self.DOCUMENTS, lambda word: 1.0)
        return reader.read(Question("q", "Which fox was seen?", ("d0",), evidence=evidence), ranking, unit)

    def test_lists_are_paid_for_as_they_are_needed(self):
        gaps = np.diff((0, *self.read("documents").spent))
        assert gaps[0] == gaps[5] > gaps[1] == gaps[4]

    def test_the_way_to_a_document_is_paid_for(self):
        ways = [Listed(each.id, way=("Orla Quist",)) for each in self.RANKING]
        assert self.read("documents", ways).spent[0] > self.read("documents").spent[0]

    def test_parts_cost_less_than_documents_and_ever_less_down_the_list(self):
        whole, parts = self.read("documents"), self.read("parts")
        assert parts.documents == whole.documents
        assert parts.spent[-1] < whole.spent[-1]
        gaps = np.diff(parts.spent)
        assert gaps[0] > gaps[1] > gaps[5] > gaps[11]

    def test_a_document_whose_evidence_was_not_read_is_not_found_and_costs_as_much(self):
        held = self.read("parts", d0=("nobody saw fox number 0",), d1=("a red fox ran", "He left"))
        assert "d0" in held.documents
        assert "d1" not in held.documents
        assert "d1" in self.read("documents", d1=("a red fox ran", "He left")).documents
        assert held.spent[-1] == self.read("parts").spent[-1]

    def test_what_is_near_in_meaning_is_read_before_what_is_not(self):
        near = [Listed("d0", near=(0.0, 0.0, 0.0, 0.0, 0.0, 3.0))]
        assert self.read("parts", near, d0=("He left",)).documents == ("d0",)

    def test_what_joins_it_to_others_of_the_list_is_read_before_what_does_not(self):
        ways = [Listed("d2", way=("Orla Quist", "He")), *(Listed(f"d{i}") for i in (3, 4, 5, 6))]
        assert "d2" in self.read("parts", ways, d2=("He left",)).documents
        assert "d2" not in self.read("parts", [Listed(each.id) for each in ways], d2=("He left",)).documents

    def test_within_a_budget_are_those_found_by_then(self):
        trace = Trace(("a", "b"), (10, 30))
        assert [trace.within(budget) for budget in (9, 10, 29, 30)] == [(), ("a",), ("a",), ("a", "b")]

    @given(st.lists(st.floats(-1, 2), max_size=8), st.integers(1, 4))
    def test_a_part_is_the_first_sentence_and_the_best_of_the_others(self, scores, count):
        chosen = part(scores, count)
        assert chosen == sorted(set(chosen))
        assert len(chosen) == min(count, len(scores))
        assert not scores or chosen[0] == 0
        left = [scores[i] for i in range(1, len(scores)) if i not in chosen]
        assert all(scores[i] >= max(left, default=-2.0) for i in chosen[1:])

    @given(st.text("ab c.", min_size=1), st.text("ab c."), st.text("ab c."))
    def test_evidence_is_held_by_every_text_around_it(self, piece, before, after):
        assert holds(f"{before} {piece} {after}", [piece.upper()])


def test_a_kept_snapshot_is_known_by_its_documents_and_encoder():
    document = SourceDocument("d", "d.md", "T", "text")
    other = SourceDocument("d", "d.md", "T", "text.")
    assert identity([document], "e") == identity([document], "e")
    assert len({identity([document], "e"), identity([other], "e"), identity([document], "f"), identity([], "e")}) == 4


@pytest.mark.parametrize(("command", "known"), [("docs", METHODS), ("tools", TOOL_METHODS)])
def test_every_method_can_be_chosen_on_the_command_line(command, known):
    (choice,) = (option.type.choices for option in evaluation.commands[command].params if option.name == "methods")
    assert list(choice) == list(known)

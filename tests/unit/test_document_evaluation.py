"""The evaluation of document retrieval: data sets by their form, figures, navigators, and methods on a small corpus."""

from __future__ import annotations

import gzip
import json
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from graphstore.errors import LoadError
from graphstore.evaluation.comparisons import comparisons
from graphstore.evaluation.document_report import DEPTH, KS, NAMES, figures
from graphstore.evaluation.document_sets import read_document_set
from graphstore.evaluation.document_stores import identity
from graphstore.evaluation.navigators import Reader, Trace, nearest_sentences
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
        SourceDocument(f"d{i}", f"d{i}.md", f"Title {i}", "A red fox ran. It was cold. Nobody saw the fox. " * 3)
        for i in range(25)
    )

    def test_lists_are_paid_for_as_they_are_needed(self):
        trace = Reader(self.DOCUMENTS, "documents").read("fox", [d.id for d in self.DOCUMENTS])
        gaps = np.diff((0, *trace.spent))
        assert gaps[0] == gaps[10] > gaps[1] == gaps[9]

    def test_sentences_cost_less_than_documents(self):
        ranking = [d.id for d in self.DOCUMENTS]
        whole, part = (Reader(self.DOCUMENTS, unit).read("red fox", ranking) for unit in ("documents", "sentences"))
        assert part.spent[-1] < whole.spent[-1]
        assert part.documents == whole.documents

    def test_within_a_budget_are_those_read_in_full(self):
        trace = Trace(("a", "b"), (10, 30))
        assert [trace.within(budget) for budget in (9, 10, 29, 30)] == [(), ("a",), ("a",), ("a", "b")]

    def test_nearest_sentences_keep_the_order_of_the_text(self):
        assert nearest_sentences("It ran. A fox. The red fox.", {"red", "fox"}) == ["A fox.", "The red fox."]


def test_a_kept_snapshot_is_known_by_its_documents_and_encoder():
    document = SourceDocument("d", "d.md", "T", "text")
    other = SourceDocument("d", "d.md", "T", "text.")
    assert identity([document], "e") == identity([document], "e")
    assert len({identity([document], "e"), identity([other], "e"), identity([document], "f"), identity([], "e")}) == 4

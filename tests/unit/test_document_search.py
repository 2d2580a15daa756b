"""The document search on small corpora made by hand: paths, rarity, readers, odd questions."""

from __future__ import annotations

import json
import re
import zlib
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstore.cli.search import _lines
from graphstore.encoders.sketches import sketches, word_spans
from graphstore.errors import SeedError, SettingsError
from graphstore.navigation.texts import found
from graphstore.retrieval.corpus_cache import open_snapshot, purge, save_snapshot
from graphstore.retrieval.corpus_growth import build_snapshot
from graphstore.retrieval.corpus_view import view_for
from graphstore.retrieval.document_base import gather, scaled
from graphstore.retrieval.document_paths import neighbours
from graphstore.retrieval.document_ranking import LONG_PATH, PATH, path_weight, rank
from graphstore.retrieval.documents import DocumentSearch, SearchOptions
from graphstore.retrieval.explained import filled
from graphstore.retrieval.narrowing import Filters
from graphstore.retrieval.questions import Question, read_question
from graphstore.tokens import tokenise
from graphstore.visibility import OWNER, Visibility

DIMENSIONS = 32


SYNONYMS = {"vessel": "ship", "skipper": "captain"}


class WordEncoder:
    """Vectors of the words' hashes: alike exactly as far as texts share words, or synonyms. Deterministic."""

    name = "words"
    dimensions = DIMENSIONS
    max_tokens = 256

    def encode(self, texts):
        out = np.full((len(texts), DIMENSIONS), 1e-3, dtype=np.float32)
        for row, text in zip(out, texts, strict=True):
            for token in tokenise(text):
                row[zlib.crc32(SYNONYMS.get(token, token).encode()) % DIMENSIONS] += 1
        return out / np.linalg.norm(out, axis=1, keepdims=True)

    def chunks(self, text, sentences, prefix=""):
        return [(i, min(i + 8, len(sentences))) for i in range(0, len(sentences), 8)]

    def encode_spans(self, texts, spans):
        inside = [[text[a:b] for a, b in own] for text, own in zip(texts, spans, strict=True)]
        return self.encode(texts), [self.encode(own) for own in inside]


ENCODER = WordEncoder()


def words_of(text):
    spans = word_spans(text)
    return sketches(ENCODER.encode_spans([text], [spans])[1][0]).tobytes() if spans else b""


def corpus(documents, dates=None, *, words=False):
    """A snapshot of ``{id: (title, text, mentions, acl)}``; a mention is a name, and its own title if it equals it."""
    ids = sorted(documents)
    names = sorted({name for _, _, mentions, _ in documents.values() for name in mentions})
    block = {
        "ids": ids,
        "paths": [f"{id}.md" for id in ids],
        "titles": [documents[id][0] for id in ids],
        "texts": [documents[id][1] for id in ids],
        "acl": [list(documents[id][3]) for id in ids],
        "dates": [(dates or {}).get(id) for id in ids],
        "known": [(dates or {}).get(id) for id in ids],
    }
    links = [(id, name) for id in ids for name in documents[id][2]]
    linked = {
        "documents": [id for id, _ in links],
        "entities": [f"e-{name}" for _, name in links],
        "weights": [1.0 for _ in links],
        "own": [documents[id][0] == name for id, name in links],
        "names": [[name] for _, name in links],
    }
    vectors = {
        "documents": ids,
        "embeddings": [ENCODER.encode([f"{documents[id][0]} {documents[id][1]}"])[0].tolist() for id in ids],
        "sentences": [ENCODER.encode(documents[id][1].split(". ") or [""]).astype(np.float16).tobytes() for id in ids],
        "words": [words_of(f"{documents[id][0]}\n{documents[id][1]}") if words else None for id in ids],
    }
    entities = [{"id": f"e-{name}", "name": name, "type": "topic"} for name in names]
    return build_snapshot(7, [[block] if ids else [], entities, [linked], [vectors] if ids else []], DIMENSIONS)


ATLAS = {
    "minutes": (
        "Minutes of Monday",
        "Blue Heron waits for the audit of Kestrel Ltd",
        ("Blue Heron", "Kestrel Ltd"),
        (),
    ),
    "plan": (
        "Project Atlas",
        "Project Atlas is called Blue Heron inside the company",
        ("Project Atlas", "Blue Heron"),
        (),
    ),
    "contract": ("Contract 17", "Kestrel Ltd delivers its report in June", ("Kestrel Ltd",), ()),
    "lunch": ("Canteen", "Soup on Monday and pasta on Friday", (), ()),
    "party": ("Summer party", "The band plays on Friday", (), ()),
}


def search(documents, **options):
    return DocumentSearch(corpus(documents), ENCODER, **options)


def ids(result):
    return [hit.id for hit in result.documents]


class TestPaths:
    def test_document_without_the_questions_words_is_reached_through_a_shared_name(self):
        result = search(ATLAS).search("can Project Atlas launch?", k=3)
        assert ids(result)[:2] == ["plan", "minutes"]
        assert result.documents[1].via == ("e-Blue Heron",)

    def test_rare_names_are_stronger_than_common_ones(self):
        documents = {
            f"d{i:02}": (f"Note {i}", "filler", ("Common", *(("Rare",) if i in (0, 9) else ())), ()) for i in range(10)
        }
        reached, names, strength = neighbours(view_for(corpus(documents)), 0)
        by_document = dict(zip(reached.tolist(), zip(names.tolist(), strength.tolist(), strict=True), strict=True))
        assert by_document[9][0] == 1
        assert by_document[9][1] > by_document[1][1] > 0

    def test_a_name_in_too_many_documents_leads_nowhere(self):
        documents = {f"d{i:02}": (f"Note {i}", "filler", ("Everywhere",), ()) for i in range(30)}
        reached, _, _ = neighbours(view_for(corpus(documents)), 0)
        assert not len(reached)

    def test_a_documents_own_name_is_stronger_than_one_in_passing(self):
        documents = {
            "a": ("Kestrel Ltd", "x", ("Kestrel Ltd",), ()),
            "b": ("Note", "y", ("Kestrel Ltd",), ()),
            "c": ("Other note", "z", ("Kestrel Ltd",), ()),
        }
        _, _, strength = neighbours(view_for(corpus(documents)), 1)
        assert strength[1] == pytest.approx(0.6 * strength[0])

    def test_titles_named_in_the_question_come_first(self):
        assert ids(search(ATLAS).search("What does Contract 17 say about Friday and Monday?"))[0] == "contract"


TITLED = {
    "son": ("Lamprocles", "Lamprocles was the eldest son of Socrates and Xanthippe", ("Lamprocles",), ()),
    "father": ("Socrates", "A philosopher, a citizen of Athens by nationality", ("Socrates",), ()),
    "lunch": ("Canteen", "What is there? Soup on Monday and pasta on Friday", (), ()),
    "party": ("Summer party", "The band plays on Friday", (), ()),
    "secret": ("Xanthippe", "She is mentioned by Plato", (), ("hr",)),
}


class TestTitlesInTexts:
    """A chain whose second document no entity links: its title stands in the text of the first."""

    QUESTION = "What nationality is the father of Lamprocles?"

    def test_search_goes_on_along_the_title_and_says_so(self):
        result = search(TITLED).search(self.QUESTION, options=SearchOptions(k=5, explain=True))
        hit = next(hit for hit in result.documents if hit.id == "father")
        assert result.documents.index(hit) <= 1
        assert hit.via == ()
        assert [(step.kind, step.id, step.name) for step in hit.trail] == [
            ("document", "son", "Lamprocles"),
            ("title", "father", "Socrates"),
        ]
        assert ("son", None, "father") in {(hop.source, hop.entity, hop.target) for hop in result.explanation.beam}
        assert '["son", "", "father"]' in result.explanation.cypher
        assert any("“Socrates” in its text" in line for line in _lines(result))
        assert any("its title stands in son" in line for line in _lines(result))
        assert found(result, 1000).documents[result.documents.index(hit)].via == ("its title in Lamprocles",)

    def test_pages_and_names_know_nothing_of_it(self):
        snapshot = corpus(TITLED)
        assert view_for(snapshot).title_links.nnz == 2
        assert view_for(snapshot).frequency.tolist() == [1, 1]
        assert search(TITLED).search(self.QUESTION).pages == ()

    def test_a_reader_goes_along_titles_of_visible_documents_only(self):
        guest = Visibility.of(["guest"])
        result = search(TITLED).search(self.QUESTION, who=guest, options=SearchOptions(k=5, explain=True))
        without = {id: each for id, each in TITLED.items() if id != "secret"}
        assert result == search(without).search(self.QUESTION, who=guest, options=SearchOptions(k=5, explain=True))


class TestPages:
    def test_pages_are_those_the_question_names_and_its_documents_share(self):
        pages = search(ATLAS).search("can Project Atlas launch?").pages
        assert {page.name for page in pages} >= {"Blue Heron"}
        assert all(page.path.startswith("pages/") for page in pages)

    def test_a_name_in_one_document_has_no_page(self):
        assert "Project Atlas" not in [page.name for page in search(ATLAS).search("Project Atlas").pages]


class TestReaders:
    SECRET = ATLAS | {
        "minutes": (*ATLAS["minutes"][:3], ("anna", "board")),
        "payroll": ("Payroll", "Zebra salaries for Project Atlas and Contract 17", ("Project Atlas", "Zebra"), ("hr",)),
    }

    @pytest.mark.parametrize("question", ["can Project Atlas launch?", "zebra salaries", "Blue Heron", "Kestrel Ltd"])
    def test_answer_is_that_of_a_corpus_without_the_invisible_documents(self, question):
        hidden = search(self.SECRET).search(question, who=Visibility.of(["guest"]))
        absent = {id: d for id, d in self.SECRET.items() if not d[3]}
        alone = search(absent).search(question, who=Visibility.of(["guest"]))
        assert [(hit.id, hit.via) for hit in hidden.documents] == [(hit.id, hit.via) for hit in alone.documents]
        assert [(page.id, page.name) for page in hidden.pages] == [(page.id, page.name) for page in alone.pages]
        for one, other in ((hidden.documents, alone.documents), (hidden.pages, alone.pages)):
            np.testing.assert_allclose([hit.score for hit in one], [hit.score for hit in other], atol=1e-5)

    def test_a_group_opens_a_document(self):
        found = search(self.SECRET)
        assert "minutes" in ids(found.search("Blue Heron audit", who=Visibility.of(["carl", "board"])))
        assert "minutes" not in ids(found.search("Blue Heron audit", who=Visibility.of(["carl"])))

    def test_the_owner_sees_all(self):
        assert "payroll" in ids(search(self.SECRET).search("zebra salaries"))

    def test_a_page_needs_two_visible_documents(self):
        found = search(self.SECRET)
        assert "Project Atlas" in [p.name for p in found.search("Project Atlas").pages]
        assert "Project Atlas" not in [
            p.name for p in found.search("Project Atlas", who=Visibility.of(["guest"])).pages
        ]

    def test_a_reader_of_nothing_gets_nothing(self):
        documents = {"a": ("A", "text", (), ("x",))}
        result = search(documents).search("text", who=Visibility.of(["y"]))
        assert result.documents == ()
        assert result.pages == ()


class TestOddQuestions:
    @pytest.mark.parametrize("question", ["?!…", "🎉", "—", "()", "___", "\u200b", "。。"])
    def test_signs_alone_that_name_nothing_find_nothing(self, question):
        result = search(ATLAS).search(question, k=3, options=SearchOptions(explain=True))
        assert (result.documents, result.pages) == ((), ())

    @pytest.mark.parametrize(("question", "found"), [("+", ["sign"]), ("🎉🎉", ["poll", "votes"]), ("+ ?", ["sign"])])
    def test_signs_alone_find_what_they_name_and_nothing_else(self, question, found):
        votes = {
            "poll": ("Poll", "The winner is 🎉🎉", ("🎉🎉",), ()),
            "votes": ("Votes", "Forty for 🎉🎉", ("🎉🎉",), ()),
            "sign": ("+", "Overtime is written with a sign", (), ()),
            "secret": ("+", "A document of the board", ("🎉🎉",), ("board",)),
        }
        engine = search(ATLAS | votes)
        staff = engine.search(question, k=9, who=Visibility.of(["staff"]))
        assert sorted(hit.id for hit in staff.documents) == found
        assert {page.name for page in staff.pages} <= {"🎉🎉"}
        board = engine.search(question, k=9, who=Visibility.of(["board"]))
        assert sorted(hit.id for hit in board.documents) == sorted([*found, "secret"])
        nowhere = SearchOptions(k=9, filters=Filters.of(folder="nowhere"))
        assert engine.search(question, options=nowhere).documents == ()

    @pytest.mark.parametrize("question", ["AND OR NOT", "A/B", 'tb-"', "unheardofword", "½", "ก"])
    def test_a_question_without_known_words_is_answered_by_meaning(self, question):
        result = search(ATLAS).search(question, k=3)
        assert len(result.documents) == 3
        assert all(np.isfinite(hit.score) for hit in result.documents)

    def test_two_thousand_words(self):
        assert len(search(ATLAS).search("Blue Heron audit " * 700).documents) == 5

    @pytest.mark.parametrize("question", ["", "   ", "\n"])
    def test_a_blank_question_is_refused(self, question):
        with pytest.raises(SeedError, match="blank"):
            search(ATLAS).search(question)

    def test_folders_are_those_of_visible_documents_at_any_depth(self):
        known = corpus(ATLAS | {"plan": (*ATLAS["plan"][:3], ("anna",))})
        paths = ["a/b/contract.md", "lunch.md", "/a/minutes.md", "c/party.md", "secret/plan.md"]
        found = DocumentSearch(replace(known, documents=replace(known.documents, paths=paths)), ENCODER)
        assert found.folders() == ["a", "a/b", "c", "secret"]
        assert found.folders(Visibility.of("bob")) == ["a", "a/b", "c"]

    def test_empty_corpus(self):
        result = search({}).search("anything")
        assert (result.documents, result.pages) == ((), ())

    def test_one_document_without_text_or_names(self):
        assert ids(search({"a": ("", "", (), ())}).search("anything")) == ["a"]

    def test_equal_documents_come_in_the_order_of_their_ids(self):
        documents = {id: ("Same", "same text", (), ()) for id in ("c", "a", "b", "d")}
        for _ in range(3):
            assert ids(search(documents).search("same text", k=3)) == ["a", "b", "c"]

    @pytest.mark.parametrize("k", [0, -1])
    def test_no_places_no_hits(self, k):
        assert search(ATLAS).search("Blue Heron", k=k).documents == ()


class TestCache:
    def test_a_snapshot_read_back_answers_the_same(self, tmp_path):
        snapshot = corpus(TestReaders.SECRET)
        save_snapshot(tmp_path, "store", snapshot)
        again = open_snapshot(tmp_path, "store", snapshot.version)
        assert again is not None
        for reader in (None, ["guest"], ["hr"]):
            for question in ("can Project Atlas launch?", "zebra"):
                a = DocumentSearch(snapshot, ENCODER).search(question, who=Visibility.of(reader))
                assert DocumentSearch(again, ENCODER).search(question, who=Visibility.of(reader)) == a

    def test_only_the_newest_version_stays(self, tmp_path):
        snapshot = corpus(ATLAS)
        save_snapshot(tmp_path, "store", snapshot)
        newer = build_snapshot(8, [[], [], [], []], DIMENSIONS)
        save_snapshot(tmp_path, "store", newer)
        assert open_snapshot(tmp_path, "store", 7) is None
        assert open_snapshot(tmp_path, "store", 8) is not None
        assert b"Blue Heron" not in b"".join(f.read_bytes() for f in tmp_path.rglob("*") if f.is_file())

    def test_purge_leaves_nothing_of_the_store(self, tmp_path):
        save_snapshot(tmp_path, "store", corpus(ATLAS))
        save_snapshot(tmp_path, "other", corpus(ATLAS))
        purge(tmp_path, "store")
        assert open_snapshot(tmp_path, "store", 7) is None
        assert open_snapshot(tmp_path, "other", 7) is not None
        purge(tmp_path, "never-seen")

    def test_a_damaged_cache_is_no_cache(self, tmp_path):
        save_snapshot(tmp_path, "store", corpus(ATLAS))
        next(tmp_path.rglob("chunks.npy")).write_bytes(b"broken")
        assert open_snapshot(tmp_path, "store", 7) is None

    def test_a_folder_that_cannot_be_written_is_left_alone(self, tmp_path):
        (tmp_path / "corpus").write_text("a file where the folder should be")
        save_snapshot(tmp_path, "store", corpus(ATLAS))

    def test_files_are_for_the_user_alone(self, tmp_path):
        save_snapshot(tmp_path, "store", corpus(ATLAS))
        folder = next(tmp_path.rglob("known.json")).parent
        assert folder.stat().st_mode & 0o077 == 0


def test_scaled_values_lie_between_zero_and_one_among_the_visible():
    values = np.array([5.0, 1.0, 3.0, 9.0])
    assert scaled(values, np.array([True, True, True, False])).tolist() == [1.0, 0.0, 0.5, 0.0]
    assert scaled(np.ones(3)).tolist() == [0.0, 0.0, 0.0]


class TestNarrowing:
    DATES = {"minutes": "2026-01-05", "plan": "2026-02-01", "contract": "2026-03-01"}  # noqa: RUF012

    def asked(self, question="can Project Atlas launch?", *, dates=DATES, who=OWNER, **filters):
        found = DocumentSearch(corpus(ATLAS, dates), ENCODER)
        options = SearchOptions(
            k=filters.pop("k", 10),
            explain=filters.pop("explain", False),
            max_tokens=filters.pop("max_tokens", None),
            filters=Filters.of(**filters),
        )
        return found.search(question, who=who, options=options)

    def test_dates_bound_what_is_shown_with_both_days_included(self):
        assert sorted(ids(self.asked(since="2026-01-05", until="2026-02-01"))) == ["minutes", "plan"]
        assert sorted(ids(self.asked(since="2026-02-02"))) == ["contract"]

    def test_a_path_may_run_through_a_document_that_is_not_shown(self):
        hit = self.asked(until="2026-01-31").documents[0]
        assert hit.id == "minutes"
        assert [step.id for step in hit.trail] == ["plan", "e-Blue Heron"]

    def test_what_was_not_known_by_a_date_leads_nowhere(self):
        found = self.asked(who=Visibility.of(None, "2026-01-31"))
        assert ids(found) == ["minutes"]
        assert not found.documents[0].trail
        assert not found.pages

    def test_a_folder_is_no_prefix_of_a_name(self):
        assert not ids(self.asked(folder="mi"))

    def test_a_type_keeps_documents_that_mention_one_and_its_pages(self):
        assert sorted(ids(self.asked(type="TOPIC"))) == ["contract", "minutes", "plan"]
        assert not self.asked(type="person").documents
        assert not self.asked(type="person").pages

    @pytest.mark.parametrize("since", ["yesterday", "2026-13-01", ""])
    def test_no_date_is_refused(self, since):
        with pytest.raises(SettingsError, match="is no date"):
            self.asked(since=since)

    def test_days_of_which_the_first_is_after_the_last_are_refused(self):
        with pytest.raises(SettingsError, match="since 2026-02-01 is after until 2026-01-31: no day is both"):
            self.asked(since="2026-02-01", until="2026-01-31")
        assert ids(self.asked(since="2026-02-01", until="2026-02-01")) == ["plan"]

    @settings(max_examples=25, deadline=None)
    @given(max_tokens=st.integers(1, 400))
    def test_an_answer_has_at_most_the_tokens_asked_for_and_is_a_beginning(self, max_tokens):
        whole, cut = self.asked(), self.asked(max_tokens=max_tokens)
        assert cut.tokens <= max_tokens
        assert cut.documents == whole.documents[: len(cut.documents)]
        assert cut.pages == whole.pages[: len(cut.pages)]
        found = len(whole.documents) + len(whole.pages)
        assert len(cut.documents) + len(cut.pages) + cut.left_out == found
        assert (cut.left_out == 0) == (whole.tokens <= max_tokens)

    def test_an_explanation_names_the_seeds_the_ways_and_a_statement_with_them(self):
        told = self.asked(explain=True).explanation
        assert dict(told.named) == {"project atlas": ("e-Project Atlas",)}
        assert told.seeds[0].id == "plan"
        assert told.seeds[0].named
        assert ("plan", "e-Blue Heron", "minutes") in [(hop.source, hop.entity, hop.target) for hop in told.beam]
        assert '["plan", "e-Blue Heron", "minutes"]' in told.cypher
        assert "$" not in told.cypher

    def test_without_being_asked_there_is_no_explanation(self):
        assert "explanation" not in self.asked().to_dict()


@given(st.lists(st.lists(st.text(min_size=1), min_size=3, max_size=3), max_size=3))
def test_no_text_leaves_the_literal_that_it_is_filled_into(ways):
    written = re.search(r"^UNWIND (.*) AS step$", filled("console/search_paths", ways=ways), re.MULTILINE)
    assert json.loads(written[1]) == ways


class TestChains:
    CHAIN = {  # noqa: RUF012
        "a": ("Nimbus", "Nimbus was built by Orla Quist", ("Nimbus", "Orla Quist"), ()),
        "b": ("Orla Quist", "She was born in Tarnholm", ("Orla Quist", "Tarnholm"), ()),
        "c": ("Tarnholm", "A harbour town", ("Tarnholm",), ()),
        **{f"n{i}": (f"Note {i}", f"Nothing of that sort, number {i}", (), ()) for i in range(12)},
    }

    def test_the_third_document_of_a_chain_is_reached_from_the_second(self):
        hits = search(self.CHAIN).search("Nimbus", k=3).documents
        assert [hit.id for hit in hits] == ["a", "b", "c"]
        assert [step.id for step in hits[2].trail] == ["a", "e-Orla Quist", "b", "e-Tarnholm"]

    def test_what_is_about_a_name_comes_before_what_mentions_it(self):
        documents = self.CHAIN | {"d": ("Diary", "Orla Quist came by", ("Orla Quist",), ())}
        order = ids(search(documents).search("Nimbus", k=4))
        assert order.index("b") < order.index("d")

    def test_a_long_question_is_read_to_its_end(self):
        question = "The weather is fine and so on. " * 60 + "A harbour town is what I look for."
        read = read_question(question, ENCODER)
        assert read.long
        assert len(read.sentences) == 61
        assert read.sentences[-1] @ ENCODER.encode(["A harbour town is what I look for."])[0] > 0.99

    def test_one_sentence_of_a_long_question_finds_its_document(self):
        told = "I walked the dog by the river and thought of dinner. "
        filler = {f"n{i:02}": ("Walk", f"Stones of river number {i}", (), ()) for i in range(8)}
        documents = filler | {"fee": ("Dues", "Overdraft charges are waived for pensioners", (), ())}
        question = told * 30 + "Are overdraft charges waived for pensioners?"
        assert read_question(question, ENCODER).long
        assert ids(search(documents).search(question, k=1)) == ["fee"]

    def test_a_long_question_counts_the_share_of_a_title_that_it_holds(self):
        documents = self.CHAIN | {
            "t1": ("Closing a savings account early", "Form 12", (), ()),
            "t2": ("Opening a brokerage desk abroad", "Form 12", (), ()),
        }
        question = "The weather is fine and so on. " * 60 + "My savings run low. I was closing the door early."
        order = ids(search(documents).search(question, k=20))
        assert order.index("t1") < order.index("t2")

    def test_titles_that_a_reader_may_not_see_change_no_share(self):
        secret = {f"s{i}": (f"Savings secret {i}", "zebra", (), ("hr",)) for i in range(3)}
        question = "The weather is fine and so on. " * 60 + "My savings run low and the harbour is far."
        open_ = DocumentSearch(corpus(self.CHAIN), ENCODER).search(question, who=Visibility.of(["guest"]))
        both = DocumentSearch(corpus(self.CHAIN | secret), ENCODER).search(question, who=Visibility.of(["guest"]))
        assert [(hit.id, round(hit.score, 9)) for hit in both.documents] == [
            (hit.id, round(hit.score, 9)) for hit in open_.documents
        ]

    def test_a_short_question_is_encoded_once(self):
        read = read_question("Who built Nimbus?", ENCODER)
        assert not read.long
        assert read.sentences is None


class TestTokenCoverage:
    FLEET: ClassVar = {
        "start": ("Blue Heron", "Blue Heron was built by Kestrel", ("Blue Heron", "Kestrel"), ()),
        "near": ("Orla", "Orla was skipper of a vessel of Kestrel", ("Kestrel",), ()),
        "far": ("Anna", "Anna was painter of a bridge of Kestrel", ("Kestrel",), ()),
        "other": ("Tide table", "Nothing else", (), ()),
    }
    QUESTION = "who was captain of a ship built by those of Blue Heron"

    def paths(self, *, sketched):
        view = view_for(corpus(self.FLEET, words=True))
        question = read_question(self.QUESTION, ENCODER, sketched=sketched)
        place = {id: i for i, id in enumerate(view.snapshot.documents.ids)}
        words = gather(view, question).words
        return dict(
            zip(("near", "far"), words.together(place["start"], np.array([place["near"], place["far"]])), strict=True)
        )

    def test_a_word_that_is_held_nearly_counts_where_asked_for(self):
        exact, nearly = self.paths(sketched=False), self.paths(sketched=True)
        assert exact["near"] == exact["far"]
        assert nearly["near"] > nearly["far"] + 0.1

    def test_an_answer_is_the_usual_one_without_the_option(self):
        usual = DocumentSearch(corpus(self.FLEET), ENCODER).search(self.QUESTION)
        assert DocumentSearch(corpus(self.FLEET, words=True), ENCODER).search(self.QUESTION) == usual

    def test_the_option_raises_what_holds_other_words_for_the_same(self):
        search = DocumentSearch(corpus(self.FLEET, words=True), ENCODER)
        scores = {
            asked: {
                hit.id: hit.score
                for hit in search.search(self.QUESTION, options=SearchOptions(token_coverage=asked)).documents
            }
            for asked in (False, True)
        }
        gain = {id: scores[True][id] - scores[False][id] for id in scores[True]}
        assert gain["near"] > gain["far"]

    def test_a_store_without_vectors_of_words_says_what_to_do(self):
        with pytest.raises(SettingsError, match="graphstore build words"):
            DocumentSearch(corpus(self.FLEET), ENCODER).search("x", options=SearchOptions(token_coverage=True))

    def test_a_question_is_read_once_whether_its_words_are_wanted_or_not(self):
        plain, sketched = (read_question(self.QUESTION, ENCODER, sketched=each) for each in (False, True))
        np.testing.assert_array_equal(plain.vector, sketched.vector)
        assert plain.sketches is None
        assert set(sketched.sketches) == set(sketched.tokens)

    def test_a_long_question_keeps_its_pieces(self):
        text = ". ".join(["Orla was skipper of a vessel", "Kestrel built it in June"] * 40) + "."
        plain, sketched = (read_question(text, ENCODER, sketched=each) for each in (False, True))
        assert plain.long
        for name in ("vector", "pieces", "sentences"):
            np.testing.assert_array_equal(getattr(plain, name), getattr(sketched, name))
        assert set(sketched.sketches) == set(sketched.tokens)


class TestLengths:
    def test_a_path_counts_less_the_longer_a_question_is(self):
        texts = [" ".join(["word"] * n) for n in (5, 30, 60, 90, 400)]
        weights = [path_weight(Question(text, [], np.zeros(DIMENSIONS))) for text in texts]
        assert weights[:2] == [PATH, PATH]
        assert PATH > weights[2] > weights[3] > LONG_PATH
        assert weights[4] == LONG_PATH

    def test_search_uses_that_weight_and_says_so(self):
        told = " and then some more was said".join(["can Project Atlas launch?"] + [""] * 12)
        view = view_for(corpus(ATLAS))
        question = read_question(told, ENCODER)
        ranking = rank(view, question)
        assert not question.long
        assert ranking.weights["path"] == path_weight(question) < PATH
        np.testing.assert_allclose(ranking.scores, ranking.direct + path_weight(question) * ranking.paths.score)

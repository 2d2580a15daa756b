"""Collections of texts whose entities are known: read, given to resolution, counted."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from graphstore.errors import LoadError
from graphstore.evaluation.ecb_mentions import Usage, Word, named, usage
from graphstore.evaluation.ecb_plus import FILE, Document, Mention, read
from graphstore.evaluation.ecb_report import report_of
from graphstore.evaluation.ecb_resolution import given
from graphstore.evaluation.entity_tables import lines_of
from graphstore.evaluation.entity_texts import collection

SENTENCE = ["The", "mayor", "met", "Anna", "Schmidt", "in", "southern", "Norway", "(", "``", "Oslo", "''", ")", "."]
POS = "DET NOUN VERB PROPN PROPN ADP ADJ PROPN PUNCT PUNCT PROPN PUNCT PUNCT PUNCT".split()  # noqa: SIM905
HEADS = [1, 2, 2, 4, 2, 2, 7, 5, 10, 10, 7, 10, 10, 2]
ENTITIES = ["", "", "", "PERSON", "PERSON", "", "", "GPE", "", "", "GPE", "", "", ""]


def row(document: str, topic: str, clusters: tuple[str, str]) -> dict:
    mentions = [
        ("1", "HUMAN_PART_PER", [3, 4], clusters[0], True),
        ("2", "LOC_GEO", [5, 6, 7], clusters[1], True),
        ("3", "HUMAN_PART_PER", [0, 1], "M", True),
        ("4", "LOC_GEO", [10], "O", False),
    ]
    keys = ("mention_id", "type", "tokens", "cluster", "in_validated_sentence")
    return {
        "doc_id": document,
        "topic": topic,
        "sentences": [{"index": 7, "tokens": SENTENCE}],
        "entity_mentions": [{"sentence": 7, **dict(zip(keys, mention, strict=True))} for mention in mentions],
    }


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [row("1_1", "1", ("A", "N")), row("1_2", "1", ("A", "N2")), row("40_1", "40", ("A", "N"))]
    with gzip.open(tmp_path / FILE, "wt", encoding="utf-8") as file:
        file.writelines(json.dumps(each) + "\n" for each in rows)
    return tmp_path


def words() -> list[Word]:
    return [Word(*each) for each in zip(SENTENCE, POS, HEADS, ENTITIES, strict=True)]


def of(documents: list[Document]):
    written = usage(documents)
    return {document.id: named(document, [words()], written) for document in documents}


def test_a_text_is_written_as_prose_and_words_keep_their_places(folder: Path) -> None:
    documents = read(folder, [1])
    assert [document.id for document in documents] == ["1_1", "1_2"]
    document = documents[0]
    assert document.text == 'The mayor met Anna Schmidt in southern Norway ("Oslo").\n'
    starts = [document.text[a:b] for a, b in document.places[0]]
    assert starts == [{"``": '"', "''": '"'}.get(token, token) for token in SENTENCE]
    assert [mention.id for mention in document.mentions] == ["1", "2", "3"]  # one is not in a completed sentence


def test_a_mention_names_the_proper_nouns_at_its_head(folder: Path) -> None:
    found = of(read(folder, [1]))["1_1"]
    assert [(mention.text, mention.type, mention.is_name) for mention in found] == [
        ("Anna Schmidt", "person", True),
        ("southern Norway", "place", True),
    ]


def test_a_headlines_common_word_makes_a_description_unless_other_texts_write_it_so() -> None:
    tokens = ("Brooklyn", "Mom", "Met", "Mayor", "Today")
    row = [Word("Brooklyn", "PROPN", 1, ""), Word("Mom", "PROPN", 2, ""), Word("Met", "VERB", 2, "")]
    row += [Word("Mayor", "PROPN", 2, ""), Word("Today", "NOUN", 2, "")]
    places = ((0, 8), (9, 12), (13, 16), (17, 22), (23, 28))
    mention = Mention("1", "HUMAN_PART_PER", 0, (0, 1), "a")
    document = Document("1", 1, (tokens,), " ".join(tokens), (places,), (mention,))

    def is_name(written: Usage) -> bool:
        return named(document, [row], written)[0].is_name

    assert not is_name(Usage(frozenset({"mom"}), "she is a mom of Brooklyn"))
    assert is_name(Usage(frozenset({"mom"}), "they watch Brooklyn Mom on Sundays"))
    assert is_name(Usage(frozenset(), ""))


def test_the_report_counts_what_resolution_joined(folder: Path) -> None:
    documents = read(folder, [1])
    report = report_of(given(documents, of(documents)), protocol="dev")
    local = report["methods"]["local"]
    # Four mentions. Joined: the two Annas, rightly, and the two Norways, wrongly.
    assert (local["precision"], local["recall"]) == (0.5, 1.0)
    assert (local["bcubed_precision"], local["bcubed_recall"]) == (0.75, 1.0)
    assert report["types"]["person"]["precision"] == 1.0
    # Without the two places nothing is joined wrongly.
    apart, person = report["methods"]["local-apart"], report["types"]["person"]
    assert apart == {name: value for name, value in person.items() if name != "mentions"}
    assert report["false_merges"] == [
        {"topic": 1, "wrong_pairs": 1, "things": [["southern Norway"], ["southern Norway"]]}
    ]
    assert report["methods"]["alone"]["recall"] == 0.0
    assert sum(row["links"] for row in report["calibration"]) == 4
    assert any("joined wrongly" in line for line in lines_of(report))


def test_a_folder_is_told_by_its_file_and_a_broken_one_says_so(folder: Path, tmp_path: Path) -> None:
    found = collection(str(folder))
    assert found is not None
    assert found[1] == folder
    with pytest.raises(LoadError, match="protocol"):
        found[0](folder, protocol="none", progress=lambda *_: None)
    (folder / FILE).write_bytes(gzip.compress(b'{"doc_id": 1}\n'))
    with pytest.raises(LoadError, match="form"):
        read(folder)
    assert collection(str(tmp_path / "elsewhere")) is None

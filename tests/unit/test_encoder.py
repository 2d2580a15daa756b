"""The encoder that comes with the package, against vectors of sentence-transformers and against itself."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from graphstore.encoders import DEFAULT_ENCODER, load_encoder
from graphstore.encoders.onnx import MODELS, OnnxEncoder, _overflows, _session
from graphstore.errors import LoadError

DATA = Path(__file__).parent.parent / "data"
TEXTS = json.loads((DATA / "golden_texts.json").read_text(encoding="utf-8"))
STORY = (
    "Anna Bergström built the bridge over the lower river. It was opened in 1931. "
    "李伟负责采购。 The quarterly report is late again, and nobody knows why."
)
SPANS = [(match.start(), match.end()) for match in re.finditer(r"[^.。 ][^.。]*[.。]", STORY)]


@pytest.fixture(scope="module")
def encoder() -> OnnxEncoder:
    return OnnxEncoder(threads=2)


@pytest.fixture(scope="module")
def vectors(encoder):
    return encoder.encode(TEXTS)


def test_vectors_agree_with_sentence_transformers(vectors):
    golden = np.load(DATA / "golden_vectors.npy").astype(np.float64)
    cosines = np.sum(golden * vectors, axis=1) / np.linalg.norm(golden, axis=1)
    assert len(TEXTS) == 200
    assert cosines.mean() >= 0.98
    assert cosines.min() >= 0.96, TEXTS[int(cosines.argmin())]


def test_vectors_are_finite_units_of_the_stated_size(encoder, vectors):
    assert vectors.shape == (200, encoder.dimensions)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-6)


def test_a_vector_depends_on_its_text_alone(encoder, vectors):
    order = np.random.default_rng(3).permutation(len(TEXTS))[:80]
    np.testing.assert_array_equal(encoder.encode([TEXTS[index] for index in order]), vectors[order])
    for index in (0, 57, 120, 199):
        np.testing.assert_array_equal(encoder.encode([TEXTS[index]])[0], vectors[index])


def test_number_of_threads_changes_no_bit(vectors):
    np.testing.assert_array_equal(OnnxEncoder(threads=1).encode(TEXTS[:60]), vectors[:60])
    np.testing.assert_array_equal(OnnxEncoder(threads=5).encode(TEXTS[:60]), vectors[:60])


def test_callers_in_several_threads_get_the_same_vectors(vectors):
    shared = OnnxEncoder(threads=2)  # not loaded yet: the first calls race for it
    with ThreadPoolExecutor(4) as pool:
        for result in pool.map(lambda start: shared.encode(TEXTS[start : start + 30]), [0, 0, 30, 60, 90, 30]):
            first = int(np.flatnonzero((vectors == result[0]).all(axis=1))[0])
            np.testing.assert_array_equal(result, vectors[first : first + 30])


def test_nothing_to_encode_gives_no_rows(encoder):
    assert encoder.encode([]).shape == (0, 384)
    rows, parts = encoder.encode_spans([], [])
    assert rows.shape == (0, 384)
    assert parts == []


@pytest.mark.parametrize("blank", ["", "  ", "\n\t", "\u3000"])
def test_blank_text_is_refused_by_its_index(encoder, blank):
    with pytest.raises(LoadError, match="text 2 of 3 is blank"):
        encoder.encode(["a", "b", blank])
    with pytest.raises(LoadError, match="text 1 of 2 is blank"):
        encoder.encode_spans(["a", blank], [[], []])


@pytest.mark.parametrize("odd", ["\u200b", "\x00\x01", "\ud83d broken", "?", "工具", "\U0010fffd", "a" * 5000])
def test_odd_text_still_has_a_vector(encoder, odd):
    assert np.linalg.norm(encoder.encode([odd])[0]) == pytest.approx(1.0, abs=1e-6)


def test_text_past_the_window_changes_nothing(encoder):
    words = "river " * 254  # with the two framing tokens the window is full
    np.testing.assert_array_equal(encoder.encode([words]), encoder.encode([words + "bridge built of steel"]))


def test_meaning_is_near(encoder):
    a, b, c = encoder.encode(["a cat sits on the mat", "a kitten lies on a rug", "interest rates were raised"])
    assert a @ b > a @ c + 0.3


def test_spans_come_with_the_same_text_vectors(encoder):
    texts = [STORY, TEXTS[0], "one"]
    rows, parts = encoder.encode_spans(texts, [SPANS, [(0, 5), (6, 9)], []])
    np.testing.assert_array_equal(rows, encoder.encode(texts))
    assert [part.shape for part in parts] == [(4, 384), (2, 384), (0, 384)]
    np.testing.assert_allclose(np.linalg.norm(np.vstack(parts), axis=1), 1.0, atol=1e-6)


def test_a_span_is_nearest_to_what_it_says(encoder):
    questions = encoder.encode(["who built the bridge?", "in which year was it opened?", "the report is overdue"])
    sentences = encoder.encode_spans([STORY], [SPANS])[1][0]
    assert (questions @ sentences.T).argmax(axis=1).tolist() == [0, 1, 3]


def test_a_span_past_the_window_is_a_row_of_zeros(encoder):
    text = "river " * 300 + "A bridge of steel."
    part = encoder.encode_spans([text], [[(0, 5), (1800, len(text)), (5, 5)]])[1][0]
    assert np.linalg.norm(part[0]) == pytest.approx(1.0, abs=1e-6)
    assert not part[1:].any()


def test_spans_must_match_texts(encoder):
    with pytest.raises(LoadError, match="2 texts but 1 lists of spans"):
        encoder.encode_spans(["a", "b"], [[]])


def sentences_of(text: str) -> list[tuple[int, int]]:
    return [(match.start(), match.end()) for match in re.finditer(r"[^.。\s][^.。]*[.。]?", text)]


@pytest.mark.parametrize("prefix", ["", "Minutes of the steering meeting, 12 May\n"])
def test_chunks_cover_all_sentences_and_fit_the_model(encoder, prefix):
    text = " ".join(TEXTS[index] for index in range(len(TEXTS)) if len(TEXTS[index]) < 900)
    sentences = sentences_of(text)
    chunks = encoder.chunks(text, sentences, prefix)
    assert [index for first, last in chunks for index in range(first, last)] == list(range(len(sentences)))

    tokens = encoder._model().tokenizer
    lengths = [len(tokens.encode(prefix + text[sentences[a][0] : sentences[b - 1][1]]).ids) for a, b in chunks]
    alone = [b - a == 1 for a, b in chunks]
    assert all(length <= encoder.max_tokens or single for length, single in zip(lengths, alone, strict=True))
    longer = [len(tokens.encode(prefix + text[sentences[a][0] : sentences[b][1]]).ids) for a, b in chunks[:-1]]
    assert min(longer) > encoder.max_tokens, "a chunk ended although the next sentence would have fitted"


def test_a_sentence_longer_than_the_window_is_a_chunk_by_itself(encoder):
    text = "Short one. " + "river " * 400 + "end. Short two. Short three."
    assert encoder.chunks(text, sentences_of(text)) == [(0, 1), (1, 2), (2, 4)]


def test_no_sentence_gives_no_chunk(encoder):
    assert encoder.chunks("", []) == []
    assert encoder.chunks("Hello world", [(0, 11)]) == [(0, 1)]


def test_the_default_is_found_by_name_and_without_one():
    assert load_encoder() is load_encoder(None)
    assert load_encoder(DEFAULT_ENCODER).name == load_encoder().name == DEFAULT_ENCODER


def test_missing_model_file_is_named(tmp_path):
    with pytest.raises(LoadError, match=r"tokenizer\.json: .*install neo4j-graphstore again"):
        OnnxEncoder(folder=tmp_path).encode(["a"])


def test_kernels_for_processors_without_vnni_give_the_same_vectors(vectors, monkeypatch):
    monkeypatch.setattr("graphstore.encoders.onnx._overflows", lambda probe: True)
    slow = OnnxEncoder(threads=2).encode(TEXTS[:40])
    np.testing.assert_allclose(slow, vectors[:40], atol=1e-5)


def test_an_overflow_of_the_fast_kernels_is_noticed():
    class Saturating:
        def run(self, outputs, inputs):
            return [np.full((1, 16), 32 * 32767, dtype=np.int32)]  # what 16-bit sums of pairs come to

    assert _overflows(Saturating())
    assert _overflows(_session(MODELS / "overflow.onnx", exact=True)) is False


def test_damaged_model_file_is_named(tmp_path):
    for file in MODELS.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes()[:100_000])
    with pytest.raises(LoadError, match=r"model\.onnx: .*damaged"):
        OnnxEncoder(folder=tmp_path).encode(["a"])


def test_load_is_lazy_and_brings_no_torch():
    code = (
        "import sys; from graphstore.encoders import load_encoder; e = load_encoder(); print(e.name, e.dimensions);"
        "assert not {'onnxruntime', 'tokenizers', 'torch'} & set(sys.modules);"
        "e.encode(['a']); assert 'torch' not in sys.modules and 'transformers' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == [DEFAULT_ENCODER, "384"]
    assert done.stderr == ""


def test_an_error_in_one_text_ends_the_call_and_the_encoder_goes_on(encoder, vectors, monkeypatch):
    read = OnnxEncoder._read

    def failing(self, model, text):
        if text == TEXTS[5]:
            raise MemoryError(text)
        return read(self, model, text)

    with monkeypatch.context() as patch:
        patch.setattr(OnnxEncoder, "_read", failing)
        with pytest.raises(MemoryError):
            encoder.encode(TEXTS[:20])
    np.testing.assert_array_equal(encoder.encode(TEXTS[:3]), vectors[:3])

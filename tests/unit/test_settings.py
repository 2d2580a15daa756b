"""Settings: precedence, and errors that say where."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from graphstore import Settings
from graphstore.cli import run
from graphstore.errors import SettingsError


def test_flag_beats_environment_beats_file_beats_default(tmp_path: Path) -> None:
    (tmp_path / "graphstore.toml").write_text('heap = "2g"\nline = "lts"\nanalyzer = "english"\n')
    environment = {"GRAPHSTORE_HEAP": "3g", "GRAPHSTORE_SERVER_LINE": "current"}
    settings = Settings.load(tmp_path, environment, heap="4g", uri=None)
    assert (settings.heap, settings.line, settings.analyzer, settings.uri) == ("4g", "current", "english", None)


def test_the_password_is_not_shown() -> None:
    settings = Settings.load(Path("/nonexistent"), {"NEO4J_PASSWORD": "s3cret", "NEO4J_URI": "bolt://db"})
    assert settings.password == "s3cret"
    assert "s3cret" not in repr(settings)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("hep = '1g'", "unknown setting 'hep'"),
        ("heap = 'lots'", "graphstore.toml: 'lots' is no heap size"),
        ("line = 'old'", "graphstore.toml: 'old' is no server line"),
        ("heap = ", "graphstore.toml: "),
        ("half_life = 0", "graphstore.toml: '0' is no half-life; write a number of days"),
        ("half_life = 'long'", "graphstore.toml: 'long' is no half-life"),
        ("half_life = inf", "graphstore.toml: 'inf' is no half-life"),
    ],
)
def test_an_unusable_value_is_named_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "graphstore.toml").write_text(text)
    with pytest.raises(SettingsError, match=message):
        Settings.load(tmp_path, {})


def test_runs_fade_only_where_a_half_life_is_set(tmp_path: Path) -> None:
    assert Settings.load(tmp_path, {}).half_life is None
    assert Settings.load(tmp_path, {"GRAPHSTORE_HALF_LIFE": "90"}).half_life == 90.0


def test_paths_are_absolute(tmp_path: Path) -> None:
    assert Settings.load(tmp_path, {"GRAPHSTORE_HOME": "~/store"}).home == Path.home() / "store"


def test_each_value_has_a_source(tmp_path: Path) -> None:
    (tmp_path / "graphstore.toml").write_text('line = "lts"\n')
    _, sources = Settings.traced(tmp_path, {"GRAPHSTORE_HEAP": "3g"}, uri="bolt://x")
    told = {name: sources[name] for name in ("uri", "heap", "line", "analyzer")}
    assert told == {"uri": "--uri", "heap": "GRAPHSTORE_HEAP", "line": "graphstore.toml", "analyzer": "default"}


@pytest.mark.parametrize(
    ("flags", "said"),
    [({"extractor": "bert"}, "'bert' is no extractor"), ({"gliner_threshold": "2"}, "between 0 and 1")],
)
def test_settings_of_extraction_are_checked(flags: dict[str, str], said: str):
    with pytest.raises(SettingsError, match=said):
        Settings.load(environment={}, **flags)


def test_gliner_is_asked_for_with_its_model_and_threshold(tmp_path):
    environment = {"GRAPHSTORE_EXTRACTOR": "gliner", "GRAPHSTORE_GLINER_MODEL": str(tmp_path)}
    found = Settings.load(tmp_path, environment, gliner_threshold="0.7")
    assert (found.extractor, found.gliner_model, found.gliner_threshold) == ("gliner", tmp_path, 0.7)


def test_what_is_a_secret_is_one_everywhere() -> None:
    from graphstore.doctor import _SECRETS

    assert {field.name for field in dataclasses.fields(Settings) if not field.repr} == set(_SECRETS)


def test_init_writes_every_setting_at_its_default_and_nothing_twice(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(["init", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {"file": str(tmp_path / "graphstore.toml")}
    text = (tmp_path / "graphstore.toml").read_text("utf-8")
    assert Settings.load(tmp_path, {}) == Settings()
    lines = re.findall(r"^# (\w+) =( .+)?$", text, re.MULTILINE)
    assert [name for name, _ in lines] == [field.name for field in dataclasses.fields(Settings)]
    (tmp_path / "graphstore.toml").write_text("\n".join(f"{name} ={value}" for name, value in lines if value))
    assert Settings.load(tmp_path, {}) == Settings()
    before = (tmp_path / "graphstore.toml").read_text("utf-8")
    assert run(["init"]) == 1
    assert "is there already" in capsys.readouterr().err
    assert (tmp_path / "graphstore.toml").read_text("utf-8") == before

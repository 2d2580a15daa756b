"""What `from graphstore import …` promises."""

from __future__ import annotations

import dataclasses
import inspect
import tomllib
from importlib import metadata, resources
from pathlib import Path

import graphstore
from graphstore import errors

ROOT = Path(__file__).parents[1]
STORES = (graphstore.GraphStore, graphstore.AsyncGraphStore)


def test_all_names_what_is_exported():
    typed = (ROOT / "graphstore" / "__init__.py").read_text("utf-8")
    assert sorted(graphstore.__all__) == list(graphstore.__all__)
    for name in graphstore.__all__:
        assert getattr(graphstore, name).__name__ == name
        assert name in typed.split("__all__")[0], f"{name} is not imported for type checkers"


def test_an_unknown_name_is_an_attribute_error():
    assert not hasattr(graphstore, "Neo4jGraph")


def test_results_are_frozen_dataclasses():
    classes = [getattr(graphstore, name) for name in graphstore.__all__]
    results = [c for c in classes if c not in STORES and not issubclass(c, Exception)]
    assert [c for c in results if not (dataclasses.is_dataclass(c) and c.__dataclass_params__.frozen)] == []


def test_options_are_keyword_only():
    # what a call is about, not how it is done
    subjects = {
        "connect(settings)",
        "query(params)",
        "stream(params)",
        "execute(params)",
        "build(what)",
        "tool_domains(query)",
        "undo_decision(id)",
    }
    loose = [
        f"{name}({parameter.name})"
        for store in STORES
        for name, method in inspect.getmembers(store, callable)
        if not name.startswith("_")
        for parameter in inspect.signature(method).parameters.values()
        if parameter.default is not parameter.empty and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
    ]
    assert set(loose) <= subjects


def test_the_asynchronous_store_has_the_same_methods():
    def methods(store: type) -> dict[str, inspect.Signature]:
        found = inspect.getmembers(store, inspect.isfunction)
        return {name: inspect.signature(method) for name, method in found if not name.startswith("_")}

    blocking, awaited = map(methods, STORES)
    blocking.pop("execute", None)  # a statement that is steered while it runs needs the thread that it runs in
    assert set(blocking) == set(awaited)
    assert [n for n in blocking if blocking[n].parameters.keys() != awaited[n].parameters.keys()] == []


def test_there_is_one_exception_tree():
    own = [c for _, c in inspect.getmembers(errors, inspect.isclass) if c.__module__ == errors.__name__]
    assert [c for c in own if issubclass(c, Exception) and not issubclass(c, graphstore.GraphStoreError)] == []


def test_every_public_class_and_method_is_documented():
    members = [getattr(graphstore, name) for name in graphstore.__all__]
    methods = [m for c in STORES for n, m in inspect.getmembers(c) if not n.startswith("_") and callable(m)]
    assert [m for m in [*members, *methods] if not (m.__doc__ or "").strip()] == []


def test_types_are_shipped():
    assert resources.files("graphstore").joinpath("py.typed").is_file()


def test_version_is_the_distributions():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert graphstore.__version__ == metadata.version("neo4j-graphstore") == project["version"]

"""The rules of docs/architecture.md that no linter knows, held against the source."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MODULES = sorted([*ROOT.glob("graphstore/**/*.py"), *ROOT.glob("loaders/**/*.py")])
SIZE = 300
# Modules that may be longer than SIZE lines, each with its reason.
LONGER = {
    "graphstore/db.py": "the one boundary to the driver: transactions, retries and its errors belong together",
}
HEAVY = ("torch", "sentence_transformers", "spacy", "onnxruntime", "tokenizers", "scipy", "pandas")
CYPHER = re.compile(r"\b(MATCH|MERGE|CREATE|DETACH DELETE|UNWIND|CALL)\s*(\(|\{|\$)")


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def trees() -> Iterator[tuple[str, ast.Module]]:
    for path in MODULES:
        yield name_of(path), ast.parse(path.read_text("utf-8"), str(path))


def package_of(name: str) -> list[str]:
    """The dotted package that a module stands in: loaders/ is graphstore.loaders."""
    parts = name.removesuffix(".py").split("/")[:-1]
    return ["graphstore", *parts] if parts[0] == "loaders" else parts


def imported(tree: ast.AST, package: list[str]) -> set[str]:
    """Every dotted name that the module imports, relative imports resolved, names imported from a module included."""
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            origin = ".".join([*base, *([node.module] if node.module else [])])
            found.update([origin, *(f"{origin}.{alias.name}" for alias in node.names)])
    return found


def under(names: set[str], root: str) -> bool:
    return any(name == root or name.startswith(root + ".") for name in names)


def importers(root: str) -> set[str]:
    return {name for name, tree in trees() if under(imported(tree, package_of(name)), root)}


def docstrings(tree: ast.AST) -> set[int]:
    owners = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    return {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, owners) and node.body and isinstance(node.body[0], ast.Expr)
    }


def test_only_db_imports_the_driver():
    assert importers("neo4j") <= {"graphstore/db.py"}


def test_only_settings_reads_the_environment():
    readers = {
        name
        for name, tree in trees()
        if imported(tree, package_of(name)) & {"os.environ", "os.getenv", "os.environb"}
        or any(
            isinstance(node, ast.Attribute) and node.attr in ("environ", "getenv", "environb")
            for node in ast.walk(tree)
        )
    }
    assert readers <= {"graphstore/settings.py"}


def test_loaders_are_imported_only_by_the_client_and_the_evaluation():
    users = {name for name in importers("graphstore.loaders") if not name.startswith("loaders/")}
    assert {name for name in users if not name.startswith(("graphstore/client/", "graphstore/evaluation/"))} == set()


FOUNDATIONS = (
    "errors",
    "counts",
    "names",
    "tokens",
    "records",
    "models",
    "findings",
    "folders",
    "values",
    "settings",
    "visibility",
    "page_models",
    "search_models",
)


@pytest.mark.parametrize("name", FOUNDATIONS)
def test_foundations_import_no_other_part(name: str):
    path = ROOT / "graphstore" / f"{name}.py"
    own = {i for i in imported(ast.parse(path.read_text("utf-8")), ["graphstore"]) if i.startswith("graphstore.")}
    assert {i for i in own if i.split(".")[1] not in FOUNDATIONS} == set()


def test_nothing_below_the_command_line_imports_it_or_the_client():
    above = {f"graphstore/{name}.py" for name in ("asynchronous", "__init__", "__main__")}
    parts = {name for name, _ in trees() if not name.startswith("graphstore/client/")} - above
    upward = importers("graphstore.client") | importers("graphstore.cli")
    assert {n for n in upward & parts if not n.startswith(("graphstore/cli/", "graphstore/evaluation/"))} == set()


def test_every_statement_is_in_a_cypher_file():
    inline = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        for skip in [docstrings(tree)]
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in skip
        # a hint that shows how to call `graphstore query` is text for the user, not a statement
        if CYPHER.search(node.value) and "graphstore query" not in node.value
    ]
    assert inline == []


def test_nothing_prints():
    prints = [
        f"{name}:{node.lineno}"
        for name, tree in trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]
    assert prints == []


def test_modules_are_short_or_say_why():
    lengths = {name_of(path): len(path.read_text("utf-8").splitlines()) for path in MODULES}
    long = {name: lines for name, lines in lengths.items() if lines > SIZE}
    assert {name: lines for name, lines in long.items() if name not in LONGER} == {}
    assert set(LONGER) <= set(lengths)
    assert {name: lines for name, lines in long.items() if lines > 500} == {}


def test_no_module_is_named_for_nothing():
    vague = {"utils.py", "helpers.py", "common.py", "manager.py", "misc.py"}
    assert [name_of(path) for path in MODULES if path.name in vague] == []


def loaded_by(code: str) -> set[str]:
    """Top-level names of the modules that a fresh interpreter holds after running ``code``."""
    report = "\nimport sys; sys.stderr.write('\\nLOADED ' + ' '.join({n.split('.')[0] for n in sys.modules}))"
    run = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, timeout=120)
    assert "LOADED" in run.stderr, run.stderr
    return set(run.stderr.rsplit("LOADED ", 1)[1].split())


def test_importing_graphstore_loads_nothing_heavy():
    assert loaded_by("import graphstore") & {*HEAVY, "numpy", "neo4j"} == set()


def test_help_loads_nothing_heavy():
    code = "import contextlib\nfrom graphstore.cli import main\nwith contextlib.suppress(SystemExit): main(['--help'])"
    assert loaded_by(code) & {*HEAVY, "numpy", "neo4j"} == set()


IMPORT_ALL = """
import importlib, pkgutil, sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ABSENT:
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)
sys.meta_path.insert(0, Absent())
import graphstore, graphstore.loaders
for package in (graphstore, graphstore.loaders):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)
"""


def test_every_module_imports_without_the_extras():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = {re.split(r"[^\w-]", r)[0] for rs in project["optional-dependencies"].values() for r in rs}
    absent = {extra.replace("-", "_") for extra in extras} | {"torch"}
    assert loaded_by(f"ABSENT = {absent!r}\n{IMPORT_ALL}") & absent == set()

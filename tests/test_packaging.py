"""What is built, locked and started is what the tree says."""

from __future__ import annotations

import fnmatch
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
FOLDERS = {"graphstore": "graphstore", "loaders": "graphstore/loaders", "cypher": "graphstore/cypher"}
SOURCES = [*FOLDERS, "pyproject.toml", "README.md", "LICENSE", "NOTICE"]
LOCKS = sorted((ROOT / "requirements").glob("*.txt"))


def tree(root: Path) -> set[str]:
    """Files of the three folders under the names that they have when installed."""
    found = set()
    for folder, installed in FOLDERS.items():
        for path in (root / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts and not path.name.startswith("."):
                found.add(f"{installed}/{path.relative_to(root / folder).as_posix()}")
    return found


def build(source: Path, target: Path, kind: str) -> Path:
    """A distribution made by the build back end itself: no index, no other environment."""
    code = f"import sys; from setuptools import build_meta; print(build_meta.build_{kind}(sys.argv[1]))"
    run = subprocess.run([sys.executable, "-c", code, str(target)], cwd=source, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return target / run.stdout.strip().splitlines()[-1]


@pytest.fixture(scope="module")
def source(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what is built, so that the working tree gets no build folder and lends none of its own."""
    copy = tmp_path_factory.mktemp("source")
    for name in SOURCES:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    return copy


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(source, tmp_path_factory.mktemp("wheel"), "wheel")


def contents(wheel: Path) -> set[str]:
    names = {name for name in zipfile.ZipFile(wheel).namelist() if not name.endswith("/")}
    return {name for name in names if ".dist-info/" not in name}


def test_wheel_holds_the_tree_and_nothing_else(source: Path, wheel: Path):
    assert contents(wheel) == tree(source)


def test_wheel_has_one_top_level(wheel: Path):
    assert {name.split("/")[0] for name in contents(wheel)} == {"graphstore"}


def test_wheel_carries_licence_and_notice(wheel: Path):
    licences = {name.split("/")[-1] for name in zipfile.ZipFile(wheel).namelist() if "/licenses/" in name}
    assert licences == {"LICENSE", "NOTICE"}


def test_wheel_made_from_the_sdist_is_the_same(wheel: Path, source: Path, tmp_path: Path):
    sdist = build(source, tmp_path, "sdist")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    assert contents(build(unpacked, tmp_path, "wheel")) == contents(wheel)


def test_wheel_works_away_from_the_tree(wheel: Path, tmp_path: Path):
    zipfile.ZipFile(wheel).extractall(tmp_path / "installed")
    code = (
        "import graphstore, graphstore.loaders, graphstore.cli; from graphstore import queries\n"
        "names = queries.names(); [queries.load(name) for name in names]; print(len(names), graphstore.__file__)"
    )
    environment = {"PYTHONPATH": str(tmp_path / "installed"), "PATH": "/usr/bin:/bin"}
    run = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    count, file = run.stdout.split()
    assert int(count) == len(list(ROOT.glob("cypher/*/*.cypher")))
    assert Path(file).is_relative_to(tmp_path)


@pytest.mark.parametrize(
    "pattern",
    [
        "py.typed",
        "encoders/models/*.onnx",
        "encoders/models/*NOTICE*",
        "server/*.lock.json",
        "sample/*.md",
        "sample/*.json",
    ],
)
def test_wheel_carries_the_data(wheel: Path, pattern: str):
    assert fnmatch.filter(contents(wheel), f"graphstore/{pattern}")


def test_every_package_of_the_tree_is_listed():
    listed = set(PROJECT["tool"]["setuptools"]["packages"])
    python = {Path(name).parent for name in tree(ROOT) if name.endswith(".py")}
    cypher = {Path(name).parent for name in tree(ROOT) if name.endswith(".cypher")}
    assert {".".join(folder.parts) for folder in python | cypher} <= listed


def test_editable_install_sees_the_tree():
    import graphstore.loaders

    assert Path(graphstore.loaders.__file__).parent in (ROOT / "loaders", Path(graphstore.__file__).parent / "loaders")
    assert resources.files("graphstore.cypher").joinpath("schema", "meta.cypher").is_file()


# --- locks ----------------------------------------------------------------------------------------------------------


def pins(lock: Path) -> dict[str, list[str]]:
    """Locked versions by name: several where Python versions differ."""
    found: dict[str, list[str]] = {}
    for name, version in re.findall(r"^([A-Za-z0-9._-]+)==([^ ;\\]+)", lock.read_text("utf-8"), re.MULTILINE):
        found.setdefault(canonicalize_name(name), []).append(version)
    return found


def wanted(*, semantic: bool) -> list[Requirement]:
    extras = PROJECT["project"]["optional-dependencies"]
    light = extras.keys() - {"gliner", "semantic"}
    chosen = [r for name, requirements in extras.items() if semantic or name in light for r in requirements]
    return [
        Requirement(r) for r in [*PROJECT["project"]["dependencies"], *chosen, *PROJECT["dependency-groups"]["dev"]]
    ]


@pytest.mark.parametrize("lock", LOCKS, ids=lambda path: path.name)
def test_lock_holds_names_versions_and_hashes_only(lock: Path):
    lines = [line for line in lock.read_text("utf-8").splitlines() if not line.lstrip().startswith("#")]
    requirement = re.compile(r"[A-Za-z0-9._-]+==\S+( ; [^\\]+)? \\")
    odd = [
        line for line in lines if not (requirement.fullmatch(line) or re.match(r" +--hash=sha256:[0-9a-f]{64}", line))
    ]
    assert odd == []
    heads = [index for index, line in enumerate(lines) if not line.startswith(" ")]
    assert [lines[index] for index in heads if "--hash=" not in lines[index + 1]] == []


@pytest.mark.parametrize(("lock", "semantic"), [("dev.txt", False), ("semantic.txt", True)])
def test_lock_serves_what_the_project_asks_for(lock: str, semantic: bool):
    locked = pins(ROOT / "requirements" / lock)
    stale = [
        str(requirement)
        for requirement in wanted(semantic=semantic)
        if not locked.get(canonicalize_name(requirement.name))
        or not all(requirement.specifier.contains(v) for v in locked[canonicalize_name(requirement.name)])
    ]
    assert stale == [], "run `make lock`"


def test_torch_comes_with_the_heavy_extras_only():
    assert "torch" not in pins(ROOT / "requirements" / "dev.txt")
    assert "torch" in pins(ROOT / "requirements" / "semantic.txt")


def test_no_file_names_a_registry():
    # put together here so that this file does not name them itself
    hosts = [name + "." + domain for name, domain in [("pypi", "org"), ("pythonhosted", "org"), ("maven", "org")]]
    listing = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listing.returncode:
        pytest.skip("not a git checkout")
    texts = {
        name: (ROOT / name).read_bytes() for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()
    }
    assert {name for name, text in texts.items() if any(host.encode() in text for host in hosts)} == set()


# --- docker compose -------------------------------------------------------------------------------------------------

COMPOSE = ROOT / "docker-compose.yml"


def test_compose_file_follows_the_compose_schema():
    command = [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec", str(COMPOSE)]
    run = subprocess.run(command, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


def test_compose_server_is_pinned_private_and_keeps_its_data():
    service = yaml.safe_load(COMPOSE.read_text("utf-8"))["services"]["neo4j"]
    assert re.fullmatch(r"neo4j:\d{4}\.\d{2}\.\d+", service["image"])
    assert [port for port in service["ports"] if not port.startswith("127.0.0.1:")] == []
    assert service["volumes"] == ["neo4j-data:/data"]
    assert "cypher-shell" in service["healthcheck"]["test"][1]
    environment = service["environment"]
    assert ":?" in environment["NEO4J_AUTH"], "no default password"
    assert json.loads(environment["NEO4J_PLUGINS"]) == ["graph-data-science"]
    assert environment["NEO4J_dbms_security_allow__csv__import__from__file__urls"] == "false"

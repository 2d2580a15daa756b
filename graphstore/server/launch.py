"""The command line that starts a server, with the options of Neo4j's own launcher."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from graphstore.server.home import Home
from graphstore.server.java import Java
from graphstore.server.lock import ServerLock

_OPTIONS = (
    "-XX:+UseG1GC",
    "-XX:-OmitStackTraceInFastThrow",
    "-XX:+DisableExplicitGC",
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:-UsePerfData",  # would write to the machine's common temporary folder
    "-Dfile.encoding=UTF-8",
    "-Djdk.nio.maxCachedBufferSize=1024",
    "-Dio.netty.tryReflectionSetAccessible=true",
    "-Dio.netty.leakDetection.level=DISABLED",
    "-Djdk.tls.ephemeralDHKeySize=2048",
    "-Djdk.tls.rejectClientInitiatedRenegotiation=true",
    "-Dlog4j2.disable.jmx=true",
    "-Dlog4j.layout.jsonTemplate.maxStringLength=32768",
    "--add-opens=java.base/java.nio=ALL-UNNAMED",
    "--add-opens=java.base/java.io=ALL-UNNAMED",
    "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
    "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
    "--enable-native-access=ALL-UNNAMED",
)


def command(
    home: Home, lock: ServerLock, jars: Sequence[Path], java: Java, heap: str, options: Sequence[str] = ()
) -> list[str]:
    """Arguments of the server process. No secret is among them: any user can read them in ``ps``."""
    arguments = [str(java.executable), f"-Xmx{heap}", f"-Djava.io.tmpdir={home.temporary}", *_OPTIONS]
    if java.version >= 24:
        arguments.append("--sun-misc-unsafe-memory-access=allow")
    return [
        *arguments,
        *options,
        "-cp",
        os.pathsep.join(map(str, jars)),
        lock.entry_point,
        f"--home-dir={home.root}",
        f"--config-dir={home.conf}",
        "--console-mode",
    ]


def link_plugins(home: Home, lock: ServerLock, jars: Sequence[Path]) -> None:
    """Show the server the jars it must scan for procedures, and no others."""
    folder = home.root / "plugins"
    wanted = {jar.name: jar for jar, file in zip(jars, lock.files, strict=True) if file.plugin}
    for path in folder.iterdir():
        if path.is_symlink() and path.name not in wanted:
            path.unlink()
    for name, jar in wanted.items():
        link = folder / name
        if not (link.is_symlink() and link.readlink() == jar):
            link.unlink(missing_ok=True)
            link.symlink_to(jar)

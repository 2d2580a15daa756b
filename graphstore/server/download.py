"""The server's jars: fetched by coordinate, checked against the lock, kept in a cache that all projects share."""

from __future__ import annotations

import hashlib
import os
import tempfile
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from itertools import takewhile
from pathlib import Path

from graphstore.errors import MissingExtra, ServerError
from graphstore.progress import Progress
from graphstore.server.lock import LockedFile, ServerLock

THREADS = 12
_ATTEMPTS = 3
_BLOCK = 1 << 18
_TIMEOUT = 60
_PAUSE = 0.5  # seconds, times the attempts made
_LABEL = "fetching Neo4j"


def fetch(lock: ServerLock, cache: Path, *, maven: str | None = None, progress: Progress | None = None) -> list[Path]:
    """Local paths of all jars of a server, in class path order, each with the hash that the lock states.

    Files already in the cache are hashed, not believed; what is missing or differs is fetched. A broken download
    leaves whole files only, so the next call goes on where this one stopped.

    :param cache: Folder that holds ``jars/``, laid out like a Maven repository.
    :param maven: Address of a Maven repository; jgo's own configuration, then Maven Central, if ``None``.
    :param progress: Told the bytes done and the bytes in all.
    :raises ServerError: no network, a full disk, or a file whose content differs from the lock.
    """
    root = cache / "jars"
    missing = [file for file, good in zip(lock.files, _verify_all(lock.files, root), strict=True) if not good]
    if missing:
        _fetch_missing(missing, root, _repositories(maven), lock.size, progress)
    return [root / file.path for file in lock.files]


def verified(file: LockedFile, path: Path) -> bool:
    """Whether ``path`` holds exactly the locked content."""
    try:
        if path.stat().st_size != file.size:
            return False
        with path.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == file.sha256
    except OSError:  # absent or unreadable: fetching it again says what is wrong, or mends it
        return False


def _verify_all(locked: Iterable[LockedFile], root: Path) -> list[bool]:
    with ThreadPoolExecutor(4) as pool:
        return list(pool.map(lambda file: verified(file, root / file.path), locked))


def _repositories(maven: str | None) -> list[str]:
    if maven:
        return [maven.rstrip("/")]
    try:
        from jgo.config import GlobalSettings
        from jgo.maven import MavenContext
    except ImportError as error:
        raise MissingExtra("jgo", "embedded") from error
    context = MavenContext(remote_repos=GlobalSettings.load().repositories or None)
    return [str(address).rstrip("/") for address in context.remote_repos.values()]


def _fetch_missing(
    missing: list[LockedFile], root: Path, repositories: list[str], total: int, progress: Progress | None
) -> None:
    done = total - sum(file.size for file in missing)
    guard = threading.Lock()
    stop = threading.Event()

    def advance(count: int) -> None:
        nonlocal done
        with guard:
            done += count
            if progress:
                progress(_LABEL, done, total)

    with ThreadPoolExecutor(THREADS) as pool:
        jobs = [pool.submit(_fetch_one, file, root / file.path, repositories, advance, stop) for file in missing]
        try:
            for job in as_completed(jobs):
                job.result()
        except BaseException:
            stop.set()
            pool.shutdown(wait=True, cancel_futures=True)
            raise


def _fetch_one(
    file: LockedFile, target: Path, repositories: list[str], advance: Callable[[int], None], stop: threading.Event
) -> None:
    """Fetch one file from the first repository that has it, or raise what went wrong last."""
    failure = ""
    for attempt in range(_ATTEMPTS * len(repositories)):
        if stop.wait(_PAUSE * attempt):
            return
        url = f"{repositories[attempt % len(repositories)]}/{file.path}"
        failure = _try(file, url, target, stop)
        if not failure:
            advance(file.size)
            return
    raise ServerError(
        f"cannot fetch {file.coordinate}: {failure}; check the network, or set GRAPHSTORE_MAVEN to a Maven mirror. "
        "What was fetched is kept: run the command again"
    )


def _try(file: LockedFile, url: str, target: Path, stop: threading.Event) -> str:
    """Fetch once; an empty text when the file is in place, else why not."""
    import requests

    try:
        with requests.get(url, stream=True, timeout=_TIMEOUT) as response:
            if response.status_code != 200:
                return f"HTTP {response.status_code}"
            blocks = takewhile(lambda _: not stop.is_set(), response.iter_content(_BLOCK))
            return _store(file, blocks, target)
    except requests.RequestException as error:
        return type(error).__name__


def _store(file: LockedFile, blocks: Iterable[bytes], target: Path) -> str:
    """Write to a temporary file beside the target and rename it only if size and hash are the lock's."""
    digest, size = hashlib.sha256(), 0
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=".part-")
        try:
            with os.fdopen(handle, "wb") as stream:
                for block in blocks:
                    size += len(block)
                    if size > file.size:
                        break
                    digest.update(block)
                    stream.write(block)
            if size != file.size or digest.hexdigest() != file.sha256:
                return f"its content differs from the lock ({size} of {file.size} bytes, sha256 {digest.hexdigest()})"
            os.replace(name, target)
            return ""
        finally:
            Path(name).unlink(missing_ok=True)
    except OSError as error:
        if _is_request_error(error):
            raise
        raise ServerError(
            f"cannot write {target}: {error.strerror or error}; "
            "free some disk space or set GRAPHSTORE_CACHE to another folder"
        ) from error


def _is_request_error(error: OSError) -> bool:
    import requests

    return isinstance(error, requests.RequestException)  # these are OSErrors too

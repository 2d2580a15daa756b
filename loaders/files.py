"""Files of a folder in a stable order, without leaving it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from graphstore.errors import LoadError
from graphstore.records import Rejected


def existing(path: str | os.PathLike[str]) -> Path:
    """The path, if a file or folder stands there.

    :raises LoadError: Nothing is there.
    """
    found = Path(path)
    if not found.exists():
        raise LoadError("no such file or folder", found)
    return found


def walk(root: Path) -> Iterator[tuple[Path, str] | Rejected]:
    """Each file below ``root`` with its path relative to it (with ``/``), sorted by name.

    Hidden files and folders are passed over. Links that leave ``root``, lead back into a folder above them or to a
    folder that another link led to, names that are not Unicode, and what is no regular file come as rejected: nothing
    outside ``root`` is ever opened, and the walk ends.
    """
    real = Path(os.path.realpath(root))
    yield from _Walk(real).folder(root, "", (str(real),))


class _Walk:
    def __init__(self, root: Path) -> None:
        self._root = root
        self._linked: set[str] = set()  # folders reached by a link: each once, or crossing links would multiply

    def folder(self, folder: Path, prefix: str, above: tuple[str, ...]) -> Iterator[tuple[Path, str] | Rejected]:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            yield Rejected(prefix or str(folder), None, f"cannot be listed ({error.strerror or error})")
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            relative = f"{prefix}{entry.name}"
            reason = self._refusal(entry, above)
            if reason:
                yield Rejected(relative.encode("utf-8", "backslashreplace").decode(), None, reason)
            elif entry.is_dir():
                yield from self.folder(Path(entry.path), relative + "/", (*above, os.path.realpath(entry.path)))
            else:
                yield Path(entry.path), relative

    def _refusal(self, entry: os.DirEntry[str], above: tuple[str, ...]) -> str | None:
        try:
            entry.name.encode("utf-8")
            mode = entry.stat().st_mode
        except UnicodeEncodeError:
            return "its name is not Unicode: rename it"
        except OSError as error:
            return f"cannot be opened ({error.strerror or error})"
        if entry.is_symlink():
            target = os.path.realpath(entry.path)
            if not Path(target).is_relative_to(self._root):
                return "a link that leaves the folder: not followed"
            if target in above:
                return "a link to a folder above it: not followed"
            if stat.S_ISDIR(mode):
                if target in self._linked:
                    return "a second link to the same folder: not followed"
                self._linked.add(target)
        return None if stat.S_ISREG(mode) or stat.S_ISDIR(mode) else "not a regular file"

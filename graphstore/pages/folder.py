"""A folder of files that are ours, changed as one set as far as a file system lets one.

What is new or changed is first written whole into a folder beside, inside the same file system. Only when all of it is
there is it moved into place, file by file, each move atomic; then what is gone is removed, and the manifest says so. So

- a reader never sees half a file;
- while files are made, which takes long, nothing that a reader sees changes, and an export that fails or is killed
  then leaves the folder as it was;
- during the moves, which take moments, a reader may see new files beside old ones. The manifest says
  ``complete: false`` from before the first move until after the last; one that was killed in between is finished by
  the next export.

More cannot be promised: no system but Linux swaps two folders at once, and the folder may hold files of others.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import time
import uuid
from pathlib import Path
from typing import Any

from graphstore.errors import LoadError
from graphstore.pages.paths import DOCUMENTS, INDEX, PAGES, REVERSE, folded

MANIFEST = ".graphstore-export.json"
TEMPORARY = ".graphstore-part-"
_OURS = re.compile(rf"{re.escape(INDEX)}|{re.escape(REVERSE)}|(?:{PAGES}|{DOCUMENTS})/.+\.md")
_PATIENCE = (0.05, 0.2, 0.5, 1.0)  # seconds between tries: Windows refuses to replace a file that is being read


class Folder:
    """The files of one export, staged and then published. Use as a context manager; one export a folder at a time.

    :raises LoadError: the folder is a file, holds files that are not ours, or its manifest is damaged.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._manifest = root / MANIFEST
        self._old, self._was_complete = self._read_manifest()
        self._spelled = {folded(name): name for name in self._old}
        self._respelled: list[str] = []
        self._staged: list[str] = []
        self._inside: set[str] = set()
        self._seen: set[str] = set()
        self._stage = root / f"{TEMPORARY}{uuid.uuid4().hex}"

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *exc: object) -> None:
        shutil.rmtree(self._stage, ignore_errors=True)

    def add(self, name: str, text: str) -> None:
        """Make this the text of a file; staged only if the folder holds another or none.

        :raises LoadError: another file stands there, or the way leads out of the folder.
        """
        known = self._spelled.get(folded(name), "")
        if not known and os.path.lexists(self._root / name):
            raise LoadError(f"{name} is there and graphstore did not write it: name another folder", self._root)
        self._require_inside(str(Path(name).parent))
        self._seen.add(name)
        data = text.encode("utf-8")
        path = self._root / name
        if known in ("", name):
            with contextlib.suppress(FileNotFoundError):
                if not path.is_symlink() and path.read_bytes() == data:
                    return
        else:
            self._respelled.append(known)
        target = self._stage / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        self._staged.append(name)

    def publish(self) -> tuple[int, int]:
        """Number of files written and removed: what was added is now what the folder holds.

        Pages and documents first, then index files, so that the index never names what is not there yet; what is gone
        is removed last, so that no link of an old file breaks before.
        """
        gone = sorted(self._old - self._seen)
        for name in gone:
            self._require_inside(str(Path(name).parent))
        self._root.mkdir(parents=True, exist_ok=True)
        if self._staged or gone or not self._was_complete or not self._manifest.is_file():
            # of an interrupted export, too, we know what is ours
            self._write_manifest(self._old | self._seen, complete=False)
            for name in self._respelled:  # elsewhere it is the very file that is about to be written
                (self._root / name).unlink(missing_ok=True)
            for name in sorted(self._staged, key=lambda each: ("/" not in each, each)):
                (self._root / name).parent.mkdir(parents=True, exist_ok=True)
                _replace(self._stage / name, self._root / name)
            for name in gone:
                if name not in self._respelled:
                    (self._root / name).unlink(missing_ok=True)
                self._prune((self._root / name).parent)
            self._write_manifest(self._seen, complete=True)
        for left in self._root.glob(f"{TEMPORARY}*"):  # by an export that was killed
            shutil.rmtree(left) if left.is_dir() else left.unlink(missing_ok=True)
        return len(self._staged), len(gone)

    def _read_manifest(self) -> tuple[frozenset[str], bool]:
        """Files that are ours, and whether the export that wrote them was finished."""
        if not self._root.exists():
            return frozenset(), True
        if not self._root.is_dir():
            raise LoadError("is a file: name a folder", self._root)
        try:
            manifest: dict[str, Any] = json.loads(self._manifest.read_text("utf-8"))
            # a manifest from elsewhere must not make us remove anything but files of our own kind
            names = [name for name in manifest["files"] if _OURS.fullmatch(name) and ".." not in name.split("/")]
            return frozenset(names), bool(manifest.get("complete", True))
        except FileNotFoundError:
            if any(not each.name.startswith(TEMPORARY) for each in self._root.iterdir()):
                raise LoadError("holds files that graphstore did not write: name an empty folder", self._root) from None
            return frozenset(), True
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise LoadError(f"{MANIFEST} is damaged: name an empty folder", self._root) from error

    def _write_manifest(self, names: set[str] | frozenset[str], *, complete: bool) -> None:
        data = {"format": 1, "complete": complete, "files": sorted(names)}
        temporary = self._root / f"{TEMPORARY}{uuid.uuid4().hex}"
        temporary.write_bytes(json.dumps(data, ensure_ascii=False, indent=0).encode())
        _replace(temporary, self._manifest)

    def _require_inside(self, folder: str) -> None:
        if folder in self._inside:
            return
        self._inside.add(folder)
        real, target = os.path.realpath(self._root), os.path.realpath(self._root / folder)
        if os.path.commonpath([real, target]) != real:
            raise LoadError(f"{folder} is a link that leaves the folder: remove it", self._root)

    def _prune(self, folder: Path) -> None:
        while folder != self._root:
            try:
                folder.rmdir()
            except OSError:  # not empty
                return
            folder = folder.parent


def _replace(source: Path, target: Path) -> None:
    for seconds in _PATIENCE:
        try:
            os.replace(source, target)
        except PermissionError:
            time.sleep(seconds)
        else:
            return
    os.replace(source, target)

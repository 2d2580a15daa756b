"""Answers of a model, kept so that a run that was killed pays for none of them again.

An answer is kept under the hash of all that was asked: model, address, instructions, text, schema, settings. It lies on
a *shelf*, such as a document's, so that what came of a document goes when the document goes or changes. Answers hold
what texts say: the files are readable by their owner only.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

_FOLDER = "llm"


class Shelf(NamedTuple):
    """Where answers lie.

    :param name: Whose they are.
    :param edition: Of which state of it.
    """

    name: str
    edition: str = "-"


class Answers:
    """Answers in a folder, one file each, written whole or not at all; several processes may use it at once."""

    def __init__(self, cache: Path) -> None:
        self.folder = cache / _FOLDER

    def get(self, shelf: Shelf, key: str) -> dict[str, Any] | None:
        """The kept answer; ``None`` if there is none, or one that cannot be read."""
        try:
            found = json.loads(self._path(shelf, key).read_text("utf-8"))
        except (OSError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, shelf: Shelf, key: str, answer: dict[str, Any]) -> None:
        """Keep an answer."""
        path = self._path(shelf, key)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".part")  # mode 0600
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                json.dump(answer, file, ensure_ascii=True)
            os.replace(name, path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(name)
            raise

    def drop(self, shelf: Shelf, keys: Iterable[str]) -> None:
        """Keep these answers no longer: they turned out to be unusable."""
        for key in keys:
            self._path(shelf, key).unlink(missing_ok=True)

    def only(self, shelf: Shelf) -> None:
        """Keep nothing of other editions."""
        with contextlib.suppress(FileNotFoundError):
            for edition in self._folder(shelf.name).iterdir():
                if edition.name != shelf.edition:
                    shutil.rmtree(edition, ignore_errors=True)

    def clear(self, names: Iterable[str]) -> None:
        """Keep nothing that came of these."""
        for name in names:
            shutil.rmtree(self._folder(name), ignore_errors=True)

    def _folder(self, name: str) -> Path:
        return self.folder / hashlib.sha256(name.encode()).hexdigest()[:32]

    def _path(self, shelf: Shelf, key: str) -> Path:
        return self._folder(shelf.name) / shelf.edition / f"{key}.json"


def digest(asked: Any) -> str:
    """The hash of all that was asked, in 32 hexadecimal digits."""
    text = json.dumps(asked, ensure_ascii=True, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:32]

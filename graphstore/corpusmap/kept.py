"""The state of a store's resolver in the cache folder, so that another process reads only what differs since.

What a state is made of stands in it: the hash of each document, extraction and record, and each decision of a person.
:class:`~graphstore.corpusmap.stored.StoredResolver` compares all of them with the store and takes in what differs, as
it does when another process wrote meanwhile; hence a state can be old, but nothing that comes of it can be stale. A
state of other code is not read at all.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import sys
import tempfile
import unicodedata
from contextlib import suppress
from functools import cache as once
from importlib.metadata import version
from pathlib import Path
from typing import Any

from graphstore.corpusmap.directory import Directory, Known
from graphstore.corpusmap.rulings import Ruling
from graphstore.corpusmap.shelf import Shelf

_FOLDER = "resolver"
_REST = "rest"
_PACKAGE = Path(__file__).parent.parent
_SOURCES = ("corpusmap/**/*.py", "names.py")
_LIBRARIES = ("rapidfuzz",)

_CLASSES: dict[tuple[str, str], type] = {
    (each.__module__, each.__qualname__): each for each in (Directory, Known, Ruling)
}
"""All that a state holds beside tables and plain containers; one that names anything else is not read."""

State = Any


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        try:
            return _CLASSES[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"no part of a state: {module}.{name}") from None


def open_state(cache: Path, store: str, shelf: Shelf) -> State | None:
    """What this code kept last of a store beside its tables, which the shelf holds then.

    ``None`` if there is none, or it is damaged; the shelf is as empty as it was.
    """
    try:
        return shelf.take_over(_file(cache, store), lambda rest: _Unpickler(io.BytesIO(rest[_REST])).load())
    except Exception:  # absent, cut off, or of other code: the store has it all
        return None


def save_state(cache: Path, store: str, shelf: Shelf, state: State) -> None:
    """Nothing; the shelf and the state beside it are in the cache folder, and the only ones of their store.

    A cache is never needed: where it cannot be written (a full disk, no permission) it is left out.
    """
    target = _file(cache, store)
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=".part-", dir=target.parent)  # for this user's eyes only
        os.close(descriptor)
        part = Path(name)
        try:
            shelf.save(part, {_REST: pickle.dumps(state, protocol=5)})
            os.replace(part, target)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
        for other in target.parent.iterdir():
            if other != target and not other.name.startswith("."):
                other.unlink(missing_ok=True)


def purge_state(cache: Path, store: str) -> None:
    """Nothing; no state of the store is left in the cache folder."""
    with suppress(OSError):
        for each in (cache / _FOLDER / store).iterdir():
            each.unlink(missing_ok=True)


def _file(cache: Path, store: str) -> Path:
    return cache / _FOLDER / store / f"{_made_by()}.state"


@once
def _made_by() -> str:
    """Hash of all code and data that decisions depend on beside what is stored."""
    found = hashlib.sha256(repr([sys.version, unicodedata.unidata_version, *map(version, _LIBRARIES)]).encode())
    for pattern in _SOURCES:
        for source in sorted(_PACKAGE.glob(pattern)):
            found.update(source.relative_to(_PACKAGE).as_posix().encode())
            found.update(source.read_bytes())
    return found.hexdigest()[:16]

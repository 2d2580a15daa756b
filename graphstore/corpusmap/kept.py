"""The state of a store's resolver in the cache folder, so that another process reads only what differs since.

What a state is made of stands in it: the hash of each document, extraction and record, and each decision of a person.
:class:`~graphstore.corpusmap.stored.StoredResolver` compares all of them with the store and takes in what differs, as
it does when another process wrote meanwhile; hence a state can be old, but nothing that comes of it can be stale. A
state of other code is not read at all.
"""

from __future__ import annotations

import gc
import hashlib
import os
import pickle
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache as once
from importlib.metadata import version
from pathlib import Path
from typing import IO, Any

from graphstore.corpusmap.choice import Outcome
from graphstore.corpusmap.decisions import Entity, Link, Unresolved
from graphstore.corpusmap.directory import Directory, Known
from graphstore.corpusmap.evidence import Evidence
from graphstore.corpusmap.extraction import Extraction, Group, Name, StatedAlias, Window
from graphstore.corpusmap.homonyms import Bearer
from graphstore.corpusmap.index import Index
from graphstore.corpusmap.locals import Local
from graphstore.corpusmap.registry import Entry
from graphstore.corpusmap.rulings import Ruling

_FOLDER = "resolver"
_PACKAGE = Path(__file__).parent.parent
_SOURCES = ("corpusmap/**/*.py", "names.py")
_LIBRARIES = ("rapidfuzz",)

_CLASSES: dict[tuple[str, str], type] = {
    (each.__module__, each.__qualname__): each
    for each in (
        *(Bearer, Counter, Directory, Entity, Entry, Evidence, Extraction, Group, Index, Known, Link, Local, Name),
        *(Outcome, Ruling, StatedAlias, Unresolved, Window),
    )
}
"""All that a state holds beside plain containers; a file that names anything else is not read."""

State = Any


class _Unpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> type:
        try:
            return _CLASSES[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"no part of a state: {module}.{name}") from None


def open_state(cache: Path, store: str) -> State | None:
    """The state of a store that this code kept last; ``None`` if there is none, or it is damaged."""
    try:
        with _file(cache, store).open("rb") as file, _uncollected():
            return _Unpickler(file).load()
    except Exception:  # absent, cut off, or of other code: the store has it all
        return None


def save_state(cache: Path, store: str, state: State) -> None:
    """Nothing; the state is in the cache folder, and the only one of its store.

    A cache is never needed: where it cannot be written (a full disk, no permission) it is left out.
    """
    target = _file(cache, store)
    with suppress(OSError):
        target.parent.mkdir(parents=True, exist_ok=True)
        part = Path(tempfile.mkstemp(prefix=".part-", dir=target.parent)[1])  # mkstemp: for this user's eyes only
        try:
            with part.open("wb") as file, _uncollected():
                _dump(file, state)
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


def _dump(file: IO[bytes], state: State) -> None:
    pickle.Pickler(file, protocol=5).dump(state)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of cycles: it would look through millions of new objects again and again."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@once
def _made_by() -> str:
    """Hash of all code and data that decisions depend on beside what is stored."""
    found = hashlib.sha256(repr([sys.version, unicodedata.unidata_version, *map(version, _LIBRARIES)]).encode())
    for pattern in _SOURCES:
        for source in sorted(_PACKAGE.glob(pattern)):
            found.update(source.relative_to(_PACKAGE).as_posix().encode())
            found.update(source.read_bytes())
    return found.hexdigest()[:16]

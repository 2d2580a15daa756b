"""Where a data set lies: under a name that the evaluation knows, or in a folder of the same form."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

from graphstore.errors import LoadError
from graphstore.settings import Settings


def data_folder(name: str, kind: str, known: Collection[str]) -> Path:
    """The folder of a data set.

    :param name: One of ``known``, or a folder.
    :param kind: Where known ones lie under ``GRAPHSTORE_DATA``, such as ``"docs"``.
    :raises LoadError: it is not there.
    """
    if name not in known:
        folder = Path(name)
        if not folder.is_dir():
            raise LoadError(f"is neither a folder nor one of {', '.join(known)}", name)
        return folder
    data = Settings.load().data
    if data is None:
        raise LoadError(f"set GRAPHSTORE_DATA to the folder that holds {kind}/{name}, or name a folder", name)
    folder = data / kind / name
    if not folder.is_dir():
        raise LoadError("is not there: GRAPHSTORE_DATA must name the folder that holds it", str(folder))
    return folder

"""Where the data sets lie."""

from __future__ import annotations

from pathlib import Path

from graphstore import Settings


def data_folder() -> Path:
    """The folder named by GRAPHSTORE_DATA, else ``shared/data`` beside the checkout.

    :raises SystemExit: it is not there.
    """
    folder = Settings.load().data or Path(__file__).parents[2] / "shared" / "data"
    if not folder.is_dir():
        raise SystemExit(f"no data sets at {folder}: set GRAPHSTORE_DATA")
    return folder

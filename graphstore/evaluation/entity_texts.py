"""Collections of texts whose entities are known, told by their names or by the files of a folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from graphstore.evaluation import ecb_plus, ecb_report, people_report, people_texts, wiki_titles
from graphstore.evaluation.data_folders import data_folder
from graphstore.progress import Progress


class Report(Protocol):
    """Makes the report of a collection in a folder."""

    def __call__(self, folder: Path, *, protocol: str | None, progress: Progress) -> dict[str, Any]:
        """The report, as ``--json`` prints it."""


COLLECTIONS: dict[str, tuple[str, Report]] = {
    "ecb-plus": (ecb_plus.FILE, ecb_report.ecb_figures),
    "2wikimultihopqa-101": (wiki_titles.FILE, wiki_titles.wiki_figures),
    "enterprisebench-people": (people_texts.FILE, people_report.people_figures),
}
"""By name, which is that of its folder below ``docs``: the file that tells it, and what evaluates it."""


def collection(name: str) -> tuple[Report, Path] | None:
    """What evaluates a named collection or a folder of its form, and the folder; ``None`` if it is none of them.

    :raises LoadError: a named one is not there.
    """
    if name in COLLECTIONS:
        return COLLECTIONS[name][1], data_folder(name, "docs", COLLECTIONS)
    path = Path(name)
    if path.is_dir():
        for file, report in COLLECTIONS.values():
            if (path / file).is_file():
                return report, path
    return None

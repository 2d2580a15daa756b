"""UltraTool's history: the tasks outside the official test split, as a file that ``graphstore load logs`` reads.

    python benchmarks/ultratool_history.py history.jsonl

The lines are the data set's own, unaltered.
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from datasets import data_folder


def dataset() -> Path:
    """The folder of the data set.

    :raises SystemExit: it is not there.
    """
    return data_folder() / "tools" / "ultratool"


def test_ids(folder: Path) -> set[str]:
    """Ids of the 500 tasks of the official test split."""
    return set(json.loads((folder / "split_ids.json").read_text("utf-8"))["test_ids"]["chain"])


def tasks(folder: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every task: its line, and what it says."""
    with gzip.open(folder / "data.json.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                yield line.strip(), json.loads(line)


def write_history(folder: Path, target: Path) -> int:
    """The number of tasks written to ``target``, one a line."""
    held_out = test_ids(folder)
    lines = [line for line, task in tasks(folder) if task["id"] not in held_out]
    target.write_text("\n".join(lines) + "\n", "utf-8")
    return len(lines)


def main() -> None:
    """Write the history."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("target", type=Path, help="the file to write")
    target = parser.parse_args().target
    print(f"{write_history(dataset(), target)} tasks in {target}")


if __name__ == "__main__":
    main()

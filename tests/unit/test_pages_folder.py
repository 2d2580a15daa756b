"""A folder of exported files: whole or as it was, whenever the export is killed."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from graphstore.errors import LoadError
from graphstore.pages import folder as module
from graphstore.pages.folder import MANIFEST, TEMPORARY, Folder

OLD = {"index.md": "one", **{f"pages/p{i}.md": f"page {i}" for i in range(6)}, "documents/gone.md": "gone"}
NEW = {"index.md": "two", **{f"pages/p{i}.md": f"page {i} again" for i in range(4)}, "documents/new.md": "new"}


def write(root: Path, files: dict[str, str]) -> tuple[int, int]:
    with Folder(root) as folder:
        for name, text in files.items():
            folder.add(name, text)
        return folder.publish()


def tree(root: Path) -> dict[str, str]:
    """The files, without the manifest and what is staged."""
    found = {file.relative_to(root).as_posix(): file.read_text() for file in root.rglob("*") if file.is_file()}
    return {name: text for name, text in found.items() if not name.startswith((MANIFEST, TEMPORARY))}


def complete(root: Path) -> bool:
    return bool(json.loads((root / MANIFEST).read_text())["complete"])


def test_only_what_differs_is_written_and_what_is_gone_is_removed(tmp_path: Path):
    assert write(tmp_path / "out", OLD) == (8, 0)
    assert write(tmp_path / "out", OLD) == (0, 0)
    assert write(tmp_path / "out", NEW) == (6, 3)
    assert tree(tmp_path / "out") == NEW
    assert not list((tmp_path / "out").glob(f"{TEMPORARY}*"))


def test_an_export_that_fails_before_it_is_published_leaves_the_folder_as_it_was(tmp_path: Path):
    write(tmp_path, OLD)
    with Folder(tmp_path) as folder:
        for name, text in NEW.items():
            folder.add(name, text)
    assert (tree(tmp_path), complete(tmp_path)) == (OLD, True)
    assert not list(tmp_path.glob(f"{TEMPORARY}*"))


KILLED = """
import json, os, pathlib, signal, sys
from graphstore.pages import folder
root, files, at = pathlib.Path(sys.argv[1]), json.loads(sys.argv[2]), int(sys.argv[3])
steps = 0
def step(event, args):
    # before every change to the file system that an export makes, without its knowledge
    global steps
    if event in ("os.rename", "os.remove", "os.rmdir", "os.mkdir") or event == "open" and "w" in str(args[1]):
        steps += 1
        if steps == at:
            os.kill(os.getpid(), signal.SIGKILL)
sys.addaudithook(step)
with folder.Folder(root) as open_folder:
    for name, text in files.items():
        open_folder.add(name, text)
    open_folder.publish()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("at", [1, 4, 9, 14, 16, 17, 18, 20, 22, 23, 24, 26])
def test_a_killed_export_shows_whole_files_only_and_is_finished_by_the_next(tmp_path: Path, at: int):
    write(tmp_path, OLD)
    run = subprocess.run([sys.executable, "-c", KILLED, str(tmp_path), json.dumps(NEW), str(at)], timeout=60)
    seen = tree(tmp_path)
    for name, text in seen.items():
        assert text in (OLD.get(name), NEW.get(name)), "half a file, or one of neither export"
    if complete(tmp_path):
        assert seen in (OLD, NEW), "what is said to be complete is"
    if run.returncode == 0:
        assert seen == NEW
    write(tmp_path, NEW)
    assert (tree(tmp_path), complete(tmp_path)) == (NEW, True)
    assert not list(tmp_path.glob(f"{TEMPORARY}*"))


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
def test_the_kills_above_come_before_in_and_after_the_moves(tmp_path: Path):
    found = set()
    for at in (1, 9, 16, 20, 40):
        root = tmp_path / str(at)
        write(root, OLD)
        subprocess.run([sys.executable, "-c", KILLED, str(root), json.dumps(NEW), str(at)], timeout=60)
        found.add("old" if tree(root) == OLD else "new" if tree(root) == NEW else "between")
    assert found == {"old", "between", "new"}


def test_a_name_that_changed_its_case_only_is_written_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, {"documents/Notes.md": "text", "index.md": "i"})
    assert write(tmp_path, {"documents/notes.md": "text", "index.md": "i"}) == (1, 1)
    assert tree(tmp_path) == {"documents/notes.md": "text", "index.md": "i"}


def test_a_file_that_is_being_read_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    write(tmp_path, OLD)
    tries = []
    real = os.replace

    def busy(source: Path, target: Path) -> None:
        tries.append(target)
        if len(tries) < 3:
            raise PermissionError(13, "in use")
        real(source, target)

    monkeypatch.setattr(module.os, "replace", busy)
    monkeypatch.setattr(module, "_PATIENCE", (0.0, 0.0, 0.0))
    write(tmp_path, NEW)
    assert tree(tmp_path) == NEW


def test_a_folder_that_was_not_ours_is_refused(tmp_path: Path):
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(LoadError, match="graphstore did not write: name an empty folder"):
        Folder(tmp_path)

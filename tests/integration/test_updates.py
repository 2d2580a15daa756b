"""New documents join the corpus map: what they tell is found, and pages that they do not touch stay as they are."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from graphstore.client import GraphStore
from graphstore.settings import Settings

if TYPE_CHECKING:
    from graphstore.db import Database
    from graphstore.encoders import Encoder

BEFORE = {
    "plan.md": "# Project Atlas\n\nProject Atlas is led by Ingrid Solheim. Harrowgate Ltd hosts Project Atlas.",
    "minutes.md": "# Minutes\n\nIngrid Solheim reported on Project Atlas.",
    "lease.md": "# Lease\n\nHarrowgate Ltd rents a hall from Balder Property Ltd.",
    "tax.md": "# Tax\n\nBalder Property Ltd pays the tax of the hall.",
}
NEW = {
    "certificate.md": "# Certificate\n\nThe Norrfjord certificate that Ingrid Solheim waits for expires on 4 June 2026."
}
QUESTION = "When does the certificate expire that the lead of Project Atlas waits for?"


def written(folder: Path, texts: dict[str, str]) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    return folder


def pages(store: GraphStore, folder: Path) -> dict[str, bytes]:
    store.export_pages(folder)
    return {file.name: file.read_bytes() for file in (folder / "pages").rglob("*.md")}


def test_new_documents_are_found_and_change_only_the_pages_that_link_them(
    db: Database, encoder: Encoder, tmp_path: Path
):
    store = GraphStore(db, encoder, Settings.load(cache=tmp_path / "cache"))
    store.load_documents(written(tmp_path / "docs", BEFORE))
    assert "certificate.md" not in [hit.path for hit in store.search(QUESTION).documents]
    before = pages(store, tmp_path / "before")

    written(tmp_path / "docs", NEW)
    assert store.load_documents(tmp_path / "docs").created == 1

    assert "certificate.md" in [hit.path for hit in store.search(QUESTION, k=3).documents]
    after = pages(store, tmp_path / "after")
    changed = {name for name in before if before[name] != after.get(name)}
    assert changed == {name for name in before if b"certificate.md" in after.get(name, b"certificate.md")}
    assert any("solheim" in name for name in changed)
    assert any("balder" in name for name in before.keys() - changed)
    assert any("atlas" in name for name in before.keys() - changed)

"""A hundred links of titles in other documents' texts, each judged by reading both texts: how many are right.

    python benchmarks/title_links.py            the figure
    python benchmarks/title_links.py --open     links of the sample that nobody has judged yet, with their texts

The sample is drawn with a seed from the links of ``graphstore eval entities 2wikimultihopqa-101``. What was judged is
in ``samples/title_links.json``: a hash of document and title, whether the text means that document, and why, in a word.
Another version links a little more or less, so that a few of its sample may be open; a link is judged once.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import sys
from pathlib import Path

from graphstore.evaluation.data_folders import data_folder
from graphstore.evaluation.entities import entity_figures
from graphstore.evaluation.entity_texts import COLLECTIONS
from graphstore.evaluation.wiki_titles import FILE, matches

NAME = "2wikimultihopqa-101"
JUDGED = Path(__file__).parent / "samples" / "title_links.json"
_BEGINNING, _AROUND = 300, 120


def key_of(document: str, title: str) -> str:
    """What a link is known by in the file: no text of the collection."""
    return hashlib.sha256(f"{document}\n{title}".encode()).hexdigest()[:16]


def show(open_links: list[tuple[str, str]]) -> None:
    """Print each link with the beginning of the document that it leads to, and what surrounds it."""
    with gzip.open(data_folder(NAME, "docs", COLLECTIONS) / FILE, "rt", encoding="utf-8") as file:
        texts = {row["title"]: row["text"] for row in json.load(file)}
    places = {(match.document, match.title): match for match in matches(texts) if match.how == "local"}
    for document, title in open_links:
        match = places[document, title]
        around = texts[document][max(0, match.start - _AROUND) : match.end + _AROUND]
        print(f"{key_of(document, title)}\n  {document} → {title}\n  … {around}\n  = {texts[title][:_BEGINNING]}\n")


def main() -> None:
    """Print the share of right links, or the links that are open."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--open", action="store_true", help="show the links that are not judged yet")
    options = parser.parse_args()
    judged = {row["link"]: row["right"] for row in json.loads(JUDGED.read_text("utf-8"))["links"]}
    sample = [(document, title) for document, title in entity_figures(NAME, progress=lambda *_: None)["sample"]]
    open_links = [pair for pair in sample if key_of(*pair) not in judged]
    if options.open:
        show(open_links)
        return
    verdicts = [judged[key_of(*pair)] for pair in sample if key_of(*pair) in judged]
    print(f"{sum(verdicts)} of {len(verdicts)} links right, {len(open_links)} of the sample not judged")
    if not verdicts or sum(verdicts) < 0.92 * len(verdicts):
        sys.exit("fewer than 92 of 100 links are right")


if __name__ == "__main__":
    main()

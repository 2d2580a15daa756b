"""What building the corpus map costs without the store: extraction and resolution, full, step by step, in any order.

    python benchmarks/corpus_build.py [--documents N] [--large N] [--out FILE]

Synthetic texts of about 120 words with names of people, organisations and projects: a few common, most rare, so that
names grow with the documents. Extraction runs on N texts; resolution on extractions of that shape without a model, so
that it can be measured at sizes for which extraction would take hours. *Growth* is the time of a batch of 256 new
documents in a large registry over that in one of 1,000 documents. *One per cent* is a fresh resolver that reads all
stored extractions of N documents, decides, and then takes in 1 % more: both parts are given, against all from texts.
"""

from __future__ import annotations

import argparse
import json
import random
import resource
import time
from pathlib import Path
from typing import Any

from graphstore.corpusmap.decisions import Link
from graphstore.corpusmap.extract import extract
from graphstore.corpusmap.extraction import Extraction, Name, from_json
from graphstore.corpusmap.keys import name_key
from graphstore.corpusmap.resolve import Resolver
from graphstore.corpusmap.types import ORGANISATION, PERSON, PROJECT
from graphstore.evaluation.entity_metrics import b_cubed
from graphstore.records import SourceDocument

_GIVEN = "Anna Ben Clara David Elena Farid Grace Hugo Ines Jonas Karin Liam Mira Noah Olga Pavel Rita Sven Tara Uwe"
FIRST = tuple(_GIVEN.split(" "))
SYLLABLES = tuple(left + right for left in "bdfghklmnprstv" for right in "aeio")
_PROSE = (
    "The team met to look at the budget and the schedule for the next quarter. Several points were still open and "
    "the group agreed to come back to them later. Costs rose by a small part and delivery is planned for the autumn. "
)
FILLER = _PROSE.split(" ")


class Corpus:
    """Texts and extractions, each a function of its number."""

    def __init__(self, size: int) -> None:
        self.size = size

    def names(self, number: int) -> list[tuple[str, str]]:
        """Written names of a document with their types: two common ones, the others rare."""
        draw = random.Random(number)
        few, many = self.size // 50 + 20, self.size // 2 + 50
        numbers = [draw.randrange(few), draw.randrange(few), *(few + draw.randrange(many) for _ in range(3))]
        return [_name(each) for each in numbers]

    def text(self, number: int) -> SourceDocument:
        """A text of about 120 words."""
        parts: list[str] = []
        for index, (name, _) in enumerate(self.names(number)):
            words = FILLER[index * 8 : index * 8 + 20]
            parts.append(f"{name} was there. {' '.join(words).strip().capitalize()}.")
        return SourceDocument(id=str(number), path=f"{number}.md", title=f"Note {number}", text=" ".join(parts))

    def extraction(self, number: int) -> Extraction:
        """An extraction like that of the text, without a model."""
        names = []
        at = 0
        for name, kind in self.names(number):
            names.append(Name(at, at + len(name), name, kind, (), False, name_key(name)))
            at += 120
        return Extraction(tuple(sorted(names, key=lambda n: (n.start, n.end, n.type, n.text, n.qualifiers))))


def _name(number: int) -> tuple[str, str]:
    draw = random.Random(f"name {number}")
    word = "".join(draw.choice(SYLLABLES) for _ in range(3)).capitalize()
    if number % 5 == 3:
        return f"{word} {draw.choice(('Ltd', 'Group', 'Systems'))}", ORGANISATION
    if number % 5 == 4:
        return f"Project {word}", PROJECT
    return f"{draw.choice(FIRST)} {word}", PERSON


def resolver_of(corpus: Corpus, numbers: list[int], batch: int = 2_000) -> Resolver:
    """A resolver that took in documents in this order, deciding after each batch."""
    resolver = Resolver()
    for first in range(0, len(numbers), batch):
        for number in numbers[first : first + batch]:
            resolver.put(str(number), "", "", corpus.extraction(number))
        resolver.settle()
    return resolver


def rate(count: int) -> dict[str, float]:
    """Documents a second of processor time, in one process: extraction, and with resolution."""
    corpus = Corpus(count)
    documents = [corpus.text(number) for number in range(count)]
    words = sum(len(document.text.split()) for document in documents) / count
    extract(documents[:8])  # the model is loaded
    begin = time.process_time()
    extractions = extract(documents)
    middle = time.process_time()
    resolver = Resolver()
    for document, extraction in zip(documents, extractions, strict=True):
        resolver.put(document.id, document.title, "", extraction)
    resolver.settle()
    end = time.process_time()
    return {
        "documents": count,
        "words": round(words, 1),
        "extract_per_s": round(count / (middle - begin), 1),
        "extract_and_resolve_per_s": round(count / (end - begin), 1),
    }


def growth(large: int) -> dict[str, float]:
    """Milliseconds a document of a batch of new ones, in a small and in a large registry."""
    out: dict[str, float] = {}
    for label, size in (("small", 1_000), ("large", large)):
        corpus = Corpus(size)
        resolver = resolver_of(corpus, list(range(size)))
        times = []
        for step in range(4):
            begin = time.process_time()
            for number in range(size + 256 * step, size + 256 * (step + 1)):
                resolver.put(str(number), "", "", corpus.extraction(number))
            resolver.settle()
            times.append((time.process_time() - begin) / 256 * 1e3)
        out[f"{label}_documents"], out[f"{label}_entities"] = size, len(resolver.entities)
        out[f"{label}_ms"] = round(min(times), 3)
    out["ratio"] = round(out["large_ms"] / out["small_ms"], 2)
    out["peak_rss_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return out


def one_per_cent(count: int, per_second: float) -> dict[str, float]:
    """Seconds of a fresh resolver for stored documents and 1 % new ones, against all from their texts."""
    corpus = Corpus(count)
    stored = [corpus.extraction(number).to_json() for number in range(count)]
    begin = time.process_time()
    resolver = Resolver()
    for number, text in enumerate(stored):
        extraction = from_json(text)
        assert extraction is not None
        resolver.put(str(number), "", "", extraction)
    resolver.settle()
    restored = time.process_time()
    for number in range(count, count + count // 100):
        resolver.put(str(number), "", "", corpus.extraction(number))
    resolver.settle()
    new = time.process_time() - restored + count / 100 / per_second
    full = count / per_second
    return {
        "documents": count,
        "full_s": round(full, 1),
        "restore_s": round(restored - begin, 2),
        "new_s": round(new, 2),
        "share": round((restored - begin + new) / full, 4),
        "share_when_open": round(new / full, 4),
    }


def orders(count: int, seeds: int = 4) -> dict[str, float]:
    """Least B-cubed F1 between the clusters of random orders and batches of the same documents."""
    corpus = Corpus(count)
    found = []
    for seed in range(seeds):
        numbers = list(range(count))
        random.Random(seed).shuffle(numbers)
        resolver = resolver_of(corpus, numbers, batch=(97, 500, 1_000, count)[seed % 4])
        found.append(
            {
                (document, name): decision.entity if isinstance(decision, Link) else (document, name)
                for document, decisions in resolver.decisions.items()
                for decision in decisions
                for name in (decision.names if isinstance(decision, Link) else (decision.name,))
            }
        )
    scores = [b_cubed(other, found[0]).f1 if other.keys() == found[0].keys() else 0.0 for other in found[1:]]
    return {"documents": count, "orders": seeds, "bcubed_f1": min(scores)}


def measured(documents: int, large: int) -> dict[str, Any]:
    """All figures, and which targets they meet."""
    rates = rate(documents)
    grown = growth(large)
    step = one_per_cent(10_000, rates["extract_and_resolve_per_s"])
    ordered = orders(2_000)
    per_second = rates["extract_and_resolve_per_s"]
    targets = [
        ("extract and resolve, documents a second", per_second, per_second >= 50),
        ("cost a document, large registry over small", grown["ratio"], grown["ratio"] <= 1.5),
        ("1 % new documents, fresh process, share of a full build", step["share"], step["share"] < 0.05),
        ("B-cubed F1 between random orders", ordered["bcubed_f1"], ordered["bcubed_f1"] >= 0.98),
    ]
    return {
        "rate": rates,
        "growth": grown,
        "one_per_cent": step,
        "orders": ordered,
        "targets": [{"name": name, "figure": figure, "met": met} for name, figure, met in targets],
    }


def main() -> None:
    """Measure, print, and keep the figures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--documents", type=int, default=1_000, help="texts from which names are extracted")
    parser.add_argument("--large", type=int, default=100_000, help="documents of the large registry")
    parser.add_argument("--out", type=Path, help="write the figures there as JSON")
    options = parser.parse_args()
    found = measured(options.documents, options.large)
    print(json.dumps(found, indent=1))
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

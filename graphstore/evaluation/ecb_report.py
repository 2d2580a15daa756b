"""``graphstore eval entities ecb-plus``: how well names that are one thing over several news texts are joined."""

from __future__ import annotations

import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any

from graphstore.errors import LoadError
from graphstore.evaluation.ecb_mentions import Named, named, parsed, usage
from graphstore.evaluation.ecb_plus import TOPICS, Document, read
from graphstore.evaluation.ecb_resolution import Given, Item, Placed, given, item_of, placed, placed_end_to_end
from graphstore.evaluation.entity_metrics import b_cubed, pairs_of, pairwise
from graphstore.progress import Progress

DEVELOPMENT = (2, 5, 12, 18, 21, 23, 34, 35)
PROTOCOLS = {"topics-1-35": TOPICS, "dev": DEVELOPMENT, "train": tuple(t for t in TOPICS if t not in DEVELOPMENT)}
"""Topics of each protocol; the first is the default."""

_DECIMALS = 4
_SHOWN = 60
_BINS = (0.0, 0.8, 0.85, 0.9, 0.95, 1.0)
_GROUPS = {
    "HUMAN_PART_PER": "person",
    "HUMAN_PART_ORG": "organisation",
    "HUMAN_PART_MET": "organisation",
    "HUMAN_PART_GPE": "place",
}


def ecb_figures(folder: Path, *, protocol: str | None, progress: Progress) -> dict[str, Any]:
    """The report, as ``--json`` prints it.

    :raises LoadError: the data set is not there, or the protocol is none of it.
    """
    name = protocol or next(iter(PROTOCOLS))
    if name not in PROTOCOLS:
        raise LoadError(f"has no protocol {name!r}: {', '.join(PROTOCOLS)}", folder)
    documents = read(folder, PROTOCOLS[name])
    progress("reading the mentions", 0, len(documents))
    mentions: dict[str, list[Named]] = {}
    written = usage(documents)
    for document, sentences in parsed(documents):
        mentions[document.id] = named(document, sentences, written)
        progress("reading the mentions", len(mentions), len(documents))
    return report_of(given(documents, mentions), protocol=name)


def report_of(documents: Sequence[Given], *, protocol: str) -> dict[str, Any]:
    """The report of documents: figures a method, and of the product's own (``local``) by type, script and confidence.

    ``local`` has the model's types and a registry a topic. ``names``: only mentions that are names, not descriptions or
    times; ``without-times``: descriptions too; ``…-apart``: without times and places, which are reported by themselves
    under ``types``. ``end-to-end``: nothing is given. ``exact``: equal whole mentions;
    ``alone``: nothing is joined.
    """
    truth = _Truth(documents)
    own = placed(documents, types="own", one_registry=False)
    gold = placed(documents, types="gold", one_registry=False)
    methods = {
        "local": truth.figures(own),
        "gold-types": truth.figures(gold),
        "without-times": truth.figures(own, lambda item: truth.group(item) != "time"),
        "local-apart": truth.figures(own, truth.is_thing),
        "gold-types-apart": truth.figures(gold, truth.is_thing),
        "names-gold-types-apart": truth.figures(gold, lambda item: truth.is_name(item) and truth.is_thing(item)),
        "names": truth.figures(own, truth.is_name),
        "names-gold-types": truth.figures(gold, truth.is_name),
        "one-registry": truth.figures(placed(documents, types="own", one_registry=True)),
        "one-registry-gold-types": truth.figures(placed(documents, types="gold", one_registry=True)),
        "end-to-end": truth.figures(placed_end_to_end(documents, one_registry=False)),
        "exact": truth.figures(truth.exact()),
        "alone": truth.figures({item: Placed(("alone", *item), None) for item in truth.gold}),
    }
    return {
        "dataset": "ecb-plus",
        "protocol": protocol,
        "encoder": None,
        "questions": len(truth.gold),
        "items": "mentions",
        "methods": methods,
        "comparisons": [],
        "types": truth.by(own, truth.group),
        "types_gold_types": truth.by(gold, truth.group),
        "scripts": truth.by(own, lambda item: _script(truth.mentions[item].text)),
        "calibration": truth.calibration(own),
        "false_merges": truth.false_merges(own),
    }


class _Truth:
    """The mentions and the clusters that annotators gave them."""

    def __init__(self, documents: Sequence[Given]) -> None:
        pairs = [(item_of(d.document, mention), mention, d.document) for d in documents for mention in d.mentions]
        self.mentions: dict[Item, Named] = {item: mention for item, mention, _ in pairs}
        self.gold: dict[Item, Hashable] = {item: (item[0], mention.mention.cluster) for item, mention, _ in pairs}
        self._documents: dict[Item, Document] = {item: document for item, _, document in pairs}

    def group(self, item: Item) -> str:
        """Person, organisation, place, time or other."""
        kind = self.mentions[item].mention.type
        if kind.startswith("TIME"):
            return "time"
        return "place" if kind.startswith("LOC") else _GROUPS.get(kind, "other")

    def is_name(self, item: Item) -> bool:
        """Whether a mention is a name, not a description or a time."""
        return self.mentions[item].is_name and self.group(item) != "time"

    def is_thing(self, item: Item) -> bool:
        """Whether a mention is of neither a time nor a place."""
        return self.group(item) not in ("time", "place")

    def figures(self, found: Mapping[Item, Placed], wanted: Callable[[Item], bool] | None = None) -> dict[str, float]:
        """Pairwise and B-cubed figures of all or some mentions."""
        items = [item for item in self.gold if wanted is None or wanted(item)]
        ours: dict[Item, Hashable] = {item: found[item].cluster for item in items}
        true = {item: self.gold[item] for item in items}
        by_pair = pairwise(_pairs(ours), _pairs(true))
        by_mention = b_cubed(ours, true)
        figures = {
            "precision": by_pair.precision,
            "recall": by_pair.recall,
            "pairwise_f1": by_pair.f1,
            "bcubed_precision": by_mention.precision,
            "bcubed_recall": by_mention.recall,
            "bcubed_f1": by_mention.f1,
        }
        return {name: round(value, _DECIMALS) for name, value in figures.items()}

    def by(self, found: Mapping[Item, Placed], part: Callable[[Item], str]) -> dict[str, dict[str, float]]:
        """Figures of each part by itself, with how many mentions it has."""
        parts = {item: part(item) for item in self.gold}
        counts = Counter(parts.values())
        return {
            name: {"mentions": counts[name], **self.figures(found, lambda item, name=name: parts[item] == name)}  # type: ignore[misc]
            for name in sorted(counts)
        }

    def exact(self) -> dict[Item, Placed]:
        """Mentions of a topic that are written alike, but for case, joined."""
        return {item: Placed((item[0], self._written(item)), None) for item in self.gold}

    def _written(self, item: Item) -> str:
        mention, document = self.mentions[item].mention, self._documents[item]
        return " ".join(document.sentences[mention.sentence][token] for token in mention.tokens).casefold()

    def calibration(self, found: Mapping[Item, Placed]) -> list[dict[str, float]]:
        """Per step of confidence: links, and the share of them whose thing is what most of their entity is.

        Only entities of several mentions can be wrong, so only theirs are counted.
        """
        members = self._members(found)
        counts: dict[int, list[int]] = defaultdict(lambda: [0, 0])
        for items in members.values():
            (usual, _), *_ = Counter(self.gold[item] for item in items).most_common(1)
            for item in items if len(items) > 1 else ():
                confidence = found[item].confidence
                if confidence is not None:
                    step = max(index for index, low in enumerate(_BINS) if confidence >= low)
                    counts[step][0] += 1
                    counts[step][1] += self.gold[item] == usual
        return [
            {"from": _BINS[step], "links": links, "right": round(right / links, _DECIMALS)}
            for step, (links, right) in sorted(counts.items())
        ]

    def false_merges(self, found: Mapping[Item, Placed]) -> list[dict[str, Any]]:
        """Entities that hold several things, those with most wrong pairs first: the names of each thing."""
        rows: list[tuple[int, int, list[list[str]]]] = []
        for items in self._members(found).values():
            things: dict[Hashable, Counter[str]] = defaultdict(Counter)
            for item in items:
                things[self.gold[item]][self.mentions[item].text] += 1
            sizes = [sum(names.values()) for names in things.values()]
            wrong = (sum(sizes) ** 2 - sum(size**2 for size in sizes)) // 2
            if wrong:
                names = [[name for name, _ in names.most_common(4)] for names in things.values()]
                rows.append((-wrong, items[0][0], sorted(names)))
        return [
            {"topic": topic, "wrong_pairs": -minus, "things": things} for minus, topic, things in sorted(rows)[:_SHOWN]
        ]

    def _members(self, found: Mapping[Item, Placed]) -> dict[Hashable, list[Item]]:
        members: dict[Hashable, list[Item]] = defaultdict(list)
        for item in self.gold:
            members[found[item].cluster].append(item)
        return members


def _pairs(clusters: Mapping[Item, Hashable]) -> list[tuple[int, int]]:
    members: dict[Hashable, list[int]] = defaultdict(list)
    for index, cluster in enumerate(clusters.values()):
        members[cluster].append(index)
    return pairs_of(members.values())


def _script(text: str) -> str:
    """The script of a name's first letter, by its Unicode name: ``latin``, ``cjk``."""
    letter = next((char for char in text if char.isalpha()), "")
    return unicodedata.name(letter, "none").split(" ")[0].casefold() if letter else "none"

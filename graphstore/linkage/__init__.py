"""Which records are one thing: pure computation over tables of text, without training.

Pairs that share a rare word are compared column by column; what each agreement weighs is learned from the records
themselves (Fellegi–Sunter by EM over rarity-weighed n-grams); one threshold, more likely than not, serves all data.
"""

from __future__ import annotations

from graphstore.linkage.link import SURE, THRESHOLD, Linkage, Pair, Reason, link

__all__ = ["SURE", "THRESHOLD", "Linkage", "Pair", "Reason", "link"]

"""An encoder that needs no model."""

from __future__ import annotations

import hashlib

import numpy as np


class HashEncoder:
    """Deterministic unit vectors without a model: fast, and different for different texts."""

    name = "all-MiniLM-L6-v2-int8"
    dimensions = 384
    max_tokens = 256

    def encode(self, texts):
        seeds = [int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big") for text in texts]
        rows = np.array([np.random.default_rng(seed).standard_normal(384) for seed in seeds], dtype=np.float32)
        return rows.reshape(-1, 384) / np.linalg.norm(rows.reshape(-1, 384), axis=1, keepdims=True)

    def encode_spans(self, texts, spans):
        return self.encode(texts), [
            self.encode([text[a:b] for a, b in inside]) for text, inside in zip(texts, spans, strict=True)
        ]

    def chunks(self, text, sentences, prefix=""):
        return [(i, min(i + 8, len(sentences))) for i in range(0, len(sentences), 8)]


ENCODER = HashEncoder()

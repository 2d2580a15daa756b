"""The encoder that comes with the package: all-MiniLM-L6-v2, 8-bit, on onnxruntime.

Each text is run by itself, and several texts at the same time on as many threads. Activations are quantised with one
scale a run, so in a batch a text's vector would depend on its neighbours; alone it never does, the same text gives the
same bits, and no padding is computed. ``benchmarks/encoder.py`` measures this against batches.
"""

from __future__ import annotations

import os
import re
import threading
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from graphstore.encoders import DEFAULT_ENCODER, pooling
from graphstore.errors import LoadError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MODELS = Path(__file__).parent / "models"
_PROBE_SIZE = 64  # of overflow.onnx
_SURROGATE = re.compile("[\ud800-\udfff]")  # half a character, as broken JSON escapes leave it; no tokenizer takes it


@dataclass(frozen=True, slots=True)
class _Model:
    """A loaded tokenizer and graph."""

    tokenizer: Tokenizer
    session: InferenceSession
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class _Reading:
    """Token states of a text, framing tokens at both ends, and the characters of its tokens."""

    states: NDArray[np.float32]
    offsets: NDArray[np.int64]


@dataclass
class OnnxEncoder:
    """Unit vectors from the 8-bit all-MiniLM-L6-v2 of the package; loaded at first use.

    :param threads: Texts encoded at the same time; None: as many as this process may use processors.
    :param folder: Where ``model.onnx`` and ``tokenizer.json`` lie.
    """

    threads: int | None = None
    folder: Path = MODELS
    name: str = field(default=DEFAULT_ENCODER, init=False)
    dimensions: int = field(default=384, init=False)
    max_tokens: int = field(default=256, init=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, init=False, repr=False, compare=False)
    _pool: ThreadPoolExecutor | None = field(default=None, init=False, repr=False, compare=False)
    _loaded: _Model | None = field(default=None, init=False, repr=False, compare=False)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text. *Shape:* ``(n, 384)``. See :meth:`graphstore.encoders.Encoder.encode`."""
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)

        def store(index: int, reading: _Reading) -> None:
            vectors[index] = pooling.text_vector(reading.states)

        self._read_all(texts, store)
        return vectors

    def encode_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
    ) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """Unit vectors of texts and of spans in them. See :meth:`graphstore.encoders.Encoder.encode_spans`."""
        pooling.refuse_unequal(texts, spans)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        parts: list[NDArray[np.float32]] = [vectors[:0]] * len(texts)

        def store(index: int, reading: _Reading) -> None:
            vectors[index] = pooling.text_vector(reading.states)
            parts[index] = pooling.span_vectors(reading.states[1:-1], reading.offsets, spans[index])

        self._read_all(texts, store)
        return vectors, parts

    def chunks(self, text: str, sentences: Sequence[tuple[int, int]], prefix: str = "") -> list[tuple[int, int]]:
        """Ranges of sentences that fit the model. See :meth:`graphstore.encoders.Encoder.chunks`."""
        model = self._model()
        budget = self.max_tokens - 2 - len(_tokens(model, prefix)[0])
        return pooling.pack(_tokens(model, text)[1], sentences, budget)

    def _read_all(self, texts: Sequence[str], store: Callable[[int, _Reading], None]) -> None:
        """Calls ``store`` with each text's index and reading, from several threads."""
        pooling.refuse_blank(texts)
        model = self._model()
        # longest first, so that no thread ends on a long one while the others idle; popleft is atomic
        waiting = deque(sorted(range(len(texts)), key=lambda index: -len(texts[index])))

        def work() -> None:
            while waiting:
                try:
                    index = waiting.popleft()
                except IndexError:  # another thread took the last one
                    return
                store(index, self._read(model, texts[index]))

        workers = min(self.threads or _processors(), len(texts))
        if workers <= 1:
            work()
            return
        others = [self._helpers().submit(work) for _ in range(workers - 1)]
        try:
            work()
            for other in others:
                other.result()
        finally:
            waiting.clear()  # after an error or Ctrl-C the threads end with the text in hand
            wait(others)

    def _read(self, model: _Model, text: str) -> _Reading:
        tokens, offsets = _tokens(model, text)
        ids = np.array([[model.begin, *tokens[: self.max_tokens - 2], model.end]], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        return _Reading(model.session.run(None, inputs)[0][0], offsets)

    def _helpers(self) -> ThreadPoolExecutor:
        """Threads beside the caller's, kept: to start them takes as long as to encode a request."""
        with self._lock:
            if self._pool is None:
                self._pool = ThreadPoolExecutor(self.threads or _processors(), thread_name_prefix="encoder")
            return self._pool

    def _model(self) -> _Model:
        with self._lock:
            if self._loaded is None:
                self._loaded = _load(self.folder)
            return self._loaded


def _tokens(model: _Model, text: str) -> tuple[list[int], NDArray[np.int64]]:
    """Ids and ``(start, end)`` characters of all tokens of a text."""
    encoding = model.tokenizer.encode(_SURROGATE.sub("\ufffd", text), add_special_tokens=False)
    return encoding.ids, np.array(encoding.offsets, dtype=np.int64).reshape(-1, 2)


def _processors() -> int:
    """Processors that this process may use, which in a container can be fewer than the machine has."""
    affinity = getattr(os, "sched_getaffinity", None)  # not on every system
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _load(folder: Path) -> _Model:
    from tokenizers import Tokenizer

    vocabulary = _present(folder / "tokenizer.json")
    probe = _session(folder / "overflow.onnx", exact=False)
    session = _session(folder / "model.onnx", exact=_overflows(probe))
    tokenizer = Tokenizer.from_file(str(vocabulary))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    begin, end = tokenizer.token_to_id("[CLS]"), tokenizer.token_to_id("[SEP]")
    if begin is None or end is None:
        raise LoadError("the vocabulary has no [CLS] or [SEP]: install neo4j-graphstore again", vocabulary)
    return _Model(tokenizer, session, begin, end)


def _session(graph: Path, *, exact: bool) -> InferenceSession:
    """A graph ready to run; ``exact`` keeps to kernels that cannot overflow, at half the speed."""
    from onnxruntime import InferenceSession, SessionOptions
    from onnxruntime.capi.onnxruntime_pybind11_state import Fail, InvalidGraph, InvalidProtobuf

    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # threads take texts, not slices of one
    options.log_severity_level = 3
    options.enable_mem_pattern = False  # one plan for each length seen would be kept
    if exact:
        options.add_session_config_entry("session.x64quantprecision", "1")
    try:
        return InferenceSession(str(_present(graph)), options, providers=["CPUExecutionProvider"])
    except (Fail, InvalidGraph, InvalidProtobuf) as error:
        raise LoadError("the encoder's file is damaged: install neo4j-graphstore again", graph) from error


def _overflows(probe: InferenceSession) -> bool:
    """Whether this processor's fast kernels lose products of bytes, as those without VNNI do (16-bit sums of pairs)."""
    values = np.full((1, _PROBE_SIZE), 255, dtype=np.uint8)
    return bool((probe.run(None, {"values": values})[0] != _PROBE_SIZE * 255 * 127).any())


def _present(path: Path) -> Path:
    if not path.is_file():
        raise LoadError("the encoder's file is missing: install neo4j-graphstore again", path)
    return path

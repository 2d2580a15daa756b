"""Any sentence-transformers model as an encoder (extra ``semantic``)."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphstore.encoders import pooling
from graphstore.errors import LoadError
from graphstore.extras import require

_BATCH = 32


class SentenceTransformerEncoder:
    """Unit vectors from a sentence-transformers model that lies on this machine; loaded at first use.

    Its identity is the model's name, or the name of its folder. Nothing is downloaded: a name is looked up among the
    models that were fetched before.

    :param model: The model's name or its folder.
    :param threads: Processors used by one call; None: torch's own choice.
    :raises MissingExtra: sentence-transformers is not installed.
    """

    def __init__(self, model: str, *, threads: int | None = None) -> None:
        self._library = require("sentence_transformers", "semantic")
        self._source = model
        self._threads = threads
        self._lock = threading.RLock()  # a fast tokenizer is not to be borrowed by two threads
        self._loaded: Any = None
        self.name = Path(model).resolve().name if Path(model).is_dir() else model

    @property
    def dimensions(self) -> int:
        """Length of a vector, in numbers."""
        model = self._model()
        # renamed in sentence-transformers 5.4, the old name warns there
        count = getattr(model, "get_embedding_dimension", None) or model.get_sentence_embedding_dimension
        return int(count())

    @property
    def max_tokens(self) -> int:
        """Tokens of a text that are read, the framing ones included."""
        return int(self._model().max_seq_length or 512)

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector a text. *Shape:* ``(n, d)``. See :meth:`graphstore.encoders.Encoder.encode`."""
        return self.encode_spans(texts, [()] * len(texts))[0]

    def encode_spans(
        self, texts: Sequence[str], spans: Sequence[Sequence[tuple[int, int]]]
    ) -> tuple[NDArray[np.float32], list[NDArray[np.float32]]]:
        """Unit vectors of texts and of spans in them. See :meth:`graphstore.encoders.Encoder.encode_spans`."""
        pooling.refuse_unequal(texts, spans)
        pooling.refuse_blank(texts)
        vectors = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        parts: list[NDArray[np.float32]] = [vectors[:0]] * len(texts)
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        with self._lock:
            for start in range(0, len(order), _BATCH):
                batch = order[start : start + _BATCH]
                features, offsets = self._tokens([texts[index] for index in batch])
                pooled, states, mask = self._forward(features)
                vectors[batch] = pooling.unit(pooled.astype(np.float64))
                for row, index in enumerate(batch):
                    if len(spans[index]):
                        own = mask[row] & (offsets[row, :, 1] > offsets[row, :, 0])  # framing tokens cover no character
                        parts[index] = pooling.span_vectors(states[row][own], offsets[row][own], spans[index])
        return vectors, parts

    def chunks(self, text: str, sentences: Sequence[tuple[int, int]], prefix: str = "") -> list[tuple[int, int]]:
        """Ranges of sentences that fit the model. See :meth:`graphstore.encoders.Encoder.chunks`."""
        with self._lock:
            tokenizer = self._model().tokenizer
            options = {"add_special_tokens": False, "return_offsets_mapping": True, "verbose": False}
            framing = len(tokenizer("")["input_ids"])
            taken = len(tokenizer(prefix, **options)["input_ids"]) if prefix else 0
            offsets = np.array(tokenizer(text, **options)["offset_mapping"], dtype=np.int64).reshape(-1, 2)
        return pooling.pack(offsets, sentences, self.max_tokens - framing - taken)

    def _tokens(self, texts: list[str]) -> tuple[Mapping[str, Any], NDArray[np.int64]]:
        """A padded batch for the model, and the characters of its tokens. *Shape:* ``(texts, tokens, 2)``"""
        features = self._model().tokenizer(
            texts,
            padding=True,
            truncation=True,
            max_length=self.max_tokens,
            return_tensors="pt",
            return_offsets_mapping=True,
        )
        offsets = np.asarray(features.pop("offset_mapping"), dtype=np.int64)
        return features, offsets

    def _forward(
        self, features: Mapping[str, Any]
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:
        """The model's own pooled vectors, its token states, and which tokens are no padding."""
        torch = require("torch", "semantic")
        model = self._model()
        with torch.no_grad():
            result = model({key: value.to(model.device) for key, value in features.items()})
        pooled, states = (result[key].float().cpu().numpy() for key in ("sentence_embedding", "token_embeddings"))
        return pooled, states, np.asarray(features["attention_mask"], dtype=np.bool_)

    def _model(self) -> Any:
        with self._lock:
            if self._loaded is None:
                self._loaded = self._load()
            return self._loaded

    def _load(self) -> Any:
        try:
            model = self._library.SentenceTransformer(self._source, local_files_only=True)
        except (OSError, ValueError) as error:  # what transformers raises for a missing or unreadable model
            raise LoadError(
                f"no sentence-transformers model {self._source!r} on this machine: download it first "
                f"(hf download NAME) or give its folder ({str(error).splitlines()[0] if str(error) else 'no reason'})"
            ) from error
        if not getattr(model.tokenizer, "is_fast", False):
            raise LoadError(f"the model {self._source!r} has no fast tokenizer, and so no offsets for sentence vectors")
        if self._threads:
            require("torch", "semantic").set_num_threads(self._threads)
        model.eval()
        return model

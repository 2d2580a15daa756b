"""A recogniser that finds names of any types it is told, as GLiNER does: optional, never fetched, offsets kept.

Quality depends on the model that is given; none comes with graphstore.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from graphstore.corpusmap.catalog import Catalog
from graphstore.corpusmap.sentences import sentence_spans
from graphstore.corpusmap.types import CODE, EMAIL
from graphstore.errors import SettingsError
from graphstore.extras import require

THRESHOLD = 0.5
"""What GLiNER itself takes a name from; higher is surer and finds fewer."""

_PIECE = 1_200
"""Characters read at once: GLiNER reads some 380 words and drops the rest."""
_BATCH = 16


class Predictor(Protocol):
    """The part of ``gliner.GLiNER`` that is used.

    Each entity is a mapping with ``start`` and ``end`` (characters), ``label`` and ``score``.
    """

    def inference(
        self, texts: list[str], labels: list[str], *, threshold: float, flat_ner: bool, batch_size: int
    ) -> list[list[Mapping[str, Any]]]:
        """The entities of each text."""
        ...


@dataclass(frozen=True, slots=True)
class Typed:
    """A name that was found, with offsets in the whole text.

    :param type: The built-in type whose rules hold.
    :param label: The catalog's type; empty for a built-in one.
    """

    start: int
    end: int
    type: str
    label: str


class ZeroShot:
    """Asks a predictor for the types of a catalog.

    :param name: What extractions made with it are named after.
    :param threshold: The least score of a name, in [0, 1].
    :raises SettingsError: the threshold is none.
    """

    def __init__(self, predictor: Predictor, catalog: Catalog, *, name: str, threshold: float = THRESHOLD) -> None:
        if not 0 <= threshold <= 1:
            raise SettingsError(f"a threshold lies between 0 and 1, not at {threshold}")
        self.name = f"{name}@{threshold:g}"
        self._predictor, self._threshold = predictor, threshold
        # Codes and addresses are told by their form alone, better than by any model.
        self._types = {kind.name: catalog.typed(kind.name) for kind in catalog.types if kind.base not in (CODE, EMAIL)}

    def spans(self, texts: Sequence[str]) -> list[list[Typed]]:
        """The names of each text, in order, none overlapping: the surer one, then the longer one, wins."""
        pieces = [(index, *span) for index, text in enumerate(texts) for span in _pieces(text)]
        found: list[list[tuple[float, Typed]]] = [[] for _ in texts]
        for (index, start, end), entities in zip(pieces, self._asked(pieces, texts), strict=True):
            sound = [entity for entity in entities if self._is_sound(entity, end - start)]
            found[index].extend(self._typed(entity, start) for entity in sound)
        return [_apart(each) for each in found]

    def _asked(
        self, pieces: Sequence[tuple[int, int, int]], texts: Sequence[str]
    ) -> Sequence[Sequence[Mapping[str, Any]]]:
        if not pieces:
            return []
        return self._predictor.inference(
            [texts[index][start:end] for index, start, end in pieces],
            list(self._types),
            threshold=self._threshold,
            flat_ner=True,
            batch_size=_BATCH,
        )

    def _is_sound(self, entity: Mapping[str, Any], length: int) -> bool:
        sound = 0 <= entity["start"] < entity["end"] <= length and entity["label"] in self._types
        return bool(sound and entity["score"] >= self._threshold)

    def _typed(self, entity: Mapping[str, Any], start: int) -> tuple[float, Typed]:
        base, label = self._types[entity["label"]]
        return float(entity["score"]), Typed(start + entity["start"], start + entity["end"], base, label)


def _pieces(text: str) -> list[tuple[int, int]]:
    """Runs of whole sentences that a model reads at once."""
    pieces: list[tuple[int, int]] = []
    for start, end in sentence_spans(text):
        if pieces and end - pieces[-1][0] <= _PIECE:
            pieces[-1] = (pieces[-1][0], end)
        else:
            pieces.append((start, end))
    return pieces


def _apart(found: list[tuple[float, Typed]]) -> list[Typed]:
    kept: list[Typed] = []
    for _, name in sorted(found, key=lambda each: (-each[0], each[1].start - each[1].end, each[1].start)):
        if all(name.end <= other.start or name.start >= other.end for other in kept):
            kept.append(name)
    return sorted(kept, key=lambda name: name.start)


def gliner(model: Path | str, catalog: Catalog, *, threshold: float = THRESHOLD) -> ZeroShot:
    """The recogniser with a GLiNER model that lies in a folder; nothing is fetched.

    :param model: The folder, with ``gliner_config.json`` and the weights.
    :raises MissingExtra: the package is not installed.
    :raises SettingsError: no such folder, or no GLiNER model in it.
    """
    folder = Path(model).expanduser()
    config = folder / "gliner_config.json"
    if not config.is_file():
        raise SettingsError(f"{folder}: no GLiNER model here, gliner_config.json is missing; name a model's own folder")
    package = require("gliner", "gliner")
    try:
        predictor = package.GLiNER.from_pretrained(str(folder), local_files_only=True)
    except (OSError, ValueError, RuntimeError) as error:
        why = " ".join(str(error).split())[:200]
        raise SettingsError(f"{folder}: the GLiNER model cannot be read: {why}") from error
    return ZeroShot(predictor, catalog, name=f"gliner-{_name(folder)}", threshold=threshold)


def _name(folder: Path) -> str:
    """A name for a model: its folder's, and a hash of what the files are, so that another model is another name."""
    files = sorted(file for file in folder.iterdir() if file.is_file())
    told = [(file.name, file.stat().st_size) for file in files]
    config = (folder / "gliner_config.json").read_bytes()
    digest = hashlib.sha256(repr(told).encode() + config).hexdigest()[:8]
    return f"{re.sub(r'[^a-z0-9.-]+', '-', folder.name.casefold())}-{digest}"

"""Documents as the registry holds them."""

from __future__ import annotations

from dataclasses import dataclass

from graphstore.corpusmap.extraction import Extraction, from_json
from graphstore.corpusmap.locals import Topic
from graphstore.corpusmap.packing import pack, unpack


@dataclass(frozen=True, slots=True)
class Entry:
    """A document in the registry.

    :param context: Keys of full names in it: what it shares with other documents.
    :param by: Name of what read it.
    :param text: What was extracted from it, as JSON.
    """

    title: str
    folder: str
    topic: Topic | None
    context: frozenset[str]
    by: str
    text: str

    @property
    def extraction(self) -> Extraction:
        """All that the document says, read from its text: at times only is more of it needed than stands here."""
        found = from_json(self.text)
        assert found is not None
        return found

    def weight(self) -> int:
        """About how many bytes it takes."""
        return 500 + len(self.text) + 100 * len(self.context)

    def pack(self) -> str:
        """The entry as text; :func:`unpack_entry` reads it."""
        return pack([self.title, self.folder, self.topic, sorted(self.context), self.by, self.text])


def unpack_entry(text: str) -> Entry:
    """The entry that was packed so."""
    title, folder, topic, context, by, extracted = unpack(text)
    return Entry(title, folder, (topic[0], topic[1]) if topic else None, frozenset(context), by, extracted)

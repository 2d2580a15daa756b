"""Titles of documents: which of them are names."""

from __future__ import annotations

from graphstore.corpusmap.index import Index
from graphstore.corpusmap.locals import Topic
from graphstore.corpusmap.shelf import Shelf


class Titles:
    """Documents by title."""

    def __init__(self, shelf: Shelf) -> None:
        self.docs = Index(shelf, "title_docs")
        self._topics = Index(shelf, "topic_docs")
        self._shared = Index(shelf, "shared_titles")

    def put(self, topic: Topic, document: str) -> None:
        """Take in the title of a document."""
        self.docs.add(topic[0], document)
        written = _written(topic)
        self._topics.add(written, document)
        if self._topics.count(written) > 1:
            self._shared.add(topic[0], written)

    def drop(self, topic: Topic, document: str) -> None:
        """Forget it."""
        self.docs.discard(topic[0], document)
        written = _written(topic)
        self._topics.discard(written, document)
        if self._topics.count(written) <= 1:
            self._shared.discard(topic[0], written)

    def are_a_name(self, key: str) -> bool:
        """Whether the key is some document's title, and not a heading that several documents share."""
        return key in self.docs and key not in self._shared


def _written(topic: Topic) -> str:
    key, inner = topic
    return key if inner is None else f"{key}\n{inner}"

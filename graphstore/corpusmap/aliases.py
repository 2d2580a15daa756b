"""Names that documents state to be one thing."""

from __future__ import annotations

from graphstore.corpusmap.index import Index
from graphstore.corpusmap.shelf import Shelf


class Aliases:
    """Stated aliases, and the documents that state them.

    ``of`` holds the names that are stated to mean the same as a name.
    """

    def __init__(self, shelf: Shelf) -> None:
        self.of = Index(shelf, "alias_of")
        self._docs = Index(shelf, "alias_docs")

    def put(self, a: str, b: str, acronym: bool, document: str) -> None:
        """Take in that a document states ``b`` to be another name of ``a``."""
        self._docs.add(_pair(a, b, acronym), document)
        self.of.add(a, b)
        self.of.add(b, a)

    def drop(self, a: str, b: str, acronym: bool, document: str) -> None:
        """Forget it."""
        self._docs.discard(_pair(a, b, acronym), document)
        if not self.stating(a, b, acronym=False) and not self.stating(a, b, acronym=True):
            self.of.discard(a, b)
            self.of.discard(b, a)

    def stating(self, a: str, b: str, *, acronym: bool) -> int:
        """How many documents state that two names are one, whichever is the other's.

        :param acronym: By initials.
        """
        return self._docs.count(_pair(a, b, acronym)) + self._docs.count(_pair(b, a, acronym))

    def is_stated(self, key: str) -> bool:
        """Whether a text states that this is another name of something, and not by its initials only."""
        return any(self.stating(key, other, acronym=False) for other in self.of.at(key))

    def documents(self, a: str, b: str) -> set[str]:
        """The documents that state two names to be one."""
        pairs = (_pair(*names, acronym) for names in ((a, b), (b, a)) for acronym in (False, True))
        return set().union(*(self._docs.at(pair) for pair in pairs))


def _pair(a: str, b: str, acronym: bool) -> str:
    return f"{a}\n{b}\n{int(acronym)}"

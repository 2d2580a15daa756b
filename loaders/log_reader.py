"""How a format's records become stage runs: one by one, or gathered until their run is complete."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from graphstore.records import Rejected, StageRun

from .json_records import JsonRecord
from .outcome import PassedIf

Runs = Iterator[StageRun | Rejected]


class LogReader(Protocol):
    """What turns the records of one load, in order, into stage runs."""

    def add(self, record: JsonRecord, path: str) -> Runs:
        """The stage runs that are complete with this record.

        :param path: The file as messages shall call it.
        """
        ...

    def finish(self) -> Runs:
        """The stage runs that waited for further records."""
        ...


@dataclass(frozen=True, slots=True)
class Each:
    """Reads every record by itself.

    :param read: The stage runs of a record; it is told the file and the condition.
    """

    read: Callable[[JsonRecord, str, PassedIf | None], Runs]
    passed_if: PassedIf | None

    def add(self, record: JsonRecord, path: str) -> Runs:
        """The stage runs of this record."""
        return self.read(record, path, self.passed_if)

    def finish(self) -> Runs:
        """Nothing: no record waits for another."""
        return iter(())


def at(where: str, error: ValueError) -> str:
    """The reason with the record's place in its document."""
    return f"{where}: {error}" if where else str(error)

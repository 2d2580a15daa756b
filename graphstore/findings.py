"""What ``doctor`` and ``check`` find, each a frozen record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Status = Literal["ok", "warn", "fail"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What ``doctor`` found out about one thing.

    :param check: What was looked at.
    :param finding: One line.
    :param remedy: What to do about it; empty if nothing.
    """

    check: str
    status: Status
    finding: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken invariant that ``check`` found."""

    check: str
    where: str
    what: str

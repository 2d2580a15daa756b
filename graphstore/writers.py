"""Writers that compute what they write from one version of the store, and compute it again where another was faster."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from graphstore.db import Database, StaleVersion
from graphstore.errors import ConnectError

T = TypeVar("T")

_ATTEMPTS = 200
_LONGEST = 0.5


def until_written(db: Database, work: Callable[[], T]) -> T:
    """The result of ``work``, done again for as long as another writer is faster.

    :param work: Reads, and writes what follows with ``expect=``; raises :class:`StaleVersion` if it came too late.
    :raises ConnectError: other writers never paused.
    """
    for attempt in range(_ATTEMPTS):
        try:
            return work()
        except StaleVersion:
            # Random waits, so that writers that collided once do not collide for ever.
            time.sleep(random.uniform(0, min(0.02 * (attempt + 1), _LONGEST)))
    raise ConnectError(f"{db.address}: other processes write without a pause; try again when they are done")

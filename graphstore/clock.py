"""The time at which something is done, as it is stored."""

from __future__ import annotations

from datetime import UTC, datetime


def now() -> str:
    """The second that it is, as ISO 8601 in UTC."""
    return datetime.now(UTC).isoformat(timespec="seconds")

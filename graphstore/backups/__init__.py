"""A store in one file, and a store from one."""

from __future__ import annotations

from graphstore.backups.file import Held
from graphstore.backups.restore import restore
from graphstore.backups.save import save

__all__ = ["Held", "restore", "save"]

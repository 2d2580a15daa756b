"""Optional packages: imported where they are used, through one door."""

from __future__ import annotations

from importlib import import_module
from types import ModuleType

from graphstore.errors import MissingExtra


def require(module: str, extra: str) -> ModuleType:
    """The imported module of an optional package.

    :param module: Its import name, dotted names included.
    :param extra: The extra of ``neo4j-graphstore`` that brings it.
    :raises MissingExtra: The package is not installed; the message holds the command that installs it.
    """
    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        if error.name != module.partition(".")[0]:
            raise  # the package is there, something beneath it is broken: not ours to rename
        raise MissingExtra(module, extra) from error

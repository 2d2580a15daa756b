"""The exceptions of graphstore; every message says what happened, where, and what to do.

::

    GraphStoreError
    ├── SettingsError        a flag, an environment variable or graphstore.toml
    ├── ConnectError         no usable server behind the address
    │   ├── AuthError        wrong user or password
    │   └── GdsMissing       the server has no Graph Data Science library
    ├── ServerError          the embedded server: download, start, stop
    ├── SchemaError          schema or stored identity differs from what this version needs
    ├── EncoderMismatch      the store holds vectors of another encoder
    ├── QueryFileError       a .cypher file is malformed
    ├── QueryError           the server refused a statement
    ├── LoadError            input that cannot be read (path, line)
    ├── CatalogError         a type catalog that cannot be used
    ├── SeedError            a restart distribution that is negative, not finite or empty
    ├── ConvergenceError     an iteration did not reach its tolerance
    ├── ModelError           the language model's endpoint: refused, not reached, no usable answer
    │   ├── NoAnswer         to this question; to others there may be one
    │   └── BudgetSpent      the next call would go past --max-tokens or --max-cost
    ├── NotFound             no such stage, entity, document or tool
    └── MissingExtra         an optional package is not installed (also ImportError)
"""

from __future__ import annotations

from pathlib import Path
from typing import Any


class GraphStoreError(Exception):
    """Base of all errors that graphstore raises on purpose."""


class SettingsError(GraphStoreError):
    """A flag, an environment variable or ``graphstore.toml`` holds a value that cannot be used."""


class ConnectError(GraphStoreError):
    """No usable Neo4j server answers at the configured address."""


class AuthError(ConnectError):
    """The server refused the user name or the password. Never retried: three failures lock the account."""


class GdsMissing(ConnectError):
    """The server has no Graph Data Science library."""


class ServerError(GraphStoreError):
    """The embedded server could not be downloaded, started or stopped."""


class SchemaError(GraphStoreError):
    """The store's schema is of another version, or an index did not come online."""


class EncoderMismatch(GraphStoreError):
    """The store's vectors were made by another encoder than the configured one."""


class QueryFileError(GraphStoreError):
    """A ``.cypher`` file is malformed: no statement, or declared and used parameters differ."""


class QueryError(GraphStoreError):
    """The server refused a statement."""


class LoadError(GraphStoreError):
    """Input that cannot be read at all.

    :param reason: What is wrong and what to do.
    :param path: The file.
    :param line: Its line, counted from 1, where known.
    """

    def __init__(self, reason: str, path: Path | str | None = None, line: int | None = None) -> None:
        where = "" if path is None else f"{path}: " if line is None else f"{path}:{line}: "
        super().__init__(where + reason)
        self.reason = reason
        self.path = path
        self.line = line


class CatalogError(GraphStoreError):
    """A catalog of types cannot be used; the message names the type and what is wrong with it."""


class SeedError(GraphStoreError):
    """A restart distribution is negative, not finite, or sums to zero."""


class ConvergenceError(GraphStoreError):
    """An iterative method did not reach its tolerance within its iterations."""


class ModelError(GraphStoreError):
    """A language model's endpoint refused, could not be reached, or gave no usable answer. Never holds the key.

    ``report`` is what the run had asked till then, where one was under way.
    """

    report: Any = None


class NoAnswer(ModelError):
    """A language model gave no usable answer to one question.

    :param cut_off: Whether it is that the answer became too long.
    """

    def __init__(self, message: str, *, cut_off: bool = False) -> None:
        super().__init__(message)
        self.cut_off = cut_off


class BudgetSpent(ModelError):
    """The next call to a language model would go past the tokens or the money that it may cost."""


class NotFound(GraphStoreError):
    """The store holds no such stage, entity, document or tool."""


class DecisionError(GraphStoreError):
    """A decision about entities contradicts another one, or would change nothing."""


class MissingExtra(GraphStoreError, ImportError):
    """An optional package is not installed.

    :param module: The module that could not be imported.
    :param extra: The extra of ``neo4j-graphstore`` that brings it.
    """

    def __init__(self, module: str, extra: str) -> None:
        super().__init__(f"{module} is not installed: pip install 'neo4j-graphstore[{extra}]'")
        self.module = module
        self.extra = extra

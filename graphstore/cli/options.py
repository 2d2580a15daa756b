"""Options that commands share, as decorators, and the store they open."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from graphstore.client import GraphStore
    from graphstore.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])


def json_option(function: Command) -> Command:
    """``--json``: JSON on stdout and nothing else there."""
    return click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout, nothing else.")(function)


def format_option(function: Command) -> Command:
    """``--format``, and ``--json`` for its ``jsonl``; the command gets ``form``."""
    # The names stand here too: importing them would load the renderer for `--help`.
    names = ("table", "json", "jsonl", "csv", "markdown")
    json_lines = click.option("--json", "form", flag_value="jsonl", help="The same as --format jsonl.")
    choice = click.option(
        "--format",
        "form",
        type=click.Choice(names),
        default="table",
        show_default=True,
        help="json is one array, jsonl one object a row and line.",
    )
    return choice(json_lines(function))


def param_option(function: Command) -> Command:
    """``--param``: values of parameters; the command gets ``parameters``."""
    return click.option(
        "--param",
        "parameters",
        multiple=True,
        metavar="NAME=VALUE",
        callback=_parameters,
        help="A parameter; the value is JSON, or else text (repeatable).",
    )(function)


def _parameters(_ctx: click.Context, _param: click.Parameter, values: tuple[str, ...]) -> dict[str, Any]:
    from graphstore.console.parameters import parameter
    from graphstore.errors import SettingsError

    try:
        return dict(parameter(value) for value in values)
    except SettingsError as error:
        raise click.BadParameter(str(error)) from error


def reader_option(function: Command) -> Command:
    """``--as``: read as these principals and groups; without it the local owner sees all."""
    return click.option(
        "--as",
        "reader",
        multiple=True,
        metavar="PRINCIPAL",
        help="See only what this principal or group may read (repeatable).",
        callback=lambda _ctx, _param, value: value or None,
    )(function)


def as_of_option(function: Command) -> Command:
    """``--as-of``: what was known by a date."""
    return click.option(
        "--as-of",
        "as_of",
        metavar="DATE",
        help="See what was known by this day, as 2026-03-01; later documents are left out.",
    )(function)


def count_option(default: int, most: int = 1000) -> Callable[[Command], Command]:
    """``-k``: how many results."""
    return click.option("-k", "k", type=click.IntRange(1, most), default=default, show_default=True, help="Results.")


def engine_option(function: Command) -> Command:
    """``--engine``: where walks are followed."""
    return click.option(
        "--engine",
        type=click.Choice(["local", "gds", "auto"]),
        default="auto",
        show_default=True,
        help="Follow walks here, or in the server by its Graph Data Science library; auto takes the faster: here.",
    )(function)


def allow_failures_option(function: Command) -> Command:
    """``--allow-failures``: failed records do not make the exit status 1."""
    return click.option("--allow-failures", is_flag=True, help="Exit 0 although some records were skipped.")(function)


def store_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Options that say which store; the command gets ``settings``."""

    @click.option("--uri", help="Neo4j server to use instead of the embedded one (NEO4J_URI).")
    @click.option("--database", help="Its database (NEO4J_DATABASE).")
    @click.option("--home", type=click.Path(path_type=Path), help="Folder of the embedded server (GRAPHSTORE_HOME).")
    @wraps(function)
    def wrapped(*args: Any, uri: str | None, database: str | None, home: Path | None, **kwargs: Any) -> Any:
        from graphstore.settings import Settings

        settings = Settings.load(uri=uri, database=database, home=home)
        return function(*args, settings=settings, **kwargs)

    return wrapped


def extractor_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """``--extractor`` and what goes with it, put into ``settings``; stands below :func:`store_options`."""

    @click.option(
        "--extractor",
        type=click.Choice(["local", "gliner"]),
        help="gliner: let a GLiNER model look for the catalog's types besides (GRAPHSTORE_EXTRACTOR).",
    )
    @click.option("--gliner-model", metavar="FOLDER", help="Folder of the model; none is fetched.")
    @click.option("--gliner-threshold", metavar="SCORE", help="Least score of a name, 0 to 1 (0.5).")
    @wraps(function)
    def wrapped(*args: Any, settings: Settings, **kwargs: Any) -> Any:
        from graphstore.settings import Settings

        names = ("extractor", "gliner_model", "gliner_threshold")
        given = {name: value for name in names if (value := kwargs.pop(name)) is not None}
        if given:
            checked = Settings.load(environment={}, **given)
            settings = replace(settings, **{name: getattr(checked, name) for name in given})
        return function(*args, settings=settings, **kwargs)

    return wrapped


@contextmanager
def opened(settings: Settings, *, accept_encoder: bool = False) -> Iterator[GraphStore]:
    """The store that the settings name, started if it is the embedded one and down.

    :param accept_encoder: Open it although its vectors are another encoder's, to encode again.
    """
    from graphstore.client import GraphStore

    with (
        progress() as report,
        GraphStore.connect(settings, progress=report, accept_encoder=accept_encoder) as store,
    ):
        yield store


class Bar:
    """A progress bar on a terminal's stderr; elsewhere silent."""

    def __init__(self) -> None:
        self._label = ""
        self._bar: Any = None

    def __call__(self, label: str, done: int, total: int | None) -> None:
        """Show that ``done`` of ``total`` are finished."""
        if not sys.stderr.isatty():
            return
        if self._bar is None or label != self._label:
            self.close()
            self._label = label
            self._bar = click.progressbar(length=total or 0, label=f"{label:<24}", file=sys.stderr, show_pos=True)
            self._bar.__enter__()
        if total:
            self._bar.length = total
        self._bar.update(done - self._bar.pos)

    def close(self) -> None:
        """End the line of the bar that is shown."""
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None


@contextmanager
def progress() -> Iterator[Bar]:
    """A bar that is closed however the work ends."""
    bar = Bar()
    try:
        yield bar
    finally:
        bar.close()

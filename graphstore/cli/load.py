"""``graphstore load``: files into the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphstore.cli.options import allow_failures_option, json_option, opened, store_options
from graphstore.cli.output import report_load

if TYPE_CHECKING:
    from graphstore.settings import Settings

# The names stand here too: the command line imports no loader.
FORMATS = (
    *("anthropic", "langfuse", "langsmith", "mcp", "openai-chat", "openai-responses", "otlp", "task-graph", "task-log"),
    *("toollinkos", "traject-bench", "workbench"),
)
_PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))


@click.group()
def load() -> None:
    """Load tools, logs or documents. What cannot be read is named as file:line and skipped, the rest is loaded."""


@load.command("tools")
@_PATHS
@click.option("--server", help="Name of the server that offers them; ids become server/name.")
@store_options
@json_option
@allow_failures_option
def load_tools(
    paths: tuple[Path, ...], server: str | None, settings: Settings, as_json: bool, allow_failures: bool
) -> int:
    """Load tool catalogs: OpenAI functions, MCP tools/list, plain JSON, task-graph nodes."""
    with opened(settings) as store:
        report = store.load_tools(*paths, server=server)
    return report_load(report, as_json=as_json, allow_failures=allow_failures)


@load.command("logs")
@_PATHS
@click.option(
    "--format",
    "form",
    metavar="NAME",
    help=f"Format of all records; told by each record if not given. One of {', '.join(FORMATS)}.",
)
@click.option(
    "--passed-if",
    metavar="CONDITION",
    help="When a run passed: FIELD, FIELD=VALUE (also != > >= < <=) on its record, dots lead into it, or true for all. "
    "Without it: as the log says, else unknown.",
)
@store_options
@json_option
@allow_failures_option
def load_logs(
    paths: tuple[Path, ...],
    form: str | None,
    passed_if: str | None,
    settings: Settings,
    as_json: bool,
    allow_failures: bool,
) -> int:
    """Load logs of agents: files or folders of JSON or JSON lines, plain or .gz; docs/logs.md lists the formats."""
    with opened(settings) as store:
        report = store.load_logs(*paths, format=form, passed_if=passed_if)
    return report_load(report, as_json=as_json, allow_failures=allow_failures)


@load.command("docs")
@_PATHS
@store_options
@json_option
@allow_failures_option
def load_documents(paths: tuple[Path, ...], settings: Settings, as_json: bool, allow_failures: bool) -> int:
    """Load documents: folders of .md, .txt and .html files, or JSON lines."""
    with opened(settings) as store:
        report = store.load_documents(*paths)
    return report_load(report, as_json=as_json, allow_failures=allow_failures)

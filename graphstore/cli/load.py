"""``graphstore load``: files into the store."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphstore.cli.model_options import model_options, tell
from graphstore.cli.options import allow_failures_option, extractor_options, json_option, opened, store_options
from graphstore.cli.output import report_load

if TYPE_CHECKING:
    from graphstore.corpusmap.llm.run import ModelOptions
    from graphstore.settings import Settings

# The names stand here too: the command line imports no loader.
FORMATS = (
    *("anthropic", "langfuse", "langsmith", "mcp", "openai-chat", "openai-responses", "otlp", "task-graph", "task-log"),
    *("toollinkos", "traject-bench", "workbench"),
)
_PATHS = click.argument("paths", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))


@click.group()
def load() -> None:
    """Load tools, logs, documents or registries.

    What cannot be read is named as file:line and skipped, the rest is loaded.
    """


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
@model_options
@store_options
@extractor_options
@json_option
@allow_failures_option
def load_documents(
    paths: tuple[Path, ...], model: ModelOptions | None, settings: Settings, as_json: bool, allow_failures: bool
) -> int:
    """Load documents: folders of .md, .txt and .html files, or JSON lines."""
    with opened(settings) as store:
        if model is None:
            return report_load(store.load_documents(*paths), as_json=as_json, allow_failures=allow_failures)
        report, asked = store.load_documents_with_model(*paths, options=model)
    tell(asked)
    return report_load(report, as_json=as_json, allow_failures=allow_failures, more={"model": asked.to_dict()})


@load.command("entities")
@_PATHS
@click.option("--id", "id_column", metavar="COLUMN", help="Column of the ids, if it is not named id or the like.")
@click.option("--name", "name_column", metavar="COLUMN", help="Column of the names, if it is not named name or so.")
@click.option(
    "--replace", is_flag=True, help="Take out what the same registries, by file name, had and do not have any more."
)
@store_options
@json_option
@allow_failures_option
def load_entities(
    paths: tuple[Path, ...],
    id_column: str | None,
    name_column: str | None,
    replace: bool,
    settings: Settings,
    as_json: bool,
    allow_failures: bool,
) -> int:
    """Load registries (people, customers, systems): CSV with any delimiter, or JSON lines; plain or .gz.

    Names in documents that mean one record are linked to it under the record's own id.
    """
    with opened(settings) as store:
        report = store.load_entities(*paths, id=id_column, name=name_column, replace=replace)
    return report_load(report, as_json=as_json, allow_failures=allow_failures)

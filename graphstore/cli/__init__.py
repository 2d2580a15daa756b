"""The command line: thin commands over the client, one verb a file, loaded when called."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from graphstore.errors import GraphStoreError

# Name -> (module, one line of help). Help is here, so that `graphstore --help` imports no command.
_COMMANDS: dict[str, tuple[str, str]] = {
    "init": ("init", "Write graphstore.toml, with every setting and its default."),
    "demo": ("demo", "Load the sample, build both graphs, ask one question of each, write the pages."),
    "up": ("server", "Start the embedded Neo4j, or say where it is."),
    "down": ("server", "Stop the embedded Neo4j."),
    "status": ("server", "Say whether the embedded Neo4j runs, where, and what it holds."),
    "doctor": ("doctor", "Say what works and what does not between here and the store, with the remedy."),
    "reset": ("server", "Delete the embedded store and everything in it."),
    "load": ("load", "Load tools, logs or documents."),
    "build": ("build", "Derive again what loading derives."),
    "tools": ("tools", "The tools that a whole workflow for a request needs."),
    "paths": ("tools", "The successful paths of a stage, compared."),
    "search": ("search", "Entity pages and documents for a question."),
    "page": ("page", "One entity's page."),
    "doc": ("page", "One document, and the pages that mention it."),
    "pages": ("page", "All entity pages as files."),
    "catalog": ("catalog", "The types of entity that documents are read with."),
    "entities": ("entities", "The registry of entities."),
    "forget": ("forget", "Take documents out of the store, with all that they alone support."),
    "query": ("query", "Run Cypher."),
    "console": ("console", "Cypher at a prompt, with completion and saved statements."),
    "browser": ("browser", "Open Neo4j Browser, or write what it imports."),
    "show": ("show", "A picture of a tool or an entity and what it is joined to."),
    "grep": ("navigate", "The lines of all documents that hold a text."),
    "neighbours": ("navigate", "What is near an entity or a document, and why."),
    "ask": ("ask", "Have an agent answer a question from the documents (needs a language model)."),
    "serve": ("serve", "Serve the corpus to agents by the Model Context Protocol."),
    "eval": ("eval", "How good answers are, on data sets whose answers are known."),
    "check": ("check", "Look for broken invariants."),
    "backup": ("backup", "Write the whole store to a file."),
    "restore": ("backup", "Bring a backup back into an empty store."),
    "reindex": ("reindex", "Encode everything again with the configured encoder."),
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of :data:`_COMMANDS`."""
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, imported now."""
        if cmd_name not in _COMMANDS:
            return None
        module = import_module(f"graphstore.cli.{_COMMANDS[cmd_name][0]}")
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, text) for name, (_, text) in _COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.version_option(package_name="neo4j-graphstore", prog_name="graphstore")
def cli() -> None:
    """Tool workflows and entity pages for agents, on Neo4j.

    Commands that need the store start the embedded Neo4j when it is down and leave it up; NEO4J_URI names another
    server. Exit status: 0 done, 1 an error or failed records, 2 wrong usage, 130 interrupted with nothing lost.
    """


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit."""
    sys.exit(run(arguments))


def run(arguments: list[str] | None = None) -> int:
    """The exit status of the command line."""
    try:
        status = cli.main(arguments, prog_name="graphstore", standalone_mode=False)
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except click.ClickException as wrong:
        wrong.show()
        return wrong.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("graphstore: interrupted; what was finished is kept, the same command goes on from there", err=True)
        return 130
    except GraphStoreError as error:
        click.echo(f"graphstore: {' '.join(str(error).splitlines())}", err=True)
        return 1
    except UnicodeEncodeError as error:
        beyond = ascii(error.object[error.start : error.end])
        click.echo(
            f"graphstore: {beyond} is not in the encoding of the output ({error.encoding}): set PYTHONUTF8=1", err=True
        )
        return 1
    return status if isinstance(status, int) else 0

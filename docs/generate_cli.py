"""Writes docs/cli.md from the help of every command; with --check, says whether it is up to date."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

import click
from click.testing import CliRunner

from graphstore.cli import cli

TARGET = Path(__file__).with_name("cli.md")
PROGRAM = "graphstore"
WIDTH = 100  # fixed, so that the page does not depend on the terminal
HEAD = """\
# Command line

Made from `--help` by `make docs`; `make check` fails when they differ.
"""


def commands(command: click.Command, *names: str) -> Iterator[tuple[str, ...]]:
    """The words that call the command and each one below it, depth first; hidden ones left out."""
    yield names
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from commands(below, *names, name)


def help_of(names: tuple[str, ...]) -> str:
    """What `graphstore NAMES --help` prints.

    :raises RuntimeError: it failed.
    """
    result = CliRunner().invoke(
        cli, [*names, "--help"], prog_name=PROGRAM, terminal_width=WIDTH, max_content_width=WIDTH
    )
    if result.exit_code:
        raise RuntimeError(f"{PROGRAM} {' '.join(names)} --help: exit {result.exit_code}") from result.exception
    return "\n".join(line.rstrip() for line in result.stdout.rstrip().splitlines())


def document() -> str:
    """The page: one section a command."""
    sections = [f"## {' '.join((PROGRAM, *n))}\n\n```text\n{help_of(n)}\n```\n" for n in commands(cli)]
    return "\n".join([HEAD, *sections])


def main() -> int:
    """0 when docs/cli.md is what it should be, or was written; 1 when it differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="compare only; the difference goes to stderr")
    check = parser.parse_args().check
    wanted = document()
    if not check:
        TARGET.write_text(wanted, "utf-8")
        return 0
    present = TARGET.read_text("utf-8") if TARGET.exists() else ""
    difference = difflib.unified_diff(present.splitlines(True), wanted.splitlines(True), "docs/cli.md", "--help")
    sys.stderr.writelines(difference)
    if present != wanted:
        sys.stderr.write("docs/cli.md is not what --help says: run `make docs`\n")
    return int(present != wanted)


if __name__ == "__main__":
    sys.exit(main())

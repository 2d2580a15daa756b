"""Writes docs/cli.md from the help of every command; with --check, says whether it is up to date."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Iterator
from pathlib import Path

import click

from graphstore.cli import main as graphstore

TARGET = Path(__file__).with_name("cli.md")
WIDTH = 100
HEAD = """\
# Command line

Made from `--help` by `make docs`; `make check` fails when they differ.
"""


def commands(command: click.Command, names: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """The command and all below it, each with the words that call it; hidden ones left out."""
    yield names, command
    if isinstance(command, click.Group):
        for name, below in sorted(command.commands.items()):
            if not below.hidden:
                yield from commands(below, (*names, name))


def help_of(names: tuple[str, ...], command: click.Command) -> str:
    """What `--help` prints, without trailing blanks."""
    context: click.Context | None = None
    for name in names[:-1]:
        context = click.Context(click.Group(name), info_name=name, parent=context)
    context = click.Context(command, info_name=names[-1], parent=context, terminal_width=WIDTH, max_content_width=WIDTH)
    return "\n".join(line.rstrip() for line in command.get_help(context).splitlines())


def document() -> str:
    """The page: one section a command."""
    sections = [
        f"## {' '.join(names)}\n\n```text\n{help_of(names, command)}\n```\n"
        for names, command in commands(graphstore, ("graphstore",))
    ]
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

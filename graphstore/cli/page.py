"""``graphstore page``, ``doc`` and ``pages``: what one entity or one document holds, and all pages as files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from graphstore.cli.options import as_of_option, json_option, opened, reader_option, store_options
from graphstore.cli.output import print_answer, print_json
from graphstore.counts import counted

if TYPE_CHECKING:
    from graphstore.settings import Settings

Command = TypeVar("Command", bound=Callable[..., Any])


def max_tokens_option(function: Command) -> Command:
    """``--max-tokens``: size of a page's parts."""
    return click.option(
        "--max-tokens",
        type=click.IntRange(min=400),
        metavar="N",
        help="The most tokens that a part of a page may have, 400 or more; 2,000 by default.",
    )(function)


_WHOLE = 1_000_000
"""Tokens of what is read without a budget."""


@click.command()
@click.argument("name_or_id")
@click.option("--part", type=click.IntRange(min=1), metavar="N", help="Part N of a long page, from 1.")
@max_tokens_option
@store_options
@reader_option
@as_of_option
@json_option
def page(
    name_or_id: str,
    part: int | None,
    max_tokens: int | None,
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """The entity page of NAME_OR_ID as Markdown: overview, latest, conflicts, facts with their documents.

    A long page has several parts. With --json all of it is one record; with --part or --max-tokens, too, it is the text
    of that part.
    """
    with opened(settings) as store:
        if as_json and part is None and max_tokens is None:
            print_json(store.page(name_or_id, reader=reader, as_of=as_of).to_dict())
            return
        text = store.page_text(name_or_id, part=part or 1, max_tokens=max_tokens, reader=reader, as_of=as_of)
    if as_json:
        print_json(text.to_dict())
    else:
        click.echo(text.text, nl=False)


@click.command()
@click.argument("path_or_id")
@click.option("--section", metavar="N", help="Only this section: its number, a range such as 2-4, or its heading.")
@click.option("--line", type=click.IntRange(1), metavar="N", help="Begin at this line, as `graphstore grep` shows it.")
@max_tokens_option
@store_options
@reader_option
@as_of_option
@json_option
def doc(
    path_or_id: str,
    section: str | None,
    line: int | None,
    max_tokens: int | None,
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """The document PATH_OR_ID and the pages that mention it; a path that it had before it was moved is known, too.

    With --section, --line or --max-tokens it is read as agents read it: what was left out is told.
    """
    with opened(settings) as store:
        if section or line or max_tokens:
            part = store.navigation(reader=reader, as_of=as_of).read_document(
                path_or_id, section=section, line=line, max_tokens=max_tokens or _WHOLE
            )
            print_answer(part, as_json=as_json)
            return
        found = store.document(path_or_id, reader=reader, as_of=as_of)
    if as_json:
        print_json(found.to_dict())
        return
    date = found.modified or found.created
    click.echo(f"# {found.title}\n\n{found.path}{f' · {date[:10]}' if date else ''}")
    if found.earlier:
        click.echo(f"moved here from {', '.join(reversed(found.earlier))}")
    click.echo(f"\n{found.text.strip()}\n")
    click.echo("Pages: " + (", ".join(ref.name for ref in found.pages) or "none"))


@click.group()
def pages() -> None:
    """All entity pages as files."""


@pages.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@max_tokens_option
@store_options
@reader_option
@as_of_option
@json_option
def export(
    folder: Path,
    max_tokens: int | None,
    settings: Settings,
    reader: tuple[str, ...] | None,
    as_of: str | None,
    as_json: bool,
) -> None:
    """Write every page that the reader may see to FOLDER, with an index; only what changed is written."""
    with opened(settings) as store:
        report = store.export_pages(folder, max_tokens=max_tokens, reader=reader, as_of=as_of)
    if as_json:
        print_json(report.to_dict())
    else:
        click.echo(
            f"{folder}: {counted(report.pages, 'page')}, {counted(report.documents, 'document')}; "
            f"{report.written} written, {report.removed} removed"
        )

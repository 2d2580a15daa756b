"""The style sheet and the saved queries as files that Neo4j Browser imports.

Browser takes one dropped file at a time: a ``.grass`` style sheet, or a ``.zip`` of ``folder/name.cypher`` files, each
of which becomes a saved query that is called by the comment in its first line. Saved queries take parameters, so one
more sets these: Browser runs ``:param [{tool}] => {statement that returns a row with tool}``.
"""

from __future__ import annotations

import zipfile
from importlib import resources
from pathlib import Path

from graphstore import queries

STYLE = "graphstore.grass"
ARCHIVE = "graphstore-queries.zip"
FOLDER = "graphstore"
PARAMETERS = "parameters.cypher"
PARAMETERS_TITLE = "(parameters: run this first)"
_CONSOLE = "console/"
_EXAMPLES = "retrieve/example_parameters"
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the same queries are the same archive


def saved_queries() -> dict[str, str]:
    """The saved queries as Browser takes them: file name → a line with its title, then the statement as it is."""
    return {
        f"{name.removeprefix(_CONSOLE)}.cypher": f"// {title(name.removeprefix(_CONSOLE))}\n{queries.load(name).text}"
        for name in queries.names()
        if name.startswith(_CONSOLE)
    }


def parameters_command() -> str:
    """The command that gives the parameters of all saved queries values which the store holds."""
    names = queries.names()
    used = {each for name in names if name.startswith(_CONSOLE) for each in queries.load(name).parameters}
    examples = queries.load(_EXAMPLES)
    chosen = ", ".join(column for column in examples.columns if column in used)
    # without the header: Browser takes a comment inside a command for a part of it
    statement = "\n".join(line for line in examples.text.splitlines() if not line.startswith("//"))
    return f"// {PARAMETERS_TITLE}\n:param [{{{chosen}}}] => {{\n{statement}\n}}\n"


def title(stem: str) -> str:
    """What a saved query is called.

    >>> title("entity_documents")
    'Entity documents'
    """
    return stem.replace("_", " ").capitalize()


def export(folder: Path) -> list[Path]:
    """The files written to ``folder``: the style sheet, the archive of the saved queries, and each by itself."""
    saved = {**saved_queries(), PARAMETERS: parameters_command()}
    single = folder / "queries"
    single.mkdir(parents=True, exist_ok=True)
    style = folder / STYLE
    style.write_text(resources.files("graphstore.browser").joinpath(STYLE).read_text("utf-8"), "utf-8")
    archive = folder / ARCHIVE
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in saved.items():
            packed.writestr(zipfile.ZipInfo(f"{FOLDER}/{name}", _EPOCH), text.encode())
    files = [single / name for name in saved]
    for path, text in zip(files, saved.values(), strict=True):
        path.write_text(text, "utf-8")
    return [style, archive, *files]

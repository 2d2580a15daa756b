"""The console's ``:commands``."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from graphstore import queries
from graphstore.console import output
from graphstore.console.formats import FORMATS, lines
from graphstore.console.parameters import parameter
from graphstore.console.session import Session
from graphstore.errors import GraphStoreError, LoadError, NotFound, SettingsError

_DECLARED = re.compile(r"^//\s+\$(\w+):\s*(.*)$", re.MULTILINE)
_EXPORT = re.compile(
    r"(?P<form>\S+)\s+(?:\"(?P<double>[^\"]+)\"|'(?P<single>[^']+)'|(?P<bare>\S+))\s*(?P<statement>.*)", re.S
)


@dataclass(frozen=True, slots=True)
class Command:
    """A command.

    :param usage: What follows its name.
    :param help: What it does, in a line.
    :param run: Does it, with the text after its name.
    """

    usage: str
    help: str
    run: Callable[[Session, str], None]


def command(session: Session, item: str) -> None:
    """Run a ``:command``.

    :raises GraphStoreError: no such command, or it failed.
    """
    word, *rest = item[1:].split(maxsplit=1) or [""]
    name = {"exit": "quit", "param": "params", "?": "help"}.get(word.lower(), word.lower())
    if name not in COMMANDS:
        near = get_close_matches(name, COMMANDS, 1)
        raise NotFound(f":{word}: no such command" + (f"; did you mean :{near[0]}?" if near else "; see :help"))
    COMMANDS[name].run(session, "".join(rest).strip())


def _help(session: Session, rest: str) -> None:
    wanted = rest.lstrip(":")
    if wanted and wanted not in COMMANDS:
        raise NotFound(f":{wanted}: no such command; see :help")
    shown = [wanted] if wanted else list(COMMANDS)
    rows = [[f":{name} {COMMANDS[name].usage}".strip(), COMMANDS[name].help] for name in shown]
    session.show(("command", "what it does"), [list(row) for row in rows])
    if not wanted:
        output.note("A statement ends with ; or, at the prompt, with an empty line. Ctrl-C stops it, Ctrl-D leaves.")


def _schema(session: Session, _rest: str) -> None:
    session.vocabulary.forget()
    for name in ("maintain/schema_labels", "maintain/schema_patterns", "maintain/schema_indexes"):
        session.statement(queries.load(name).text, write=False)


def _params(session: Session, rest: str) -> None:
    if rest == "clear":
        session.parameters.clear()
    elif rest:
        name, value = parameter(rest)
        session.parameters[name] = value
    else:
        session.show(("parameter", "value"), [[name, value] for name, value in sorted(session.parameters.items())])


def _use(session: Session, rest: str) -> None:
    try:
        name, *given = shlex.split(rest) or [""]
    except ValueError as error:
        raise SettingsError(f":use {rest}: {error}") from error
    known = queries.names()
    if name not in known:
        _list_saved(session, name, [other for other in known if other.startswith(name)])
        return
    query = queries.load(name)
    values = {**session.parameters, **dict(parameter(text) for text in given)}
    missing = sorted(query.parameters - values.keys())
    if missing:
        wanted = " ".join(f"{parameter}=VALUE" for parameter in missing)
        meaning = dict(_DECLARED.findall(query.text))
        needs = "; ".join(f"${parameter} ({meaning[parameter]})" for parameter in missing)
        raise SettingsError(f"{name} needs {needs}: write :use {name} {wanted}")
    session.statement(*session.chosen(query.text, values))


def _list_saved(session: Session, name: str, below: list[str]) -> None:
    if not below:
        near = get_close_matches(name, queries.names(), 3)
        raise NotFound(
            f"{name}: no such saved statement" + (f"; near: {', '.join(near)}" if near else "; :use lists all")
        )
    saved = [queries.load(other) for other in below]
    rows = [[query.name, ", ".join(sorted(query.parameters)), query.purpose] for query in saved]
    session.show(("name", "parameters", "purpose"), [list(row) for row in rows])


def _explain(session: Session, rest: str) -> None:
    text, values = session.chosen(rest)
    session.statement(f"EXPLAIN {text}", values, write=False)


def _profile(session: Session, rest: str) -> None:
    text, values = session.chosen(rest)
    session.statement(f"PROFILE {text}", values)


def _source(session: Session, rest: str) -> None:
    if not rest:
        raise SettingsError(":source needs a file")
    session.script(_path(rest.strip("\"'")))


def _export(session: Session, rest: str) -> None:
    match = _EXPORT.fullmatch(rest)
    form = next((known for known in FORMATS if match and known == match["form"]), None)
    if match is None or form is None:
        raise SettingsError(f":export needs a format ({', '.join(FORMATS)}) and a file: :export csv rows.csv")
    path = _path(match["double"] or match["single"] or match["bare"])
    text, values = session.chosen(match["statement"])
    with session.store.execute(text, {**session.parameters, **values}) as execution, output.stoppable(execution):
        columns = execution.columns  # a refused statement leaves no file
        try:
            with path.open("x", encoding="utf-8", newline="") as file:
                for line in lines(form, columns, execution):
                    file.write(line + "\n")
        except FileExistsError as error:
            raise LoadError("exists already; name another file or delete it first", path) from error
        except (OSError, GraphStoreError) as error:
            path.unlink(missing_ok=True)
            raise LoadError(f"not written: {getattr(error, 'strerror', None) or error}", path) from error
    if execution.cancelled:
        path.unlink(missing_ok=True)
        raise KeyboardInterrupt
    output.note(f"{path}: {execution.count} rows")


def _write(session: Session, rest: str) -> None:
    if rest:
        session.statement(*session.chosen(rest), write=True)
    else:
        session.writing = True
        output.note("WRITE mode: statements may change the graph; :read goes back")


def _read(session: Session, _rest: str) -> None:
    session.writing = False
    output.note("READ mode")


def _format(session: Session, rest: str) -> None:
    form = next((known for known in FORMATS if known == rest), None)
    if form is None:
        raise SettingsError(f":format needs one of {', '.join(FORMATS)}; it is {session.form}")
    session.form = form


def _quit(session: Session, _rest: str) -> None:
    session.over = True


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise LoadError(str(error), text) from error


COMMANDS: dict[str, Command] = {
    "help": Command("[COMMAND]", "These commands.", _help),
    "schema": Command("", "Labels, what joins them, and indexes, as they are now.", _schema),
    "params": Command(
        "[NAME=VALUE | clear]", "Show, set or forget parameters; a value is JSON, or else text.", _params
    ),
    "use": Command("[NAME [NAME=VALUE …]]", "Run a saved statement; without a whole name, list them.", _use),
    "explain": Command("[STATEMENT]", "Plan of a statement, or of the last one, without running it.", _explain),
    "profile": Command("[STATEMENT]", "Run a statement, or the last one, and show what each step cost.", _profile),
    "source": Command("FILE", "Run a file of statements and commands.", _source),
    "export": Command(
        "FORMAT FILE [STATEMENT]",
        "Write the rows of a statement, or of the last one run again, to a new file.",
        _export,
    ),
    "format": Command("FORMAT", f"Print rows as {', '.join(FORMATS)}.", _format),
    "write": Command("[STATEMENT]", "Let one statement, or all from here on, change the graph.", _write),
    "read": Command("", "Go back to READ mode, in which nothing can be changed.", _read),
    "quit": Command("", "Leave; so does Ctrl-D.", _quit),
}

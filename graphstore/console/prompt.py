"""The prompt: lines edited, coloured and completed, and what was typed remembered."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion, PathCompleter
from prompt_toolkit.document import Document
from prompt_toolkit.history import FileHistory, History, InMemoryHistory
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.lexers import PygmentsLexer
from prompt_toolkit.output import create_output
from prompt_toolkit.styles import Style
from pygments.lexer import inherit
from pygments.lexers.graph import CypherLexer
from pygments.token import Keyword, Name

from graphstore import queries
from graphstore.console import output
from graphstore.console.commands import COMMANDS
from graphstore.console.completion import Candidate, candidates, starting
from graphstore.console.formats import FORMATS
from graphstore.console.script import complete, finished
from graphstore.console.session import Session

_SECRET = re.compile(r"\bpassword\b", re.IGNORECASE)
_STATEMENT_AFTER = re.compile(r"\s*:(?:explain|profile|write|export\s+\S+\s+\S+)\s", re.IGNORECASE)
_STYLE = Style.from_dict(
    {
        "pygments.keyword": "ansibrightblue bold",
        "pygments.literal.string": "ansigreen",
        "pygments.literal.number": "ansicyan",
        "pygments.comment": "ansibrightblack italic",
        "pygments.name.constant": "ansimagenta",
        "pygments.name.variable": "ansiyellow",
        "pygments.name.builtin": "ansimagenta bold",
        "pygments.error": "",
        "prompt.write": "ansired bold",
    }
)


class _Lexer(CypherLexer):
    """Pygments' Cypher, with the parameters, operators in words and commands that it does not know."""

    tokens: ClassVar[dict[str, Any]] = {
        "root": [
            (r"^\s*:\w+", Name.Builtin),
            (r"\$\w+", Name.Constant),
            (r"(?i)\b(?:and|or|xor|not|in|contains|starts|ends|is|null|true|false|exists|count|yield)\b", Keyword),
            inherit,
        ]
    }


class _Completer(Completer):
    """Commands and what they take; else what :mod:`graphstore.console.completion` finds."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._paths = PathCompleter(expanduser=True)

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        """What could follow the text before the cursor."""
        before = document.text_before_cursor
        items = before.rsplit(";", 1)[-1].lstrip()
        if items.startswith(":") and not _STATEMENT_AFTER.match(items):
            yield from self._command(items, complete_event)
            return
        for candidate in candidates(before, self._session.vocabulary(), sorted(self._session.parameters)):
            yield _shown(candidate)

    def _command(self, line: str, event: CompleteEvent) -> Iterator[Completion]:
        word, space, rest = line[1:].partition(" ")
        known: dict[str, Iterable[str]] = {
            "help": COMMANDS,
            "use": queries.names(),
            "export": FORMATS,
            "format": FORMATS,
            "params": ["clear", *(f"{name}=" for name in self._session.parameters)],
        }
        if not space:
            yield from map(_shown, starting(word, COMMANDS, "command"))
        elif word == "source" or (word == "export" and " " in rest):
            path = rest.rpartition(" ")[2]
            yield from self._paths.get_completions(Document(path), event)
        elif word == "use" and " " in rest:
            name = rest.split()[0]
            if name in queries.names():
                wanted = sorted(f"{parameter}=" for parameter in queries.load(name).parameters)
                yield from map(_shown, starting(rest.rpartition(" ")[2], wanted, "parameter"))
        else:
            yield from map(_shown, starting(rest, known.get(word, ()), word))


class _PrivateHistory(FileHistory):
    """A history that only its owner can read and that remembers no password."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        path.chmod(0o600)
        super().__init__(str(path))

    def store_string(self, string: str) -> None:
        """Write an entry, unless it could hold a secret."""
        if not _SECRET.search(string):
            super().store_string(string)


def converse(session: Session, history: Path) -> None:
    """Read statements and commands from the terminal and run them until the user leaves.

    :param history: File that remembers what was typed.
    """
    prompt: PromptSession[str] = PromptSession(
        multiline=True,
        prompt_continuation=lambda width, _line, _wrapped: "… ".rjust(width),
        history=_history(history),
        completer=_Completer(session),
        complete_in_thread=True,
        lexer=PygmentsLexer(_Lexer),
        style=_STYLE,
        include_default_pygments_style=False,
        key_bindings=_keys(),
        output=create_output(always_prefer_tty=True),
    )
    output.note("Cypher in READ mode; :help lists the commands, Tab completes, Ctrl-D leaves.")
    while not session.over:
        try:
            text = prompt.prompt([("class:prompt.write", "write> ")] if session.writing else "graph> ")
        except KeyboardInterrupt:
            continue
        except EOFError:
            return
        for item in finished(text):
            if not session.over:
                session.run(item)


def _history(path: Path) -> History:
    try:
        return _PrivateHistory(path)
    except OSError as error:
        output.note(f"{path}: {error.strerror}; what is typed now is not remembered")
        return InMemoryHistory()


def _keys() -> KeyBindings:
    keys = KeyBindings()

    @keys.add("enter")
    def _enter(event: KeyPressEvent) -> None:
        buffer = event.current_buffer
        if buffer.document.is_cursor_at_the_end and complete(buffer.text):
            buffer.validate_and_handle()
        else:
            buffer.newline(copy_margin=False)

    @keys.add("escape", "enter")
    def _newline(event: KeyPressEvent) -> None:
        event.current_buffer.newline(copy_margin=False)

    return keys


def _shown(candidate: Candidate) -> Completion:
    return Completion(candidate.text, start_position=-candidate.begun, display_meta=candidate.kind)

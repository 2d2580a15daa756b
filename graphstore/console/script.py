"""Text split into what the console runs: Cypher statements and ``:commands``.

``;`` ends a statement, outside of strings, quoted names and comments. A command ends with its line, unless a statement
follows it (``:explain``, ``:profile``, ``:write``, ``:export``), which ends like every other. At the prompt an empty
line ends a statement too, for a pasted one from ``cypher/`` has no ``;``; in a script empty lines are layout.
"""

from __future__ import annotations

import re

_QUOTED = re.compile(
    r"//[^\r\n]*|/\*.*?(?:\*/|\Z)|'(?:\\.|[^'\\])*(?:'|\Z)|\"(?:\\.|[^\"\\])*(?:\"|\Z)|`[^`]*(?:`|\Z)|;",
    re.DOTALL,
)
_BEFORE = re.compile(r"(?:\s|;|//[^\n]*(?:\n|\Z)|/\*.*?\*/)*", re.DOTALL)
_TAKES_STATEMENT = re.compile(
    r":(?:explain|profile|write)[ \t]+[^\s;]|:export[ \t]+\S+[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s\"']\S*)[ \t]+[^\s;]"
)


def split(text: str) -> tuple[list[str], str]:
    """The complete statements and commands of ``text``, and the beginning of the next one.

    Statements are without their ``;`` and the comments before them; parts that hold comments only are left out.
    """
    found: list[str] = []
    while True:
        before = _BEFORE.match(text)
        start = before.end() if before else 0
        if text.startswith(":", start) and not _TAKES_STATEMENT.match(text, start):
            line, newline, rest = text[start:].partition("\n")
            if not newline:
                return found, text[start:]
            found.append(line.strip().rstrip("; \t"))
            text = rest
            continue
        end = _end(text, start)
        if end is None:
            return found, text[start:]
        found.append(text[start:end].strip())
        text = text[end + 1 :]


def finished(text: str) -> list[str]:
    """The statements and commands of ``text``, the last one too when nothing ends it."""
    found, rest = split(text.rstrip() + "\n")
    return [*found, rest.strip()] if rest.strip() else found


def complete(text: str) -> bool:
    """Whether Enter at the end of ``text`` runs it: it ends with ``;``, a command or an empty line, or is blank."""
    return not split(text + "\n")[1] or bool(re.search(r"\n[ \t]*\Z", text))


def _end(text: str, start: int) -> int | None:
    return next((match.start() for match in _QUOTED.finditer(text, start) if match[0] == ";"), None)

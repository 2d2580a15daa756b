"""The tools that agents get, over MCP and in ``graphstore ask``: the same names, arguments and answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from graphstore.errors import SettingsError
from graphstore.navigation.arguments import Parameter, checked, schema_of
from graphstore.navigation.budget import LEAST
from graphstore.navigation.navigate import Navigation
from graphstore.navigation.records import (
    Answer,
    DocumentReading,
    Found,
    FoundTools,
    Matches,
    Mentions,
    Neighbours,
    PageReading,
)
from graphstore.pages.parts import LEAST_TOKENS

_MOST_TOKENS = 50_000


@dataclass(frozen=True, slots=True, kw_only=True)
class NavigationTool:
    """A tool.

    :param about: What it does, for a model that chooses among tools.
    :param answers: Class of its answer.
    :param call: Calls it with checked arguments.
    """

    name: str
    title: str
    about: str
    parameters: tuple[Parameter, ...]
    answers: type[Answer]
    call: Callable[[Navigation, dict[str, Any]], Answer]

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        return schema_of(self.parameters)

    def __call__(self, navigation: Navigation, arguments: Mapping[str, Any]) -> Answer:
        """Its answer.

        :raises SettingsError: an argument is unknown, missing, of another kind or out of range.
        :raises GraphStoreError: what the method of :class:`Navigation` raises.
        """
        return self.call(navigation, checked(self.parameters, arguments))


def _text(name: str, about: str, **more: Any) -> Parameter:
    return Parameter(name=name, kind="text", about=about, **more)


def _whole(name: str, about: str, default: int | None, least: int, most: int) -> Parameter:
    return Parameter(name=name, kind="whole", about=about, default=default, least=least, most=most)


def _budget(default: int, least: int = LEAST) -> Parameter:
    return _whole("max_tokens", "Most tokens of the answer; what does not fit is told.", default, least, _MOST_TOKENS)


_PATH = _text("path", "Path of the document, as search shows it, or its id.", required=True)

TOOLS: tuple[NavigationTool, ...] = (
    NavigationTool(
        name="search",
        title="Search",
        about=(
            "Find documents and entity pages for a question, best first: paths, titles and names, no texts. "
            "Ask in full words. Then read_document and read_page."
        ),
        parameters=(
            _text("query", "The question, or what to look for.", required=True),
            _whole("k", "Most documents, and most pages.", 10, 1, 100),
            _text("type", "Only pages of this type, such as person, and documents that mention one."),
            _text("folder", "Only documents in this folder, such as minutes/."),
            _text("since", "Only documents of this day or later, as 2026-03-01."),
            _text("until", "Only documents of this day or earlier."),
            Parameter(name="token_coverage", kind="truth", about="Count words held nearly, too.", default=False),
            _budget(1500),
        ),
        answers=Found,
        call=lambda on, given: on.search(given.pop("query"), **given),
    ),
    NavigationTool(
        name="read_page",
        title="Read an entity page",
        about=(
            "Read the page of a person, project, organisation, code or other thing: what all documents say of it, "
            "newest first, where they disagree, and the paths of the documents to read next."
        ),
        parameters=(
            _text("name", "Name of the entity, in any of its written forms, or its id.", required=True),
            _whole("part", "Part of a long page.", 1, 1, 100_000),
            _budget(2000, LEAST_TOKENS),
        ),
        answers=PageReading,
        call=lambda on, given: on.read_page(given.pop("name"), **given),
    ),
    NavigationTool(
        name="read_document",
        title="Read a document",
        about=(
            "Read a document word for word: whole, one of its sections, or from a line on. Long ones are cut and say "
            "how to go on, and list their sections."
        ),
        parameters=(
            _PATH,
            _text("section", "Number, range such as 2-4, or heading of a section."),
            Parameter(name="line", kind="whole", about="Line to begin at, as grep shows it.", least=1),
            _budget(3000),
        ),
        answers=DocumentReading,
        call=lambda on, given: on.read_document(given.pop("path"), **given),
    ),
    NavigationTool(
        name="pages_of_document",
        title="Pages of a document",
        about="List the entity pages that mention a document, those that say most about it first.",
        parameters=(_PATH, _budget(1000)),
        answers=Mentions,
        call=lambda on, given: on.pages_of(given.pop("path"), **given),
    ),
    NavigationTool(
        name="neighbours",
        title="Neighbours",
        about=(
            "Of an entity: the entities in the same documents. Of a document: the documents that mention the same rare "
            "entities. Nearest first, with what both share."
        ),
        parameters=(
            _text("of", "Path of a document, or name of an entity.", required=True),
            _whole("k", "Most neighbours.", 10, 1, 100),
            _budget(1000),
        ),
        answers=Neighbours,
        call=lambda on, given: on.neighbours(given.pop("of"), **given),
    ),
    NavigationTool(
        name="grep",
        title="Grep",
        about=(
            "Find the lines of all documents that hold a text, such as a code, a name or an amount, with their paths "
            "and line numbers. Capitals do not matter unless case is true."
        ),
        parameters=(
            _text("pattern", "What a line holds, word for word.", required=True),
            Parameter(name="expression", kind="truth", about="The pattern is a regular expression.", default=False),
            Parameter(name="case", kind="truth", about="Tell capitals from small letters.", default=False),
            _text("folder", "Only documents in this folder, such as minutes/."),
            _whole("context", "Lines around each match.", 0, 0, 10),
            _whole("start", "Matching line to begin at.", 1, 1, 1_000_000_000),
            _budget(1500),
        ),
        answers=Matches,
        call=lambda on, given: on.grep(given.pop("pattern"), **given),
    ),
)
"""What reads the corpus."""

FIND_TOOLS = NavigationTool(
    name="find_tools",
    title="Find tools for a request",
    about=(
        "Find which of the organisation's tools a request needs, the whole workflow: what past successful runs called "
        "before and after, in order. It runs none of them."
    ),
    parameters=(
        _text("request", "What is to be done, in the user's words.", required=True),
        _whole("k", "Most tools.", 8, 1, 100),
        _budget(1000),
    ),
    answers=FoundTools,
    call=lambda on, given: on.find_tools(given.pop("request"), **given),
)


def tool_named(name: str, tools: tuple[NavigationTool, ...] = TOOLS) -> NavigationTool:
    """The tool of a name.

    :raises SettingsError: there is none; the message lists them.
    """
    for tool in tools:
        if tool.name == name:
            return tool
    raise SettingsError(f"there is no tool {name[:60]!r}; there are {', '.join(tool.name for tool in tools)}")

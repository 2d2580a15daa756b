"""The MCP server over one reader's navigation: tools with typed input and output, pages and documents as resources."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar
from urllib.parse import unquote

from graphstore.errors import GraphStoreError, NotFound, SettingsError
from graphstore.extras import require
from graphstore.navigation.records import Answer
from graphstore.navigation.tools import FIND_TOOLS, TOOLS, NavigationTool, tool_named

if TYPE_CHECKING:
    from anyio import CapacityLimiter
    from mcp import types
    from mcp.server import Server

    from graphstore.navigation import Navigation

T = TypeVar("T")

SERVED = (*TOOLS, FIND_TOOLS)
"""The tools that are served."""

_LOG = logging.getLogger("graphstore.serve")
_CALLS_AT_ONCE = 8
_RESOURCE_TOKENS = 50_000
_PAGE, _DOCUMENT = "graphstore://page/", "graphstore://document/"
_INSTRUCTIONS = """\
A corpus of documents, with a page for each person, project, code or other thing that several of them mention, and the
tools that past work used. Start with search; read the pages it names (read_page) for what all documents say of a thing
and where they disagree, then the documents themselves (read_document); neighbours, pages_of_document and grep lead to
what search did not find. Every answer says what it left out. Cite documents by their paths. find_tools says which
tools a request needs, in order."""


def mcp_server(navigation: Navigation) -> Server[Any]:
    """A server that answers as this reader; it runs over any transport of the SDK.

    Calls run in threads, several at once. What goes wrong in a call is the call's error, in one line.

    :raises MissingExtra: the package ``mcp`` is not installed.
    :raises SettingsError: the navigation is the owner's: an agent reads as somebody.
    """
    require("mcp", "serve")
    if navigation.who.principals is None:
        raise SettingsError("an agent reads as somebody: serve store.navigation(reader=[…]), which may be empty")
    from mcp.server import Server

    answers = _Answers(navigation)
    return Server(
        "graphstore",
        version=version("neo4j-graphstore"),
        title="graphstore",
        instructions=_INSTRUCTIONS,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
    )


class _Answers:
    """What the server answers to each kind of request."""

    def __init__(self, navigation: Navigation) -> None:
        self._navigation = navigation
        self._limiter: CapacityLimiter | None = None

    async def list_tools(self, _ctx: Any, _params: Any) -> types.ListToolsResult:
        from mcp import types

        return types.ListToolsResult(tools=[types.Tool.model_validate(described(tool)) for tool in SERVED])

    async def call_tool(self, _ctx: Any, params: types.CallToolRequestParams) -> types.CallToolResult:
        from mcp import types

        try:
            answer = await self._in_thread(lambda: called(self._navigation, params.name, params.arguments or {}))
        except Exception as error:
            content = types.TextContent(type="text", text=_told(params.name, error))
            return types.CallToolResult(content=[content], is_error=True)
        content = types.TextContent(type="text", text=answer.markdown)
        return types.CallToolResult(content=[content], structured_content=answer.to_dict())

    async def list_resources(self, _ctx: Any, _params: Any) -> types.ListResourcesResult:
        from mcp import types

        return types.ListResourcesResult(resources=[])

    async def list_templates(self, _ctx: Any, _params: Any) -> types.ListResourceTemplatesResult:
        from mcp import types

        found = [types.ResourceTemplate.model_validate(template) for template in RESOURCES]
        return types.ListResourceTemplatesResult(resource_templates=found)

    async def read_resource(self, _ctx: Any, params: types.ReadResourceRequestParams) -> types.ReadResourceResult:
        from mcp import types
        from mcp.shared.exceptions import MCPError

        try:
            text = await self._in_thread(lambda: resource(self._navigation, str(params.uri)))
        except Exception as error:
            code = types.INVALID_PARAMS if isinstance(error, GraphStoreError) else types.INTERNAL_ERROR
            raise MCPError(code=code, message=_told(str(params.uri), error)) from None
        contents = types.TextResourceContents(uri=params.uri, text=text, mime_type="text/markdown")
        return types.ReadResourceResult(contents=[contents])

    async def _in_thread(self, call: Callable[[], T]) -> T:
        from anyio import CapacityLimiter
        from anyio.to_thread import run_sync

        if self._limiter is None:  # made in the loop that runs the server
            self._limiter = CapacityLimiter(_CALLS_AT_ONCE)
        return await run_sync(call, limiter=self._limiter, abandon_on_cancel=True)


def _told(what: str, error: Exception) -> str:
    """The error in one line: ours as it is; of any other the client learns no more than that there was one."""
    if isinstance(error, GraphStoreError):
        return " ".join(str(error).split())
    _LOG.error("%s failed: %s: %s", what, type(error).__name__, error)
    return "the call failed in the server; its log says why"


def called(navigation: Navigation, name: str, arguments: Mapping[str, Any]) -> Answer:
    """The answer of a call.

    :raises GraphStoreError: what the model that called can mend: no such tool, wrong arguments, nothing found.
    """
    return tool_named(name, SERVED)(navigation, arguments)


RESOURCES: tuple[dict[str, str], ...] = (
    {
        "uriTemplate": _PAGE + "{name}",
        "name": "page",
        "title": "Entity page",
        "description": "The page of an entity, by its name or id.",
        "mimeType": "text/markdown",
    },
    {
        "uriTemplate": _DOCUMENT + "{+path}",
        "name": "document",
        "title": "Document",
        "description": "A document, by its path or id.",
        "mimeType": "text/markdown",
    },
)
"""The templates of what can be read as a resource."""


def resource(navigation: Navigation, uri: str) -> str:
    """The Markdown of a page or document.

    :raises NotFound: neither.
    """
    for prefix, read in ((_PAGE, navigation.read_page), (_DOCUMENT, navigation.read_document)):
        if uri.startswith(prefix):
            return read(unquote(uri[len(prefix) :]), max_tokens=_RESOURCE_TOKENS).markdown
    raise NotFound(f"no resource {uri[:100]!r}: there are {', '.join(each['uriTemplate'] for each in RESOURCES)}")


def described(tool: NavigationTool) -> dict[str, Any]:
    """A tool as the protocol describes it: what it does, the schemas of its arguments and of its answer."""
    return {
        "name": tool.name,
        "title": tool.title,
        "description": tool.about,
        "inputSchema": tool.schema,
        "outputSchema": answer_schema(tool.answers),
        "annotations": {"title": tool.title, "readOnlyHint": True, "openWorldHint": False},
    }


def answer_schema(answers: type[Answer]) -> dict[str, Any]:
    """The JSON Schema of an answer's :meth:`Answer.to_dict`."""
    from pydantic import TypeAdapter

    schema = TypeAdapter(answers).json_schema(mode="serialization")
    schema["properties"].pop("markdown")
    schema["required"] = sorted(schema["properties"])
    for part in (schema, *schema.get("$defs", {}).values()):
        part.pop("description", None)  # of the class in Python, with its markup
    return schema

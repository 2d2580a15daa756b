"""Tool catalogs into tools, the form told by each record.

Read are OpenAI function definitions (nested under ``function``, or flat as the Responses interface has them), MCP
``tools/list`` results with or without their JSON-RPC envelope (``inputSchema``, ``outputSchema``), Anthropic tools
(``input_schema``), plain ``{name, description, parameters, domain}`` (WorkBench, ToolLinkOS), the rows of
TRAJECT-Bench, and the nodes of the task-graph form. Names are kept exactly. What a catalog says of other tools is read
from ``depends_on`` alone; the ``connected tools`` of TRAJECT-Bench say what could be called together, not what needs
what, and are not read.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphstore.records import JSON, Rejected, Requirement, RequirementKind, ToolSpec

from .fields import content_hash, kind, objects, text
from .json_records import JsonRecord
from .parameters import listed_schema, split_schema
from .task_graph import is_node, node_tool

HOLDERS = ("tools", "functions", "nodes")
_SCHEMAS = ("inputSchema", "input_schema", "parameters")
_NEEDS: Mapping[str, RequirementKind] = {
    "TOOL_DEPENDS_ON": "tool",
    "TOOL_DIRECTLY_DEPENDS_ON": "tool",
    "TOOL_INDIRECTLY_DEPENDS_ON": "tool-indirect",
    "PARAMETER_DEPENDS_ON": "parameter",
    "PARAMETER_DIRECTLY_DEPENDS_ON": "parameter",
    "PARAMETER_INDIRECTLY_DEPENDS_ON": "parameter-indirect",
}
"""Kinds of dependence as ToolLinkOS calls them; the plain ones occur there too."""


def is_catalog(value: JSON) -> bool:
    """Whether a JSON value looks like a tool, or like an object that holds tools."""
    if not isinstance(value, dict):
        return False
    if any(isinstance(holder.get(name), list) for holder in (value, _result(value)) for name in HOLDERS):
        return True
    return is_node(value) or _is_row(value) or _definition(value) is not value or "name" in value


def catalog_tools(record: JsonRecord, path: str, server: str | None = None) -> Iterator[ToolSpec | Rejected]:
    """The tools of one record.

    :param path: The file as messages shall call it.
    :param server: Server of all tools; else the one that the catalog names (``serverInfo.name`` or ``server``).
    """
    server = server or _server(record.around)
    for where, value in _members(record):
        try:
            if not isinstance(value, dict):
                raise ValueError(f"is {kind(value)}, not a tool")
            own = server or (_server(record.value) if isinstance(record.value, dict) else None)
            yield _tool(value, own)
        except ValueError as error:
            yield Rejected(path, record.line, f"{where}: {error}" if where else str(error))


def _members(record: JsonRecord) -> Iterator[tuple[str, JSON]]:
    value = record.value
    if isinstance(value, dict) and "name" not in value:
        for prefix, holder in (("", value), ("result.", _result(value))):
            for name in HOLDERS:
                tools = holder.get(name)
                if isinstance(tools, list):
                    yield from ((f"{prefix}{name}[{index}]", tool) for index, tool in enumerate(tools))
                    return
    yield record.where, value


def _result(value: Mapping[str, JSON]) -> Mapping[str, JSON]:
    result = value.get("result")
    return result if isinstance(result, dict) else {}


def _server(around: Mapping[str, JSON]) -> str | None:
    for holder in (around, _result(around)):
        info = holder.get("serverInfo")
        name = info.get("name") if isinstance(info, dict) else holder.get("server")
        if isinstance(name, str) and name.strip():
            return name
    return None


def _definition(value: dict[str, JSON]) -> dict[str, JSON]:
    function = value.get("function")
    return function if isinstance(function, dict) else value


def _is_row(value: dict[str, JSON]) -> bool:
    return "tool name" in value


def _tool(value: dict[str, JSON], server: str | None) -> ToolSpec:
    if is_node(value) and "name" not in value:
        return node_tool(value)
    if _is_row(value):
        return _row_tool(value, server)
    definition = _definition(value)
    name = definition.get("name")
    if not isinstance(name, str) or not name.strip():
        raise ValueError("the tool has no name")
    written = next((definition[field] for field in _SCHEMAS if definition.get(field) is not None), None)
    server = server or text(definition, "server") or None
    return ToolSpec(
        name=name,
        description=text(definition, "description", "title"),
        parameters=_schema(written),
        server=server,
        domain=text(definition, "domain") or text(value, "domain") or None,
        requires=tuple(_requirements(definition.get("depends_on"), server)),
        output=_output(definition.get("outputSchema")),
    )


def _row_tool(row: dict[str, JSON], server: str | None) -> ToolSpec:
    """A tool of TRAJECT-Bench, described by what it does and what it returns; its name holds that of its parent."""
    name = text(row, "tool name")
    if not name.strip():
        raise ValueError("the tool has no name")
    return ToolSpec(
        name=name,
        description="\n".join(filter(None, (text(row, "tool description"), text(row, "output_info_summary")))),
        parameters=split_schema(row.get("required_parameters"), row.get("optional_parameters")),
        server=server,
        domain=text(row, "domain name") or None,
    )


def _schema(written: JSON) -> Mapping[str, JSON]:
    """A JSON schema as it is; a plain list of parameters (names, or objects with a name) as the schema it means."""
    if written is None:
        return {}
    if isinstance(written, dict):
        return written
    if not isinstance(written, list):
        raise ValueError(f"the parameters are {kind(written)}, not a schema or a list")
    return listed_schema(written)


def _output(written: JSON) -> Mapping[str, JSON]:
    if written is not None and not isinstance(written, dict):
        raise ValueError(f"the outputSchema is {kind(written)}, not a schema")
    return written or {}


def _requirements(written: JSON, server: str | None) -> Iterator[Requirement]:
    """What ``depends_on`` names, as tools of the same server, each kind and parameter once."""
    if isinstance(written, list) and all(isinstance(each, str) for each in written):
        written = [{"name": each} for each in written]
    found: dict[Requirement, None] = {}
    for index, each in enumerate(objects(written, "depends_on")):
        name = text(each, "name")
        if not name.strip():
            raise ValueError(f"depends_on[{index}] has no name")
        sort = text(each, "dependence_type") or "TOOL_DEPENDS_ON"
        if sort not in _NEEDS:
            raise ValueError(f"depends_on[{index}]: dependence_type {sort!r} is none of {', '.join(_NEEDS)}")
        parameter = text(each, "parameter_name") or None
        needed = f"{server}/{name}" if server else name
        found[Requirement(needed, _NEEDS[sort], parameter if _NEEDS[sort].startswith("parameter") else None)] = None
    yield from found


class Declared:
    """The tools of one load: the same declaration again is passed over, a differing one refused."""

    def __init__(self) -> None:
        self._first: dict[str, tuple[str, str]] = {}

    def admit(self, tool: ToolSpec, path: str, line: int) -> ToolSpec | Rejected | None:
        """The tool, ``None`` if it was declared before in the same words, rejected if in other words."""
        content = content_hash(
            [
                tool.description,
                dict(tool.parameters),
                tool.domain,
                [str(each) for each in tool.requires],
                dict(tool.output),
            ]
        )
        first = self._first.get(tool.id)
        if first is None:
            self._first[tool.id] = (content, f"{path}:{line}")
            return tool
        if first[0] == content:
            return None
        return Rejected(path, line, f"{tool.id!r} is declared otherwise in {first[1]}, which is kept")

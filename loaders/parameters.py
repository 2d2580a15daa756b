"""Lists of parameters, as catalogs without schemas have them, into the JSON schema that they mean."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphstore.records import JSON

from .fields import kind

_TYPES: Mapping[str, str] = {
    "string": "string",
    "str": "string",
    "text": "string",
    "enum": "string",
    "int": "integer",
    "integer": "integer",
    "float": "number",
    "number": "number",
    "bool": "boolean",
    "boolean": "boolean",
    "dict": "object",
    "object": "object",
    "list": "array",
    "array": "array",
    "null": "null",
}
"""What catalogs call the types of JSON schema."""


def listed_schema(written: Sequence[JSON]) -> Mapping[str, JSON]:
    """The schema of parameters given as names, or as objects that say by themselves whether they are required.

    :raises ValueError: One has no name.
    """
    named = [_named(each, index) for index, each in enumerate(written)]
    return _schema([(name, more, more.get("required") is True) for name, more in named])


def split_schema(required: JSON, optional: JSON) -> Mapping[str, JSON]:
    """The schema of parameters given in two lists.

    :raises ValueError: One of them is no list, or holds a parameter without name.
    """
    parameters = []
    for each, needed in ((required, True), (optional, False)):
        if each is not None and not isinstance(each, list):
            raise ValueError(f"the parameters are {kind(each)}, not a list")
        named = [_named(parameter, index) for index, parameter in enumerate(each or [])]
        parameters += [(name, more, needed) for name, more in named]
    return _schema(parameters)


def _schema(parameters: Sequence[tuple[str, Mapping[str, JSON], bool]]) -> Mapping[str, JSON]:
    if not parameters:
        return {}
    properties: dict[str, JSON] = {name: _property(more) for name, more, _ in parameters}
    schema: dict[str, JSON] = {"type": "object", "properties": properties}
    required: list[JSON] = list(dict.fromkeys(name for name, _, needed in parameters if needed))
    return {**schema, "required": required} if required else schema


def _named(parameter: JSON, index: int) -> tuple[str, Mapping[str, JSON]]:
    name = parameter.get("name") if isinstance(parameter, dict) else parameter
    if not isinstance(name, str):
        raise ValueError(f"parameter {index} has no name")
    return name, parameter if isinstance(parameter, dict) else {}


def _property(parameter: Mapping[str, JSON]) -> JSON:
    """What is said of a parameter, its type as JSON schema calls it; a default of no characters says nothing."""
    said = {name: value for name, value in parameter.items() if name not in ("name", "required", "type")}
    if said.get("default") == "":
        del said["default"]
    written = parameter.get("type")
    if not isinstance(written, str):
        return said if written is None else {"type": written, **said}
    if written.upper().startswith("DATE"):
        return {"type": "string", "format": "date", **said}
    known = _TYPES.get(written.strip().lower())
    return {"type": known, **said} if known else said

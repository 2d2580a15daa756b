"""JSON schemas of arguments, as a model's interface accepts them: an object with named properties at the top.

Catalogs have more: no schema at all, a plain mapping of parameters, a reference, alternatives, types that JSON schema
does not know. What is right already is kept as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

Schema = dict[str, Any]

_CHOICES = ("allOf", "anyOf", "oneOf")
_REFUSED = ("not", "enum", "const", "if", "then", "else")
_NAMED = ("properties", "patternProperties", "$defs", "definitions")  # hold schemas by name
_NESTED = ("items", "additionalProperties", "contains", "propertyNames", "not", "if", "then", "else")
_LISTS = (*_CHOICES, "required", "enum", "prefixItems")
_TYPES = {one: one for one in ("object", "array", "string", "number", "integer", "boolean", "null")}
_TYPES |= {"str": "string", "text": "string", "int": "integer", "float": "number", "double": "number"}
_TYPES |= {"bool": "boolean", "list": "array", "dict": "object", "none": "null"}
_DEEPEST = 16


class Unsendable(ValueError):
    """No definition can be made of a tool."""


def argument_schema(parameters: Mapping[str, Any] | None) -> Schema:
    """What a catalog has as parameters, as the schema of an object.

    Types of other languages get their name in JSON schema, unknown ones none; an array says what it holds, be it
    anything (OpenAI refuses it otherwise). All else is kept.

    :param parameters: A JSON schema, a mapping from names of parameters to their schemas, ``{}`` for none, or ``None``
        if they are not known: then anything may be passed.
    :raises Unsendable: the arguments are no object.

    >>> argument_schema({"to": {"type": "str"}})
    {'type': 'object', 'properties': {'to': {'type': 'string'}}}
    """
    if parameters is None:
        return {"type": "object", "properties": {}, "additionalProperties": True}
    schema = _clean(dict(parameters) if _is_schema(parameters) else {"properties": dict(parameters)})
    types = schema.get("type", "object")
    if "object" not in ([types] if isinstance(types, str) else types):
        raise Unsendable(f"its arguments are of type {types!r}, not an object with names")
    return {"type": "object", **{key: value for key, value in schema.items() if key != "type"}}


def flattened(schema: Schema) -> tuple[Schema, list[str]]:
    """The schema without what OpenAI and Anthropic refuse at its top, and what was changed, in words.

    A reference is replaced by what it names. Alternatives (``anyOf``, ``oneOf``) and parts (``allOf``) are put
    together: all of their properties, required where every alternative, or any part, requires them. What the
    alternatives say of each other is lost, and left to the tool to check.

    :raises Unsendable: a reference leads nowhere.
    """
    notes = [
        f"{key} at the top of its schema is put together into one list of parameters"
        for key in _CHOICES
        if isinstance(schema.get(key), list)
    ]
    if dropped := [key for key in _REFUSED if key in schema]:
        notes.append(f"{', '.join(dropped)} at the top of its schema is left to the tool to check")
    return _flat(schema, schema, _DEEPEST), notes


def _flat(schema: Schema, root: Schema, depth: int) -> Schema:
    if not depth:
        raise Unsendable("the references at the top of its schema go in a circle")
    if "$ref" in schema:
        rest = {key: value for key, value in schema.items() if key != "$ref"}
        return _flat({**_named(schema["$ref"], root), **rest}, root, depth - 1)
    properties = schema.get("properties")
    out: Schema = {"type": "object", "properties": properties if isinstance(properties, dict) else {}}
    out |= {key: value for key, value in schema.items() if key not in (*out, *_CHOICES, *_REFUSED)}
    for key in _CHOICES:
        if isinstance(schema.get(key), list):
            parts = [_flat(part, root, depth - 1) for part in schema[key] if isinstance(part, dict)]
            out = _joined(out, key, parts)
    return out


def _joined(schema: Schema, key: str, parts: list[Schema]) -> Schema:
    properties = dict(schema["properties"])
    for part in parts:
        for name, value in part["properties"].items():
            if name not in properties:
                properties[name] = value
            elif properties[name] != value and name not in schema["properties"]:
                properties[name] = {"anyOf": [*_alternatives(properties[name]), value]}
    needed = [set(part.get("required") or ()) for part in parts]
    shared: set[str] = set().union(*needed) if key == "allOf" or not needed else set.intersection(*needed)
    required = list(dict.fromkeys([*(schema.get("required") or ()), *sorted(shared)]))
    return {**schema, "properties": properties} | ({"required": required} if required else {})


def renamed(schema: Schema, names: Mapping[str, str]) -> Schema:
    """The schema with its top properties under other names.

    :param names: Every property → its new name.
    """
    out = {**schema, "properties": {names[key]: value for key, value in schema["properties"].items()}}
    if isinstance(schema.get("required"), list):
        out["required"] = [names.get(key, key) for key in schema["required"]]
    return out


def _alternatives(value: Any) -> list[Any]:
    return list(value["anyOf"]) if isinstance(value, dict) and value.keys() == {"anyOf"} else [value]


def _named(reference: Any, root: Schema) -> Schema:
    """What a reference within the schema names."""
    found: Any = root
    for step in str(reference).removeprefix("#").strip("/").split("/"):
        found = found.get(step.replace("~1", "/").replace("~0", "~")) if isinstance(found, dict) else None
    if not str(reference).startswith("#/") or not isinstance(found, dict):
        raise Unsendable(f"its schema refers to {reference!r}, which is not in it")
    return found


def _is_schema(parameters: Mapping[str, Any]) -> bool:
    """Whether this is a schema, and not a mapping in which a parameter has the name of a schema's word."""
    properties = parameters.get("properties")
    return (
        isinstance(parameters.get("type"), str | list)
        or isinstance(parameters.get("$ref"), str)
        or isinstance(parameters.get("additionalProperties"), bool)
        or any(isinstance(parameters.get(key), list) for key in (*_CHOICES, "required"))
        or (isinstance(properties, dict) and all(isinstance(value, dict | bool) for value in properties.values()))
    )


def _clean(value: Any) -> Any:
    """A schema whose types JSON schema knows and whose parameters are schemas; what is malformed goes."""
    if isinstance(value, bool):
        return value
    if not isinstance(value, dict):
        return {"description": value} if isinstance(value, str) else {}
    return _typed({key: _cleaned(key, below) for key, below in value.items() if not _malformed(key, below)})


def _malformed(key: str, value: Any) -> bool:
    """Whether a word of JSON schema has a value that none may have, such as ``required: true``."""
    if key in _LISTS:
        return not isinstance(value, list) or not value
    if key in _NAMED:
        return not isinstance(value, dict)
    if key in _NESTED:
        return not isinstance(value, dict | bool)
    return key == "$ref" and not isinstance(value, str)


def _cleaned(key: str, value: Any) -> Any:
    if key in _NAMED:
        return {name: _clean(below) for name, below in value.items()}
    if key in _NESTED:
        return _clean(value)
    if key in (*_CHOICES, "prefixItems"):
        return [_clean(below) for below in value]
    if key == "required":
        return list(dict.fromkeys(name for name in value if isinstance(name, str)))
    return value


def _typed(schema: Schema) -> Schema:
    if "type" not in schema:
        return schema
    written = schema["type"]
    listed = [one for one in (written if isinstance(written, list) else [written]) if isinstance(one, str)]
    known = list(dict.fromkeys(_TYPES[one.lower()] for one in listed if one.lower() in _TYPES))
    if not known:
        return {key: value for key, value in schema.items() if key != "type"}
    if "array" in known and not {"items", "prefixItems"} & schema.keys():
        schema = {**schema, "items": {}}
    return {**schema, "type": known if isinstance(written, list) else known[0]}

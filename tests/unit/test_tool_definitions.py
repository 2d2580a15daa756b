"""Definitions as models' interfaces take them: the documented shape, accepted names, whole schemas, a budget."""

from __future__ import annotations

import json
import re
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphstore.errors import SettingsError
from graphstore.records import ToolSpec
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.retrieval.tool_definitions import ToolDefinitions, compact, tool_definitions
from graphstore.retrieval.wire_names import wire_names
from graphstore.retrieval.wire_schemas import Unsendable, argument_schema, flattened
from graphstore.toolgraph import stored

FORMS = ("openai", "anthropic", "mcp")
NAME = r"^[a-zA-Z0-9_-]{1,64}$"
ARGUMENTS = {
    "type": "object",
    "required": ["type", "properties"],
    "properties": {"type": {"const": "object"}, "properties": {"type": "object"}},
}
FLAT = {**ARGUMENTS, "not": {"anyOf": [{"required": [key]} for key in ("anyOf", "oneOf", "allOf", "enum", "not")]}}
# As the providers document them: OpenAI's function tool, Anthropic's tool, the Tool of MCP 2025-11-25.
SHAPES: dict[str, dict[str, Any]] = {
    "openai": {
        "type": "object",
        "required": ["type", "function"],
        "additionalProperties": False,
        "properties": {
            "type": {"const": "function"},
            "function": {
                "type": "object",
                "required": ["name"],
                "additionalProperties": False,
                "properties": {
                    "name": {"type": "string", "pattern": NAME},
                    "description": {"type": "string", "maxLength": 1024},
                    "parameters": FLAT,
                    "strict": {"type": "boolean"},
                },
            },
        },
    },
    "anthropic": {
        "type": "object",
        "required": ["name", "input_schema"],
        "additionalProperties": False,
        "properties": {
            "name": {"type": "string", "pattern": NAME},
            "description": {"type": "string"},
            "input_schema": {
                **FLAT,
                "properties": {
                    "type": {"const": "object"},
                    "properties": {"type": "object", "propertyNames": {"pattern": r"^[a-zA-Z0-9_.-]{1,64}$"}},
                },
            },
        },
    },
    "mcp": {
        "type": "object",
        "required": ["name", "inputSchema"],
        "properties": {
            "name": {"type": "string", "pattern": r"^[a-zA-Z0-9_.-]{1,128}$"},
            "description": {"type": "string"},
            "inputSchema": {**ARGUMENTS, "required": ["type"]},
            "outputSchema": {"type": "object"},
        },
    },
}
SEND = {
    "type": "object",
    "properties": {"to": {"type": "string", "enum": ["a", "b"]}, "cc": {"type": "array", "items": {"type": "string"}}},
    "required": ["to"],
    "additionalProperties": False,
}


def row(name: str, description: str = "Does it.", parameters: Any = None, **more: Any) -> dict[str, Any]:
    return stored.tool_row(ToolSpec(name, description, parameters if parameters is not None else SEND, **more))


def schema_of(definition: dict[str, Any]) -> dict[str, Any]:
    inner = definition.get("function", definition)
    return next(inner[key] for key in ("parameters", "input_schema", "inputSchema") if key in inner)


def name_of(definition: dict[str, Any]) -> str:
    return str(definition.get("function", definition)["name"])


def check(found: ToolDefinitions) -> None:
    for definition in found.tools:
        jsonschema.validate(definition, SHAPES[found.form])
        jsonschema.Draft202012Validator.check_schema(schema_of(definition))
    assert sorted(found.names) == sorted(map(name_of, found.tools))


@pytest.mark.parametrize("form", FORMS)
def test_a_right_schema_is_kept_as_it_is(form: Any) -> None:
    found = tool_definitions([row("send")], form)
    check(found)
    assert schema_of(found.tools[0]) == SEND
    assert (found.names, found.left_out, found.notes) == ({"send": "send"}, (), ())


def test_each_form_is_the_documented_one() -> None:
    made = {form: tool_definitions([row("send", "Sends.")], form).tools[0] for form in FORMS}
    assert made["openai"] == {
        "type": "function",
        "function": {"name": "send", "description": "Sends.", "parameters": SEND},
    }
    assert made["anthropic"] == {"name": "send", "description": "Sends.", "input_schema": SEND}
    assert made["mcp"] == {"name": "send", "description": "Sends.", "inputSchema": SEND}


def test_what_an_mcp_tool_returns_is_said_in_its_form_only() -> None:
    result = {"type": "object", "properties": {"id": {"type": "string"}}}
    rows = [row("send", output=result)]
    assert tool_definitions(rows, "mcp").tools[0]["outputSchema"] == result
    assert "id" not in json.dumps(tool_definitions(rows, "openai").tools)


ODD = ["工具", "查询 文档", "git/log", "mail/log", "dcj9: dcj9_test", "a.b", "x" * 200, "réunion", "-", "/", "send"]


@pytest.mark.parametrize("form", FORMS)
def test_odd_names_are_sent_under_others_that_lead_back(form: Any) -> None:
    rows = [row(name) for name in ODD]
    found = tool_definitions(rows, form)
    check(found)
    assert [found.called(name_of(one), {"to": "a"}) for one in found.tools] == [(r["id"], {"to": "a"}) for r in rows]


def test_what_can_be_read_of_a_name_stays() -> None:
    names = wire_names(ODD, also="_-", longest=64)
    assert names["git/log"] == "git__log"
    assert names["réunion"].startswith("reunion_")
    assert names["dcj9: dcj9_test"].startswith("dcj9_dcj9_test_")
    assert wire_names(["a.b"], also="_.-", longest=128) == {"a.b": "a.b"}


def test_a_tool_has_the_same_name_in_every_answer() -> None:
    together = wire_names(ODD, also="_-", longest=64)
    assert together == {own: wire_names([own], also="_-", longest=64)[own] for own in reversed(ODD)}


@given(st.lists(st.text(min_size=1, max_size=90), min_size=1, max_size=8, unique=True), st.sampled_from(["_-", "_.-"]))
def test_any_names_become_accepted_different_ones(ids: list[str], also: str) -> None:
    names = wire_names(ids, also=also, longest=64)
    assert list(names) == ids
    assert len(set(names.values())) == len(ids)
    for own, sent in names.items():
        assert re.fullmatch(rf"[a-zA-Z0-9{re.escape(also)}]{{1,64}}", sent)
        assert sent == own or not re.fullmatch(rf"[a-zA-Z0-9{re.escape(also)}]{{1,64}}", own)


def test_a_mapped_name_never_takes_the_name_of_another_tool() -> None:
    names = wire_names(["git/log", "git__log"], also="_-", longest=64)
    assert names["git__log"] == "git__log"
    assert names["git/log"].startswith("git_log_")


def test_parameters_that_anthropic_refuses_are_renamed_and_lead_back() -> None:
    filters = {"type": "object", "properties": {"filter[id]": {"type": "string"}, "q": {}}, "required": ["filter[id]"]}
    found = tool_definitions([row("find", parameters=filters)], "anthropic")
    check(found)
    (sent,) = schema_of(found.tools[0])["required"]
    assert sent.startswith("filter_id")
    assert found.called("find", {sent: "7", "q": 1}) == ("find", {"filter[id]": "7", "q": 1})
    assert schema_of(tool_definitions([row("find", parameters=filters)], "openai").tools[0]) == filters


def test_alternatives_at_the_top_are_put_together_and_said() -> None:
    either = {
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "anyOf": [
            {"properties": {"id": {"type": "string"}}, "required": ["id", "name"]},
            {"properties": {"id": {"type": "integer"}, "path": {"$ref": "#/$defs/path"}}, "required": ["name"]},
        ],
        "$defs": {"path": {"type": "string"}},
    }
    for form in ("openai", "anthropic"):
        found = tool_definitions([row("find", parameters=either)], form)
        check(found)
        schema = schema_of(found.tools[0])
        assert schema["properties"]["id"] == {"anyOf": [{"type": "string"}, {"type": "integer"}]}
        assert schema["required"] == ["name"]
        assert found.notes == ("find: anyOf at the top of its schema is put together into one list of parameters",)
        jsonschema.validate({"name": "x", "path": "y"}, schema)
    assert schema_of(tool_definitions([row("find", parameters=either)], "mcp").tools[0])["anyOf"]


def test_parts_require_what_any_of_them_requires() -> None:
    both = {"allOf": [{"required": ["a"], "properties": {"a": {}}}, {"required": ["b"], "properties": {"b": {}}}]}
    assert flattened(argument_schema(both))[0]["required"] == ["a", "b"]


def test_a_reference_at_the_top_is_followed() -> None:
    named = {"$ref": "#/$defs/a~1b", "$defs": {"a/b": {"$ref": "#/$defs/c"}, "c": SEND}}
    assert flattened(argument_schema(named))[0] == {**SEND, "$defs": named["$defs"]}


@pytest.mark.parametrize(
    ("parameters", "reason"),
    [
        ({"type": "string"}, "of type 'string'"),
        ({"$ref": "#/$defs/a", "$defs": {"a": {"$ref": "#/$defs/a"}}}, "circle"),
        ({"$ref": "https://example.org/schema"}, "not in it"),
        ({"$ref": "#/$defs/missing"}, "not in it"),
    ],
)
def test_what_no_definition_can_be_made_of_is_left_out_and_named(parameters: Any, reason: str) -> None:
    found = tool_definitions([row("odd", parameters=parameters), row("send")], "openai")
    assert [found.names[name_of(one)] for one in found.tools] == ["send"]
    assert found.left_out[0].id == "odd"
    assert reason in found.left_out[0].reason


@pytest.mark.parametrize(
    ("parameters", "properties"),
    [
        ({}, {}),
        ({"to": {"type": "string"}}, {"to": {"type": "string"}}),
        ({"to": "who gets it", "n": None}, {"to": {"description": "who gets it"}, "n": {}}),
        ({"type": {"type": "string"}, "title": {}}, {"type": {"type": "string"}, "title": {}}),
        (
            {"properties": {"type": "object", "description": "x"}},
            {"properties": {"type": "object", "description": "x"}},
        ),
        ({"properties": {"type": {"type": "string"}}}, {"type": {"type": "string"}}),
        ({"type": "object", "properties": {"n": {"type": "int"}}}, {"n": {"type": "integer"}}),
        ({"a": {"type": "list"}}, {"a": {"type": "array", "items": {}}}),
        ({"a": {"type": ["str", "None"]}}, {"a": {"type": ["string", "null"]}}),
        ({"a": {"type": "datetime", "format": "date"}}, {"a": {"format": "date"}}),
        ({"a": {"type": "array", "items": {"type": "float"}}}, {"a": {"type": "array", "items": {"type": "number"}}}),
    ],
)
def test_what_catalogs_write_becomes_a_schema(parameters: Any, properties: Any) -> None:
    made = argument_schema(parameters)
    assert made["properties"] == properties
    jsonschema.Draft202012Validator.check_schema(made)


def test_a_tool_that_only_logs_name_takes_anything_and_says_so() -> None:
    found = tool_definitions([stored.undeclared_tool_row("seen")], "anthropic")
    check(found)
    jsonschema.validate({"whatever": 1}, schema_of(found.tools[0]))
    assert "description" not in found.tools[0]
    assert found.notes == ("seen: no catalog declares it: its parameters are not known",)


def test_a_description_is_cut_at_a_word_where_the_interface_takes_no_more() -> None:
    text = "words of a long description " * 100
    found = tool_definitions([row("long", text)], "openai")
    check(found)
    cut = found.tools[0]["function"]["description"]
    assert cut.endswith("…")
    assert text.startswith(cut[:-1])
    assert text[len(cut) - 1] == " "
    assert "description is cut" in found.notes[0]
    assert tool_definitions([row("long", text)], "anthropic").tools[0]["description"] == text.strip()


def budget_rows() -> list[dict[str, Any]]:
    return [row(f"tool_{number}", "word " * 10) for number in range(5)]


def test_without_a_budget_all_are_there_best_first() -> None:
    found = tool_definitions(budget_rows(), "mcp")
    assert list(found.names) == [f"tool_{number}" for number in range(5)]
    assert found.tokens == sum(estimated_tokens(compact(one)) for one in found.tools)


def test_the_last_are_left_out_and_named_with_their_cost() -> None:
    whole = tool_definitions(budget_rows(), "mcp")
    each = whole.tokens // 5
    found = tool_definitions(budget_rows(), "mcp", max_tokens=each * 3 + 1)
    assert list(found.names) == ["tool_0", "tool_1", "tool_2"]
    assert [(out.id, out.tokens, out.reason) for out in found.left_out] == [
        ("tool_3", each, "over the budget"),
        ("tool_4", each, "over the budget"),
    ]
    assert found.tools == whole.tools[:3]


def test_a_tool_larger_than_the_budget_does_not_push_out_the_rest() -> None:
    rows = [row("huge", "word " * 2000), *budget_rows()]
    each = tool_definitions(budget_rows(), "mcp").tokens // 5
    found = tool_definitions(rows, "mcp", max_tokens=each * 5)
    assert list(found.names) == [f"tool_{number}" for number in range(5)]
    assert found.left_out[0].reason == "it is larger than the whole budget"


def test_tools_that_are_always_offered_go_last() -> None:
    each = tool_definitions(budget_rows(), "mcp").tokens // 5
    found = tool_definitions(budget_rows(), "mcp", max_tokens=each * 2, first=["tool_4"])
    assert list(found.names) == ["tool_0", "tool_4"]


def test_a_counter_of_ones_own_decides() -> None:
    found = tool_definitions(budget_rows(), "mcp", max_tokens=2, count=lambda text: 1)
    assert (len(found.tools), found.tokens) == (2, 2)


@pytest.mark.parametrize(("form", "most"), [("langchain", None), ("openai", 0)])
def test_a_wrong_form_or_budget_is_refused(form: Any, most: int | None) -> None:
    with pytest.raises(SettingsError):
        tool_definitions([row("send")], form, max_tokens=most)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=8,
)
words = st.sampled_from(
    ["type", "properties", "required", "items", "anyOf", "oneOf", "allOf", "$ref", "$defs", "enum", "not", "a", "查询"]
)
names = st.lists(st.sampled_from("abc"), max_size=2, unique=True)
schemas = st.deferred(
    lambda: st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["object", "string", "str", "list", "datetime", ["object", "null"]]),
            "properties": st.dictionaries(st.sampled_from(["a", "b", "查询", "f[x]"]), schemas, max_size=3),
            "required": names,
            "anyOf": st.lists(schemas, min_size=1, max_size=2),
            "allOf": st.lists(schemas, min_size=1, max_size=2),
            "$ref": st.sampled_from(["#/properties/a", "#/nowhere"]),
            "enum": st.lists(st.integers(), min_size=1, max_size=2, unique=True),
            "items": schemas,
        },
    )
)


@settings(max_examples=40)
@given(schemas, st.sampled_from(FORMS))
def test_any_schema_gives_the_documented_shape_or_is_left_out(parameters: dict[str, Any], form: Any) -> None:
    found = tool_definitions([row("any", parameters=parameters)], form)
    check(found)
    assert len(found.tools) + len(found.left_out) == 1


@settings(max_examples=40)
@given(st.dictionaries(words, json_values, max_size=4), st.sampled_from(FORMS))
def test_anything_that_a_catalog_may_hold_is_a_definition_or_left_out(parameters: dict[str, Any], form: Any) -> None:
    found = tool_definitions([row("any", parameters=parameters)], form)
    check(found)
    assert len(found.tools) + len(found.left_out) == 1


@given(st.lists(st.integers(1, 60), max_size=8), st.integers(1, 200))
def test_what_is_kept_fits_and_what_is_left_out_is_named(lengths: list[int], most: int) -> None:
    rows = [row(f"t{i}", "word " * length) for i, length in enumerate(lengths)]
    found = tool_definitions(rows, "openai", max_tokens=most)
    assert found.tokens <= most
    kept, out = list(found.names.values()), [one.id for one in found.left_out if one.reason == "over the budget"]
    assert sorted([*kept, *(one.id for one in found.left_out)]) == sorted(r["id"] for r in rows)
    assert not kept or not out or int(kept[-1][1:]) < int(out[0][1:])


def test_an_unknown_reason_is_an_error_of_its_own() -> None:
    with pytest.raises(Unsendable):
        argument_schema({"type": "array"})

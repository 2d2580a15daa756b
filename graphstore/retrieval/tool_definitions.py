"""Tool definitions, ready to be sent to a model: in an interface's form, under names that it accepts, within a budget.

Forms: OpenAI's Chat Completions (``{type: function, function: {name, description, parameters}}``), Anthropic's Messages
(``{name, description, input_schema}``) and the Model Context Protocol's ``tools/list`` (``{name, description,
inputSchema, outputSchema}``). The definitions of one request are accepted or refused together, so what one of these
interfaces is known to refuse is put differently, and said in :attr:`ToolDefinitions.notes`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

from graphstore.errors import SettingsError
from graphstore.retrieval.prompt_tokens import estimated_tokens
from graphstore.retrieval.wire_names import wire_names
from graphstore.retrieval.wire_schemas import Unsendable, argument_schema, flattened, renamed

DefinitionForm = Literal["openai", "anthropic", "mcp"]
Count = Callable[[str], int]

_DESCRIPTION = 1024  # characters that OpenAI takes of a description; it refuses the request otherwise
_PARAMETER: Mapping[str, Any] = {
    "also": "_.-",
    "longest": 64,
}  # Anthropic's rule for the names of parameters; the others have none
_NAME: Mapping[DefinitionForm, dict[str, Any]] = {
    "openai": {"also": "_-", "longest": 64},
    "anthropic": {"also": "_-", "longest": 64},
    "mcp": {"also": "_.-", "longest": 128},
}


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A tool of the answer that is not among the definitions.

    :param tokens: What its definition would cost.
    """

    id: str
    tokens: int
    reason: str


@dataclass(frozen=True, slots=True)
class ToolDefinitions:
    """Definitions of tools as a model's interface takes them.

    :param tools: One definition a tool, best first: what goes into ``tools`` of the request.
    :param tokens: What they cost together as JSON, as the counter that was used sees it.
    :param names: Name in the definitions → id of the tool.
    :param parameters: Name in the definitions → the parameters whose names had to change, as sent → as the tool knows
        them.
    :param left_out: Tools of the answer that did not fit, best first.
    :param notes: What had to be put differently than the catalog has it, one line a tool and reason.
    """

    form: DefinitionForm
    tools: tuple[dict[str, Any], ...]
    tokens: int
    names: Mapping[str, str]
    parameters: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    left_out: tuple[LeftOut, ...] = ()
    notes: tuple[str, ...] = ()

    def called(self, name: str, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The id of the tool that a model's call means, and the arguments under the tool's own names.

        :raises KeyError: no tool of this name was sent.
        """
        own = self.parameters.get(name, {})
        return self.names[name], {own.get(key, key): value for key, value in arguments.items()}

    def to_dict(self) -> dict[str, Any]:
        """The definitions as JSON, with what leads back from them."""
        return {
            "schemas": self.form,
            "tools": list(self.tools),
            "tokens": self.tokens,
            "names": dict(self.names),
            "parameters": {name: dict(own) for name, own in self.parameters.items()},
            "left_out": [{"id": tool.id, "tokens": tool.tokens, "reason": tool.reason} for tool in self.left_out],
            "notes": list(self.notes),
        }


def tool_definitions(
    rows: Sequence[Mapping[str, Any]],
    form: DefinitionForm,
    *,
    max_tokens: int | None = None,
    first: Iterable[str] = (),
    count: Count = estimated_tokens,
) -> ToolDefinitions:
    """The definitions of tools, as many as the budget holds; each is whole or not there.

    A tool that alone is over the budget is left out; then the last ones, until the rest fits.

    :param rows: What ``retrieve/tool_specs`` says of the tools, best first.
    :param max_tokens: Most tokens of all definitions together; ``None`` is no limit.
    :param first: Ids of tools that are left out only when all others are.
    :param count: Tokens of a text, for those who have their model's own counter.
    :raises SettingsError: an unknown form, or a budget below 1.
    """
    if form not in get_args(DefinitionForm):
        raise SettingsError(f"no form {form!r} of tool definitions: use one of {', '.join(get_args(DefinitionForm))}")
    if max_tokens is not None and max_tokens < 1:
        raise SettingsError(f"the budget is a number of tokens, 1 or more: got {max_tokens}")
    names = wire_names([row["id"] for row in rows], **_NAME[form])
    drafts, refused = [], []
    for row in rows:
        try:
            drafts.append(_Draft.of(row, names[row["id"]], form, count))
        except Unsendable as error:
            refused.append(LeftOut(row["id"], 0, str(error)))
    kept, over = _fitting(drafts, max_tokens, set(first))
    return ToolDefinitions(
        form=form,
        tools=tuple(draft.definition for draft in kept),
        tokens=sum(draft.tokens for draft in kept),
        names={draft.name: draft.id for draft in kept},
        parameters={draft.name: draft.parameters for draft in kept if draft.parameters},
        left_out=(*refused, *over),
        notes=tuple(f"{draft.id}: {note}" for draft in kept for note in draft.notes),
    )


def definition_tokens(
    row: Mapping[str, Any], form: DefinitionForm = "openai", *, count: Count = estimated_tokens
) -> int:
    """What the definition of one tool costs; 0 if none can be made.

    :param row: What ``retrieve/tool_specs`` says of it.
    """
    return tool_definitions([row], form, count=count).tokens


@dataclass(frozen=True, slots=True)
class _Draft:
    id: str
    name: str
    definition: dict[str, Any]
    tokens: int
    parameters: Mapping[str, str]
    notes: tuple[str, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any], name: str, form: DefinitionForm, count: Count) -> _Draft:
        notes = []
        description = (row["description"] or "").strip()
        if form == "openai" and len(description) > _DESCRIPTION:
            description = _shortened(description)
            notes.append(f"its description is cut to the {_DESCRIPTION} characters that the interface takes")
        if row["parameters"] is None:
            notes.append("no catalog declares it: its parameters are not known")
        schema = argument_schema(json.loads(row["parameters"]) if row["parameters"] is not None else None)
        own: dict[str, str] = {}
        if form != "mcp":
            schema, changed = flattened(schema)
            notes += changed
        if form == "anthropic":
            accepted = wire_names(schema["properties"], **_PARAMETER)
            own = {sent: key for key, sent in accepted.items() if sent != key}
            schema = renamed(schema, accepted)
        definition = _FORMS[form](name, description, schema)
        if form == "mcp" and row.get("output"):
            definition["outputSchema"] = json.loads(row["output"])
        return cls(row["id"], name, definition, count(compact(definition)), own, tuple(notes))


def compact(definition: Mapping[str, Any]) -> str:
    """A definition as the JSON text whose tokens are counted: without spaces, every script as it is."""
    return json.dumps(definition, ensure_ascii=False, separators=(",", ":"))


def _fitting(drafts: list[_Draft], most: int | None, first: set[str]) -> tuple[list[_Draft], list[LeftOut]]:
    if most is None:
        return drafts, []
    alone = {draft.id for draft in drafts if draft.tokens > most}
    order = [draft for draft in drafts if draft.id not in alone]
    order.sort(key=lambda draft: draft.id not in first)  # stable: best first within each part
    total, kept = 0, set()
    for draft in order:
        total += draft.tokens
        if total > most:
            break
        kept.add(draft.id)
    over = [
        LeftOut(
            draft.id, draft.tokens, "it is larger than the whole budget" if draft.id in alone else "over the budget"
        )
        for draft in drafts
        if draft.id not in kept
    ]
    return [draft for draft in drafts if draft.id in kept], over


def _shortened(text: str) -> str:
    kept = text[: _DESCRIPTION - 1]
    word = kept.rstrip().rfind(" ")
    return f"{kept[: word if word > _DESCRIPTION // 2 else None].rstrip()}…"


def _described(name: str, description: str) -> dict[str, Any]:
    return {"name": name, "description": description} if description else {"name": name}


_FORMS: Mapping[DefinitionForm, Callable[[str, str, dict[str, Any]], dict[str, Any]]] = {
    "openai": lambda name, text, schema: {
        "type": "function",
        "function": {**_described(name, text), "parameters": schema},
    },
    "anthropic": lambda name, text, schema: {**_described(name, text), "input_schema": schema},
    "mcp": lambda name, text, schema: {**_described(name, text), "inputSchema": schema},
}

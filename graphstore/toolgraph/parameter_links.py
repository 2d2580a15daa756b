"""Tools that produce what another tool's parameter needs, as far as names and schemas show it.

``approve_permission_request(request_id)`` needs the id of a request; ``list_permission_requests`` looks requests up, so
it comes before. A wrong link costs more than a missing one, so little is taken for evidence:

*A parameter asks for a thing* if its name ends with ``id`` or ``ids``: the words before are the thing (``request``). A
bare ``id`` asks for what the tool's own name speaks of. A name of several words asks for what it says
(``country_code``). Where the schema says which parameters are required, the others ask for nothing.
*A tool produces a thing* if its name says that it looks it up: a verb such as ``list``, then words that end with the
thing (``permission request``), up to the first preposition; or if its output schema has the thing's id as a field. A
tool that asks for the same thing itself does not produce it.
*Words before the thing* (``permission``) must occur in the name or description of the tool that asks, unless nothing
else looks up a thing of this name. *Words before the verb* (``calendar`` in ``calendar.search_events``) must occur in
its name, and both must be on one server: elsewhere the same word means another thing.
*A thing that many produce* tells nothing apart: it links nothing.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from graphstore.toolgraph.semantic import name_words

Row = Mapping[str, Any]
Words = tuple[str, ...]

MOST_PRODUCERS = 3
"""A thing that more tools produce, equally well by all evidence, links nothing."""


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


_LOOKUPS = _set("browse discover fetch filter find get list lookup query read retrieve scan search select")
_PREPOSITIONS = _set("about above after at before between by for from in into of on over per to under via with")
_GENERIC = _set("all api current data detail detailed full info information latest my record")
_IDENTIFIERS = _set("id identifier uuid guid")
_DEPTH = 6
_WORDS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Link:
    """``producer`` yields what ``parameter`` of ``consumer`` needs."""

    consumer: str
    producer: str
    parameter: str


@dataclass(frozen=True, slots=True)
class _Tool:
    """What a tool asks for and yields.

    :param asks: Parameter → the thing that it asks for.
    :param yields: The thing that it looks up by its name; empty if the name does not say.
    :param gives: Things whose ids are fields of its output; if there are none its output says nothing.
    :param around: Words of its name before the verb.
    :param name: Words of its name.
    :param speaks_of: Words of its name and description.
    """

    id: str
    server: str | None
    asks: Mapping[str, Words]
    yields: Words
    gives: frozenset[Words]
    around: frozenset[str]
    name: frozenset[str]
    speaks_of: frozenset[str]


def parameter_links(tools: Iterable[Row]) -> list[Link]:
    """Links from tools to those that produce what their parameters need, sorted; a tool never links to itself.

    :param tools: Rows of ``retrieve/tool_catalog``, in any order.
    """
    known = [_tool(row) for row in sorted(tools, key=lambda row: str(row["id"]))]
    producers: defaultdict[tuple[str | None, Words], list[_Tool]] = defaultdict(list)
    for tool in known:
        ends = {tool.yields[start:] for start in range(len(tool.yields))}
        for thing in ends | tool.gives:
            producers[tool.server, thing].append(tool)
    return [
        Link(tool.id, producer.id, parameter)
        for tool in known
        for parameter, thing in sorted(tool.asks.items())
        for producer in _producers(tool, thing, producers[tool.server, thing])
    ]


def _producers(consumer: _Tool, thing: Words, candidates: Sequence[_Tool]) -> list[_Tool]:
    """The tools that yield a thing by the best evidence that there is; none if they are too many."""
    others = [
        each
        for each in candidates
        if each.id != consumer.id and thing not in each.asks.values() and each.around <= consumer.name
    ]
    by_name = [each for each in others if each.yields[-len(thing) :] == thing]
    tiers = (
        [each for each in by_name if thing in each.gives],
        [each for each in by_name if not each.gives],
        [each for each in others if thing in each.gives],
    )
    found = next((apart for tier in tiers if (apart := _told_apart(consumer, thing, tier))), [])
    return found if len(found) <= MOST_PRODUCERS else []


def _told_apart(consumer: _Tool, thing: Words, candidates: Sequence[_Tool]) -> list[_Tool]:
    """Those whose further words fit the consumer; if all look up one and the same thing they need not fit."""
    exact = [each for each in candidates if each.yields == thing]
    if exact or len({each.yields for each in candidates}) <= 1:
        return exact or list(candidates)
    return [each for each in candidates if set(each.yields) - set(thing) <= consumer.speaks_of]


def _tool(row: Row) -> _Tool:
    schema = json.loads(row["parameters"] or "{}")
    name = _words(row["name"])
    required = schema.get("required")
    around, yields = _looked_up(name)
    things = {parameter: _thing(_words(parameter), yields or name[1:]) for parameter in _properties(schema)}
    said = f"{name_words(row['name'])} {row['description'] or ''}".casefold()
    return _Tool(
        id=row["id"],
        server=row["server"],
        asks={
            parameter: thing
            for parameter, thing in things.items()
            if thing and (not isinstance(required, list) or parameter in required)
        },
        yields=yields,
        gives=frozenset(_thing(field, yields) for field in _fields(json.loads(row["output"] or "{}"))) - {()},
        around=frozenset(around),
        name=frozenset(name),
        speaks_of=frozenset(_singular(word) for word in _WORDS.findall(said)),
    )


def _thing(parameter: Words, own: Words) -> Words:
    """The thing that a parameter or field identifies or names; empty if it does neither."""
    if parameter and parameter[-1] in _IDENTIFIERS:
        return _without_generic(parameter[:-1]) or own
    named = _without_generic(parameter)
    return named if len(named) > 1 else ()


def _looked_up(name: Words) -> tuple[Words, Words]:
    """The words before the verb of looking up, and the thing that follows it; the latter empty without such a verb."""
    verb = next((i for i, word in enumerate(name) if word in _LOOKUPS), None)
    if verb is None:
        return (), ()
    rest = name[verb + 1 :]
    end = next((i for i, word in enumerate(rest) if word in _PREPOSITIONS or word in _IDENTIFIERS), len(rest))
    return name[:verb], _without_generic(rest[:end])


def _properties(schema: Any) -> Mapping[str, Any]:
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def _without_generic(words: Words) -> Words:
    return tuple(word for word in words if word not in _GENERIC)


def _fields(schema: Any, depth: int = _DEPTH) -> Iterator[Words]:
    """Names of the fields that an output schema declares, those of nested objects and lists too."""
    if not isinstance(schema, dict) or not depth:
        return
    for name, inner in _properties(schema).items():
        yield _words(name)
        yield from _fields(inner, depth - 1)
    yield from _fields(schema.get("items"), depth - 1)


def _words(name: str) -> Words:
    return tuple(_singular(word) for word in name_words(name).casefold().split())


def _singular(word: str) -> str:
    """An English word without its plural ending.

    >>> [_singular(word) for word in ("queries", "boxes", "users", "status", "ids", "address")]
    ['query', 'box', 'user', 'status', 'id', 'address']
    """
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and len(word) > 2 and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word

"""What a picture shows, apart from how it is drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

Column = Literal["left", "middle", "right"]


@dataclass(frozen=True, slots=True)
class Spot:
    """A thing in a picture.

    :param id: Unique in the picture: a tool that comes before and after is two spots.
    :param key: Its id in the graph.
    :param label: Its label in the graph; decides its colour.
    :param caption: Its short name.
    :param note: A word or two beneath it.
    :param detail: What is shown when it is pointed at.
    :param column: Where it stands, in the order given.
    """

    id: str
    key: str
    label: str
    caption: str
    note: str
    detail: str
    column: Column


@dataclass(frozen=True, slots=True)
class Line:
    """A relationship between two spots.

    :param type: Its type in the graph; decides its colour.
    :param strength: From 0 to 1, the strongest of the picture being 1; decides its width.
    """

    source: str
    target: str
    type: str
    strength: float
    detail: str
    dashed: bool = False


@dataclass(frozen=True, slots=True)
class Picture:
    """One tool or entity in the midst of what it is joined to.

    :param centre: Id of the spot that the picture is of.
    :param headings: What the columns hold; a column without a heading has no spots.
    """

    title: str
    subtitle: str
    centre: str
    spots: tuple[Spot, ...]
    lines: tuple[Line, ...]
    headings: dict[Column, str]

    def by_key(self) -> dict[str, Spot]:
        """The first spot of each thing, by its id in the graph."""
        found: dict[str, Spot] = {}
        for spot in self.spots:
            found.setdefault(spot.key, spot)
        return found

    def to_dict(self) -> dict[str, Any]:
        """The picture as JSON values."""
        keys = {spot.id: spot.key for spot in self.spots}
        return {
            "title": self.title,
            "subtitle": self.subtitle,
            "nodes": [{"id": key, "label": s.label, "name": s.caption} for key, s in self.by_key().items()],
            "relationships": [
                {"from": keys[n.source], "to": keys[n.target], "type": n.type, "strength": round(n.strength, 4)}
                for n in self.lines
            ],
        }

    def to_html(self, *, interactive: bool = False) -> str:
        """One HTML file that needs no network.

        :param interactive: Nodes that can be dragged and searched, by neo4j-viz (extra ``viz``): 4 MB instead of 30 kB.
        :raises MissingExtra: ``interactive`` without neo4j-viz.
        """
        if interactive:
            from graphstore.pictures.interactive import interactive_html

            return interactive_html(self)
        from graphstore.pictures.html import html

        return html(self)

"""A picture whose nodes can be dragged, zoomed and searched, by neo4j-viz (extra ``viz``).

neo4j-viz is under the GNU General Public License v3, and its script is part of every file that it writes.
"""

from __future__ import annotations

from graphstore.extras import require
from graphstore.pictures.model import Picture

COLOURS = {"Tool": "#2F6FB0", "Entity": "#E08A2E", "Document": "#3C9A6B"}
_LINES = {"NEXT": "#2F6FB0", "SIMILAR": "#B9C7D6", "REQUIRES": "#C0504D", "MENTIONS": "#9CC9B1"}
_TYPES = {"NEXT": "comes next", "SIMILAR": "similar", "REQUIRES": "required", "MENTIONS": "mentioned"}
_CAPTION = 22
_THIN, _THICK = 1.0, 9.0
_SIZE, _CENTRE_SIZE = 26, 40


def interactive_html(picture: Picture) -> str:
    """The picture as one HTML file that carries the script which draws it.

    :raises MissingExtra: neo4j-viz is not installed.
    """
    viz = require("neo4j_viz", "viz")
    nodes = [
        viz.Node(
            id=key,
            caption=_short(spot.caption),
            caption_size=1,
            size=_CENTRE_SIZE if spot.id == picture.centre else _SIZE,
            color=COLOURS[spot.label],
            properties={"name": spot.caption, "label": spot.label, "note": spot.note, "detail": spot.detail},
        )
        for key, spot in picture.by_key().items()
    ]
    keys = {spot.id: spot.key for spot in picture.spots}
    relationships = [
        viz.Relationship(
            id=str(number),
            source=keys[line.source],
            target=keys[line.target],
            color=_LINES[line.type],
            width=_THIN if line.dashed else _THIN + (_THICK - _THIN) * line.strength,
            properties={"type": line.type, "detail": line.detail},
        )
        for number, line in enumerate(picture.lines)
    ]
    graph = viz.VisualizationGraph(nodes=nodes, relationships=relationships)
    graph.set_legend(
        nodes={label: COLOURS[label] for label in dict.fromkeys(spot.label for spot in picture.spots)},
        relationships={_TYPES[type]: _LINES[type] for type in dict.fromkeys(line.type for line in picture.lines)},
    )
    return str(graph.render(width="100%", height="100vh", theme="light").data)


def _short(caption: str) -> str:
    return caption if len(caption) <= _CAPTION else f"{caption[: _CAPTION - 1]}…"

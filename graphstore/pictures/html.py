"""A picture as one HTML file: three columns of boxes over curves, drawn without a library, nothing fetched."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

from graphstore.pictures.model import Column, Line, Picture, Spot

_BOX_WIDTH, _BOX_HEIGHT = 300, 46
_ROW = _BOX_HEIGHT + 12
_GAP = 120  # between columns: room for the curves
_HEADING = 30
_BRANCH = 26  # how far the spine of the similar ones stands out to the left
_THIN, _THICK = 1.5, 9.0
_COLUMNS: tuple[Column, ...] = ("left", "middle", "right")

_STYLE = """\
:root{--ground:#fbfbfd;--text:#20242c;--soft:#687080;--box:#fff;--on:#fff;--Tool:#2f6fb0;--Entity:#d97b1c;--Document:#2f8a5c;
--NEXT:#2f6fb0;--SIMILAR:#8d97a8;--REQUIRES:#c0504d;--MENTIONS:#8fbfa6}
@media(prefers-color-scheme:dark){:root{--ground:#15181e;--text:#e8eaf0;--soft:#98a1b3;--box:#1f242d;--on:#10141a;--Tool:#5b9bdf;
--Entity:#f0a04b;--Document:#4fb583;--NEXT:#5b9bdf;--SIMILAR:#76809a;--REQUIRES:#e07a77;--MENTIONS:#4d7f67}}
*{box-sizing:border-box}
body{margin:0;padding:28px 36px;background:var(--ground);color:var(--text);
font:14px/1.35 system-ui,"Segoe UI",Roboto,"Noto Sans","Noto Sans CJK SC","PingFang SC","Microsoft YaHei",sans-serif}
h1{margin:0;font-size:24px;font-weight:600;overflow-wrap:anywhere}
p{margin:4px 0 22px;color:var(--soft)}
main{position:relative}
svg{position:absolute;inset:0;overflow:visible}
path{fill:none;stroke-linecap:round;opacity:.62}
path.dashed{stroke-dasharray:5 5;stroke-linecap:butt}
h2{position:absolute;margin:0;width:300px;font-size:12px;font-weight:600;color:var(--soft);text-align:center}
div.box{position:absolute;width:300px;height:46px;padding:4px 12px 4px 14px;border-radius:8px;background:var(--box);
border:1px solid color-mix(in srgb,var(--own) 45%,transparent);border-left:6px solid var(--own);cursor:default}
div.box b,div.box i{display:block;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;font-style:normal}
div.box b{font-size:13px;font-weight:600}
div.box i{font-size:12px;color:var(--soft)}
div.centre{background:var(--own);border-color:var(--own);color:var(--on)}
div.centre i{color:var(--on);opacity:.85}
main.held div.box{opacity:.25}
main.held path{opacity:.07}
main.held div.lit{opacity:1}
main.held path.lit{opacity:.95}
footer{margin-top:26px;color:var(--soft);font-size:12px}
footer span{margin-right:18px;white-space:nowrap}
footer s{display:inline-block;width:12px;height:12px;margin-right:6px;border-radius:3px;vertical-align:-2px}
footer u{display:inline-block;width:28px;margin-right:6px;vertical-align:4px;border-top:3px solid}
footer u.dashed{border-top-style:dashed}
"""

# A box that is pointed at holds back all but itself and what it is joined to.
_SCRIPT = """\
const main=document.querySelector("main"),boxes=[...main.querySelectorAll("div.box")],
lines=[...main.querySelectorAll("path")];
boxes.forEach(box=>{
  box.addEventListener("pointerenter",()=>{
    main.classList.add("held");box.classList.add("lit");
    for(const line of lines){
      if(line.dataset.from!==box.dataset.id&&line.dataset.to!==box.dataset.id)continue;
      line.classList.add("lit");
      for(const other of boxes)
        if([line.dataset.from,line.dataset.to].includes(other.dataset.id))other.classList.add("lit");
    }});
  box.addEventListener("pointerleave",()=>{
    main.classList.remove("held");
    for(const each of[...boxes,...lines])each.classList.remove("lit");});
});
"""

_KINDS = {"Tool": "tool", "Entity": "entity", "Document": "document"}
_TYPES = {
    "NEXT": "followed in a passed run, wider the more often",
    "SIMILAR": "similar in meaning",
    "REQUIRES": "required",
    "MENTIONS": "mentioned, wider the more statements",
}


@dataclass(frozen=True, slots=True)
class _Place:
    """Upper left corner of a box."""

    x: float
    y: float

    @property
    def middle(self) -> float:
        return self.y + _BOX_HEIGHT / 2


def html(picture: Picture) -> str:
    """The picture as an HTML file."""
    places, width, height = _layout(picture)
    below = _below(picture)
    # thin lines first, so that the strong ones lie above them
    lines = "".join(_curve(n, places, below) for n in sorted(picture.lines, key=lambda line: line.strength))
    boxes = "".join(_box(spot, places[spot.id], spot.id == picture.centre) for spot in picture.spots)
    headings = "".join(_heading(text, column, picture, places) for column, text in picture.headings.items())
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    return (
        "<!doctype html>\n"
        f'<html><head><meta charset="utf-8"><title>{escape(picture.title)}</title>\n'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<style>\n{_STYLE}</style></head>\n<body>\n"
        f"<h1>{escape(picture.title)}</h1>\n<p>{escape(picture.subtitle)}</p>\n"
        f'<main style="width:{width}px;height:{height}px">\n'
        f'<svg width="{width}" height="{height}">{lines}</svg>\n{headings}{boxes}</main>\n'
        f"<footer>{_legend(picture)}</footer>\n<script>\n{_SCRIPT}</script>\n</body></html>\n"
    )


def _columns(picture: Picture) -> dict[Column, list[Spot]]:
    found = {column: [spot for spot in picture.spots if spot.column == column] for column in _COLUMNS}
    return {column: spots for column, spots in found.items() if spots}


def _layout(picture: Picture) -> tuple[dict[str, _Place], float, float]:
    """Where each box stands, and the size of all.

    Columns are centred on one another, or begin at one height where some spots stand beneath the centre.
    """
    columns = _columns(picture)
    below = _below(picture)
    longest = max(len(spots) for spots in columns.values())
    places: dict[str, _Place] = {}
    for number, spots in enumerate(columns.values()):
        top = _HEADING if below else _HEADING + (longest - len(spots)) * _ROW / 2
        for index, spot in enumerate(spots):
            lowered = _HEADING if spot.id in below else 0  # the room of their heading
            places[spot.id] = _Place(number * (_BOX_WIDTH + _GAP), top + index * _ROW + lowered)
    height = max(place.y for place in places.values()) + _BOX_HEIGHT
    return places, len(columns) * (_BOX_WIDTH + _GAP) - _GAP, height


def _below(picture: Picture) -> set[str]:
    """Ids of the spots that stand beneath the centre, in its column."""
    columns = {spot.id: spot.column for spot in picture.spots}
    return {id for id, column in columns.items() if column == columns[picture.centre] and id != picture.centre}


def _curve(line: Line, places: dict[str, _Place], below: set[str]) -> str:
    start, end = places[line.source], places[line.target]
    if line.source in below or line.target in below:
        spine = min(start.x, end.x) - _BRANCH
        route = f"M{start.x} {start.middle}H{spine}V{end.middle}H{end.x}"
    else:
        x1, x2 = (start.x + _BOX_WIDTH, end.x) if start.x < end.x else (start.x, end.x + _BOX_WIDTH)
        bend = (x1 + x2) / 2
        route = f"M{x1} {start.middle}C{bend} {start.middle} {bend} {end.middle} {x2} {end.middle}"
    width = _THIN if line.dashed else _THIN + (_THICK - _THIN) * line.strength
    kind = ' class="dashed"' if line.dashed else ""
    ends = f'data-from="{escape(line.source)}" data-to="{escape(line.target)}"'
    return (
        f'<path{kind} d="{route}" stroke="var(--{line.type})" stroke-width="{width:.1f}" {ends}>'
        f"<title>{escape(line.detail or line.type)}</title></path>\n"
    )


def _box(spot: Spot, place: _Place, is_centre: bool) -> str:
    kind = "box centre" if is_centre else "box"
    title = escape(f"{spot.caption}\n{spot.detail}")
    return (
        f'<div class="{kind}" data-id="{escape(spot.id)}" title="{title}" '
        f'style="left:{place.x}px;top:{place.y}px;--own:var(--{spot.label})">'
        f"<b>{escape(spot.caption)}</b><i>{escape(spot.note)}</i></div>\n"
    )


def _heading(text: str, column: Column, picture: Picture, places: dict[str, _Place]) -> str:
    spots = [spot for spot in _columns(picture)[column] if spot.id != picture.centre]
    first = places[spots[0].id]
    return f'<h2 style="left:{first.x}px;top:{first.y - 24}px">{escape(text)}</h2>\n'


def _legend(picture: Picture) -> str:
    labels = dict.fromkeys(spot.label for spot in picture.spots)
    types = dict.fromkeys((line.type, line.dashed) for line in picture.lines)
    return "".join(_key(label, _KINDS[label]) for label in labels) + "".join(
        f'<span><u{_dashed(dashed)} style="border-color:var(--{type})"></u>{_TYPES[type]}</span>'
        for type, dashed in types
    )


def _key(label: str, text: str) -> str:
    return f'<span><s style="background:var(--{label})"></s>{text}</span>'


def _dashed(dashed: bool) -> str:
    return ' class="dashed"' if dashed else ""

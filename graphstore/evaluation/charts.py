"""Charts of an evaluation as SVG, drawn without a library: they open in any browser and in any document."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

_WIDTH = 960
_LEFT, _RIGHT, _TOP = 130, 40, 64
_ROW = 24
_PLOT = 340  # height of the lines' plane
_LABELS = 15  # least distance of two labels
_TEXT = 'font-family="system-ui, sans-serif" font-size="13"'
_STYLE = """\
<style>
.ground{fill:#fff}.text{fill:#20242c}.soft{fill:#687080}.grid{stroke:#e3e6ec}.own{fill:#2f6fb0}.other{fill:#b8c2d0}
@media(prefers-color-scheme:dark){.ground{fill:#15181e}.text{fill:#e8eaf0}.soft{fill:#98a1b3}.grid{stroke:#2c323d}
.own{fill:#5b9bdf}.other{fill:#566175}}
</style>"""
# Okabe and Ito's colours, told apart by colour-blind readers too
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#8a8f98", "#b5a900")

Figures = Mapping[str, Mapping[str, float]]


def bars(title: str, methods: Figures, metrics: Sequence[str]) -> str:
    """A panel of bars a metric, a bar a method, as SVG; the first method stands out.

    :param methods: Method → metric → figure in [0, 1].
    """
    panel = (_WIDTH - _LEFT) / len(metrics)
    height = _TOP + _ROW * len(methods) + 20
    marks = [_label(16, 28, title, size=17)]
    for row, name in enumerate(methods):
        marks.append(_label(_LEFT - 12, _TOP + _ROW * row + 16, name, anchor="end"))
    for column, metric in enumerate(metrics):
        left = _LEFT + panel * column
        marks.append(_label(left, _TOP - 8, metric, kind="soft"))
        for row, figures in enumerate(methods.values()):
            value = figures.get(metric, 0.0)
            long = max(0.0, value) * (panel - _RIGHT - 20)
            top = _TOP + _ROW * row
            kind = "other" if row else "own"
            marks.append(f'<rect class="{kind}" x="{left:.1f}" y="{top + 3}" width="{long:.1f}" height="16" rx="2"/>')
            marks.append(_label(left + long + 5, top + 16, f"{value:.3f}", kind="soft", size=11))
    return _svg(title, height, marks)


def lines(title: str, shares: Sequence[float], figures: Mapping[str, Sequence[float]]) -> str:
    """A line a method over the shares of the history, evenly spaced, as SVG.

    :param shares: In [0, 1], ascending.
    :param figures: Method → one figure in [0, 1] a share.
    """
    return curves(title, [f"{share:.0%}" for share in shares], figures, label="share of the history")


def curves(title: str, ticks: Sequence[str], figures: Mapping[str, Sequence[float]], *, label: str) -> str:
    """A line a method over what stands below, evenly spaced, as SVG; dashed where a colour is used again.

    :param ticks: What stands below each point.
    :param figures: Method → one figure in [0, 1] a tick.
    :param label: What the ticks are.
    """
    right = _WIDTH - 150
    across = [60 + (right - 60) * i / max(1, len(ticks) - 1) for i in range(len(ticks))]
    low = min((value for curve in figures.values() for value in curve), default=0.0)
    floor = int(max(0.0, low) * 10) / 10

    def height(value: float) -> float:
        return _TOP + _PLOT * (1 - (value - floor) / (1 - floor or 1))

    marks = [_label(16, 28, title, size=17)]
    for tenth in range(round(floor * 10), 11):
        y = height(tenth / 10)
        marks.append(f'<line class="grid" x1="60" y1="{y:.1f}" x2="{right}" y2="{y:.1f}"/>')
        marks.append(_label(50, y + 4, f"{tenth / 10:.1f}", kind="soft", anchor="end", size=12))
    for x, tick in zip(across, ticks, strict=True):
        marks.append(_label(x, _TOP + _PLOT + 22, tick, kind="soft", anchor="middle", size=12))
    ends = _spread({name: height(curve[-1]) for name, curve in figures.items()})
    for number, (name, curve) in enumerate(figures.items()):
        again, place = divmod(number, len(_COLOURS))
        colour = _COLOURS[place]
        dash = f' stroke-dasharray="{8 / again:.1f} {4 / again:.1f}"' if again else ""
        points = " ".join(f"{x:.1f},{height(value):.1f}" for x, value in zip(across, curve, strict=True))
        wide = 2 if number else 4
        marks.append(f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="{wide}"{dash}/>')
        marks.append(f'<text x="{right + 8}" y="{ends[name] + 4:.1f}" fill="{colour}" {_TEXT}>{escape(name)}</text>')
    return _svg(title, _TOP + _PLOT + 60, [*marks, _label(60, _TOP + _PLOT + 46, label, kind="soft")])


def _spread(places: Mapping[str, float]) -> dict[str, float]:
    """The places moved down where two are nearer than a label is high."""
    moved: dict[str, float] = {}
    last = float("-inf")
    for name, place in sorted(places.items(), key=lambda item: item[1]):
        last = max(place, last + _LABELS)
        moved[name] = last
    return moved


def _label(x: float, y: float, text: str, *, kind: str = "text", anchor: str = "start", size: int = 13) -> str:
    font = _TEXT.replace("13", str(size))
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {font}>{escape(text)}</text>'


def _svg(title: str, height: float, marks: Sequence[str]) -> str:
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height:.0f}" role="img">'
    ground = f'<rect class="ground" width="{_WIDTH}" height="{height:.0f}"/>'
    return "\n".join([head, f"<title>{escape(title)}</title>", _STYLE, ground, *marks, "</svg>", ""])

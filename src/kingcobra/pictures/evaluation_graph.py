# SPDX-License-Identifier: GPL-3.0-or-later
"""The course of a game as a curve: White's win % after each ply, as SVG without styles or scripts,
for reports, notebooks and web pages."""

from collections.abc import Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 800, 160
HALF = HEIGHT / 2
MOST_PERCENT = 100.0
MARK_RADIUS = 4
WHITE_AREA, BLACK_AREA, EVEN_LINE, CURVE = "#f4f1ea", "#3d3a37", "#9a948a", "#c0682e"


class GraphPoint(NamedTuple):
    """A ply: White's win %, a text for whoever points at it, and the colour of its mark, if it has
    one."""

    white_percent: float
    text: str = ""
    mark: str = ""


def graph_svg(points: Sequence[GraphPoint], label: str = "White's chances") -> str:
    """The curve from the first point to the last. White's area is below it, Black's above; the x of
    a point is `point_x`."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" class="graph" '
        f'role="img" preserveAspectRatio="none" width="{WIDTH}" height="{HEIGHT}">',
        f"<title>{escape(label)}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{BLACK_AREA}"/>',
    ]
    if points:
        corners = " ".join(_place(points, number) for number in range(len(points)))
        parts += [
            f'<polygon points="0,{HEIGHT} {corners} {WIDTH},{HEIGHT}" fill="{WHITE_AREA}"/>',
            f'<polyline points="{corners}" fill="none" stroke="{CURVE}" stroke-width="2"/>',
        ]
    parts.append(
        f'<line x1="0" x2="{WIDTH}" y1="{HALF:g}" y2="{HALF:g}" stroke="{EVEN_LINE}" '
        'stroke-width="1" stroke-dasharray="4 4"/>'
    )
    parts += [_mark(points, number) for number, point in enumerate(points) if point.mark]
    return "".join([*parts, "</svg>"])


def point_x(number: int, count: int) -> float:
    """How far from the left a point is; a single one is at the left end."""
    return WIDTH * number / max(count - 1, 1)


def _place(points: Sequence[GraphPoint], number: int) -> str:
    x = point_x(number, len(points))
    y = HEIGHT * (1 - points[number].white_percent / MOST_PERCENT)
    return f"{x:.1f},{y:.1f}"


def _mark(points: Sequence[GraphPoint], number: int) -> str:
    x, y = _place(points, number).split(",")
    point = points[number]
    return (
        f'<circle cx="{x}" cy="{y}" r="{MARK_RADIUS}" fill="{point.mark}" stroke="#fff">'
        f"<title>{escape(point.text)}</title></circle>"
    )

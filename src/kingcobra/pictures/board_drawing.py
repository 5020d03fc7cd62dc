# SPDX-License-Identifier: GPL-3.0-or-later
"""Boards as SVG for pages that show many positions: the men are drawn once and used everywhere, and
a small script can redraw them. No styles or scripts inside: pages may forbid those."""

import re
from collections.abc import Mapping
from html import escape

import chess
import chess.svg

SQUARE = 45
BOARD = 8 * SQUARE
LIGHT, DARK = "#ecd9b9", "#b58863"
LAST_MOVE = "#cdd26a"
ARROW = "#2f7d4f"
COORDINATE_SIZE = 9
ARROW_WIDTH, ARROW_HEAD = 8, 16
_STYLE = re.compile(r'style="([^"]*)"')


def piece_definitions() -> str:
    """All men, once for a page: python-chess's drawings (by Colin M. L. Burnett)."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true"><defs>'
        + _drawings("PNBRQKpnbrqk")
        + "</defs></svg>"
    )


def _drawings(letters: str) -> str:
    """The men with these letters."""
    return "".join(_STYLE.sub(_as_attributes, chess.svg.PIECES[letter]) for letter in letters)


def _as_attributes(match: re.Match[str]) -> str:
    """`style="fill:#fff; stroke:#000;"` as attributes, which no page forbids."""
    pairs = (item.split(":") for item in match[1].split(";") if item.strip())
    return " ".join(f'{name.strip()}="{value.strip()}"' for name, value in pairs)


def board_svg(
    board: chess.Board,
    *,
    last_move: chess.Move | None = None,
    arrow: chess.Move | None = None,
    fills: Mapping[chess.Square, str] | None = None,
    label: str = "",
    definitions: bool = False,
) -> str:
    """A board seen from White's side. It needs the page's piece definitions, or its own."""
    squares = "".join(_square(square, last_move, fills or {}) for square in chess.SQUARES)
    men = "".join(_man(square, piece) for square, piece in sorted(board.piece_map().items()))
    inner = "".join(
        _STYLE.sub(_as_attributes, chess.svg.PIECES[letter])
        for letter in (
            sorted({p.symbol() for p in board.piece_map().values()}) if definitions else ()
        )
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {BOARD} {BOARD}" class="board" '
        f'role="img" width="{BOARD}" height="{BOARD}"><title>{escape(label)}</title>'
        + (f"<defs>{inner}</defs>" if inner else "")
        + f'<g class="squares">{squares}</g>{_coordinates()}<g class="men">{men}</g>'
        f'<g class="arrows">{_arrow(arrow) if arrow else ""}</g></svg>'
    )


def _place(square: chess.Square) -> tuple[int, int]:
    return chess.square_file(square) * SQUARE, (7 - chess.square_rank(square)) * SQUARE


def _square(
    square: chess.Square, last_move: chess.Move | None, fills: Mapping[chess.Square, str]
) -> str:
    x, y = _place(square)
    is_last = last_move is not None and square in (last_move.from_square, last_move.to_square)
    is_light = (chess.square_file(square) + chess.square_rank(square)) % 2
    colour = fills.get(square) or (LAST_MOVE if is_last else LIGHT if is_light else DARK)
    return f'<rect x="{x}" y="{y}" width="{SQUARE}" height="{SQUARE}" fill="{colour}"/>'


def _man(square: chess.Square, piece: chess.Piece) -> str:
    x, y = _place(square)
    colour = chess.COLOR_NAMES[piece.color]
    name = f"{colour}-{chess.piece_name(piece.piece_type)}"
    return f'<use href="#{name}" xlink:href="#{name}" transform="translate({x} {y})"/>'


def _coordinates() -> str:
    """Letters at the foot, numbers at the left."""
    found = []
    for number in range(8):
        middle = number * SQUARE + SQUARE - 3
        found.append(
            f'<text x="{middle}" y="{BOARD - 2}" text-anchor="end">{"abcdefgh"[number]}</text>'
        )
        top = number * SQUARE + COORDINATE_SIZE + 1
        found.append(f'<text x="2" y="{top}">{8 - number}</text>')
    return (
        f'<g font-size="{COORDINATE_SIZE}" font-family="sans-serif" fill="#5b4630">'
        + "".join(found)
        + "</g>"
    )


def _arrow(move: chess.Move) -> str:
    """From the middle of a square to the middle of another."""
    (x1, y1), (x2, y2) = _place(move.from_square), _place(move.to_square)
    half = SQUARE / 2
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5 or 1.0
    dx, dy = (x2 - x1) / length, (y2 - y1) / length
    tip_x, tip_y = x2 + half, y2 + half
    neck_x, neck_y = tip_x - dx * ARROW_HEAD, tip_y - dy * ARROW_HEAD
    side_x, side_y = -dy * ARROW_HEAD * 0.6, dx * ARROW_HEAD * 0.6
    return (
        f'<g opacity="0.8"><line x1="{x1 + half:g}" y1="{y1 + half:g}" x2="{neck_x:.1f}" '
        f'y2="{neck_y:.1f}" stroke="{ARROW}" stroke-width="{ARROW_WIDTH}"/>'
        f'<polygon points="{tip_x:.1f},{tip_y:.1f} {neck_x + side_x:.1f},{neck_y + side_y:.1f} '
        f'{neck_x - side_x:.1f},{neck_y - side_y:.1f}" fill="{ARROW}"/></g>'
    )

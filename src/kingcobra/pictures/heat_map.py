# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra net heat`: what each man of a position is worth to the network, on a board."""

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from kingcobra.board.fen import LETTERS
from kingcobra.core.rules.basics import FILES, KING, NO_PIECE, SQUARES, TYPE_MASK, WHITE
from kingcobra.networks.network import Network
from kingcobra.networks.network_scales import raw_per_shown_pawn
from kingcobra.networks.plain import Men, evaluate
from kingcobra.pictures.canvas import (
    BACKGROUND,
    INK,
    MARGIN,
    Colour,
    diverging,
    escaped,
    hex_colour,
    pillow,
    save,
    text_font,
)

if TYPE_CHECKING:
    from PIL.Image import Image

# Colours are full from here on; below, they grow with the square root, so that pawns show too.
FULL_COLOUR_PAWNS = 9.0
SVG_SIZE = 720
SVG_TEXT_SIZE = 10
# How python-chess lays out its boards: squares, and the margin with the coordinates.
SVG_SQUARE, SVG_MARGIN = 45, 15
SQUARE_PIXELS = 84
PIECE_TEXT_SIZE, VALUE_TEXT_SIZE, HEADING_TEXT_SIZE = 32, 16, 16
HEADING_PIXELS = 32
EMPTY_LIGHT: Colour = (222, 222, 216)
EMPTY_DARK: Colour = (190, 190, 184)
WHITE_MAN: Colour = (255, 255, 255)
BLACK_MAN: Colour = (20, 20, 20)


class HeatMap(NamedTuple):
    """A position, its evaluation, and what each man but the kings is worth: the evaluation less the
    one without it. All in pawns as White sees it."""

    men: Men
    total: float
    values: dict[int, float]


def heat_map(network: Network, men: Men) -> HeatMap:
    """Evaluates the position, and again without each man."""
    sign = 1 if men.mover == WHITE else -1
    per_pawn = sign * raw_per_shown_pawn(network.architecture, network.digest)
    total = evaluate(network, men).raw
    values = {
        square: (total - evaluate(network, men.without(square)).raw) / per_pawn
        for square, piece in enumerate(men.board)
        if piece & TYPE_MASK not in (NO_PIECE, KING)
    }
    return HeatMap(men, total / per_pawn, values)


def square_colours(heat: HeatMap) -> dict[int, Colour]:
    """Red for men that help White, blue for those that help Black."""
    return {square: _colour(value) for square, value in heat.values.items()}


def _colour(value: float) -> Colour:
    share = np.sign(value) * np.sqrt(min(abs(value) / FULL_COLOUR_PAWNS, 1.0))
    red, green, blue = diverging(np.array(share), 1.0)
    return int(red), int(green), int(blue)


def heading_text(heat: HeatMap, title: str) -> str:
    """The line above the board."""
    mover = "White" if heat.men.mover == WHITE else "Black"
    return f"{title}: {heat.total:+.2f} for White, {mover} to move; values in pawns, White's view"


def save_heat_map(heat: HeatMap, title: str, path: Path) -> None:
    """Writes the map as SVG or, for any other ending that Pillow knows, as pixels. DrawingError
    if that fails."""
    save(path, lambda: heat_svg(heat, title), lambda: heat_image(heat, title))


def heat_svg(heat: HeatMap, title: str) -> str:
    """The map as a scalable picture, on python-chess's board."""
    import chess
    import chess.svg

    board = chess.BaseBoard.empty()
    for square, piece in enumerate(heat.men.board):
        if piece != NO_PIECE:
            board.set_piece_at(square, chess.Piece.from_symbol(LETTERS[piece]))
    colours = {square: hex_colour(colour) for square, colour in square_colours(heat).items()}
    empty = {"square light": hex_colour(EMPTY_LIGHT), "square dark": hex_colour(EMPTY_DARK)}
    picture = chess.svg.board(board, fill=colours, colors=empty, size=SVG_SIZE)
    values = "".join(_svg_value(square, value) for square, value in heat.values.items())
    text = escaped(heading_text(heat, title))
    return picture.removesuffix("</svg>") + f"<title>{text}</title>{values}</svg>\n"


def _svg_value(square: int, value: float) -> str:
    """The number at the foot of its square."""
    rank, file = divmod(square, FILES)
    x = SVG_MARGIN + file * SVG_SQUARE + SVG_SQUARE / 2
    y = SVG_MARGIN + (FILES - rank) * SVG_SQUARE - 2
    return (
        f'<text x="{x:g}" y="{y:g}" font-size="{SVG_TEXT_SIZE}" font-family="sans-serif" '
        f'font-weight="bold" text-anchor="middle" stroke="#fff" stroke-width="2" '
        f'paint-order="stroke">{value:+.2f}</text>'
    )


def heat_image(heat: HeatMap, title: str) -> "Image":
    """The map as pixels; men are letters on discs, White's white."""
    modules = pillow()
    heading_font = text_font(HEADING_TEXT_SIZE)
    heading = heading_text(heat, title)
    board_pixels = FILES * SQUARE_PIXELS
    width = max(board_pixels, int(heading_font.getlength(heading))) + 2 * MARGIN
    height = board_pixels + HEADING_PIXELS + 2 * MARGIN
    image = modules.image.new("RGB", (width, height), BACKGROUND)
    draw = modules.draw.Draw(image)
    draw.text((MARGIN, MARGIN), heading, INK, heading_font)
    piece_font, value_font = text_font(PIECE_TEXT_SIZE), text_font(VALUE_TEXT_SIZE)
    colours = square_colours(heat)
    for square in range(SQUARES):
        rank, file = divmod(square, FILES)
        left = MARGIN + file * SQUARE_PIXELS
        top = MARGIN + HEADING_PIXELS + (FILES - 1 - rank) * SQUARE_PIXELS
        empty = EMPTY_LIGHT if (rank + file) % 2 else EMPTY_DARK
        corner = (left + SQUARE_PIXELS - 1, top + SQUARE_PIXELS - 1)
        draw.rectangle(((left, top), corner), colours.get(square, empty))
        piece = heat.men.board[square]
        if piece == NO_PIECE:
            continue
        letter = LETTERS[piece]
        own, other = (WHITE_MAN, BLACK_MAN) if letter.isupper() else (BLACK_MAN, WHITE_MAN)
        centre = (left + SQUARE_PIXELS // 2, top + SQUARE_PIXELS // 2 - VALUE_TEXT_SIZE // 2)
        draw.circle(centre, PIECE_TEXT_SIZE * 3 // 4, own, BLACK_MAN)
        draw.text(centre, letter.upper(), other, piece_font, anchor="mm")
        if square in heat.values:
            foot = (centre[0], top + SQUARE_PIXELS - VALUE_TEXT_SIZE // 2 - 2)
            draw.text(foot, f"{heat.values[square]:+.2f}", BLACK_MAN, value_font, anchor="mm")
    return image  # type: ignore[no-any-return]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as colours, and panels of colours as one picture. Pillow is needed for the picture alone,
and imported when one is made."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from PIL.Image import Image

Pixels = NDArray[np.uint8]
Floats = NDArray[np.floating[Any]]
Colour = tuple[int, int, int]

BACKGROUND: Colour = (24, 26, 30)
INK: Colour = (225, 225, 225)
LOW, MIDDLE, HIGH = (38, 110, 200), (245, 245, 240), (200, 60, 40)
DARK, BRIGHT = (20, 24, 40), (255, 220, 90)

MARGIN = 16
GAP = 4
LINE_HEIGHT = 18
TEXT_SIZE, SMALL_TEXT_SIZE = 14, 11
BOARD = (8, 8)


class DrawingError(Exception):
    """A picture that cannot be made; one line that says why."""


class Label(NamedTuple):
    """Text in a panel, its upper left corner in pixels from the panel's."""

    x: int
    y: int
    text: str


class Panel(NamedTuple):
    """A part of a picture: a line of text above coloured cells."""

    title: str
    pixels: Pixels
    labels: tuple[Label, ...] = ()


def pillow() -> Any:
    """Pillow's modules Image, ImageDraw and ImageFont. DrawingError where it is not installed."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise DrawingError(
            "pictures need Pillow, which is not installed: pip install 'kingcobra[draw]'"
        ) from error
    return Image, ImageDraw, ImageFont


# --- colours ----------------------------------------------------------------------------------


def diverging(values: Floats, limit: float) -> Pixels:
    """Blue for -limit and below, nearly white for 0, red for limit and above."""
    share = np.clip(values / limit if limit else values * 0, -1, 1)[..., None]
    ends = np.where(share < 0, np.array(LOW), np.array(HIGH))
    return _mixed(np.array(MIDDLE), ends, np.abs(share))


def sequential(values: Floats, limit: float) -> Pixels:
    """Dark for 0 and below, bright for limit and above."""
    share = np.clip(values / limit if limit else values * 0, 0, 1)[..., None]
    return _mixed(np.array(DARK), np.array(BRIGHT), share)


def _mixed(start: NDArray[Any], end: NDArray[Any], share: Floats) -> Pixels:
    mixed: Pixels = np.rint(start + (end - start) * share).astype(np.uint8)
    return mixed


# --- cells ------------------------------------------------------------------------------------


def as_board(squares: NDArray[Any]) -> NDArray[Any]:
    """64 numbers, a1 first, as they lie on a board seen from White's side."""
    return squares.reshape(BOARD)[::-1]


def enlarged(pixels: Pixels, times: int) -> Pixels:
    """Every pixel becomes a square of so many."""
    return pixels.repeat(times, axis=0).repeat(times, axis=1)


def tiled(rows: list[list[Pixels]]) -> Pixels:
    """Equal tiles in rows and columns, with gaps between them."""
    height, width, depth = rows[0][0].shape
    columns = max(len(row) for row in rows)
    sheet = np.empty(
        (len(rows) * (height + GAP) - GAP, columns * (width + GAP) - GAP, depth), np.uint8
    )
    sheet[:] = BACKGROUND
    for top, row in enumerate(rows):
        for left, tile in enumerate(row):
            y, x = top * (height + GAP), left * (width + GAP)
            sheet[y : y + height, x : x + width] = tile
    return sheet


# --- pictures ---------------------------------------------------------------------------------


def compose(heading: str, panels: list[Panel]) -> "Image":
    """The panels below each other, under a heading."""
    image_module, draw_module, _ = pillow()
    font, small_font = text_font(TEXT_SIZE), text_font(SMALL_TEXT_SIZE)
    texts = [heading, *(panel.title for panel in panels)]
    inner = max(
        *(panel.pixels.shape[1] for panel in panels), *(int(font.getlength(text)) for text in texts)
    )
    height = MARGIN + 2 * LINE_HEIGHT
    height += sum(panel.pixels.shape[0] + LINE_HEIGHT + MARGIN for panel in panels)
    image = image_module.new("RGB", (inner + 2 * MARGIN, height), BACKGROUND)
    draw = draw_module.Draw(image)
    draw.text((MARGIN, MARGIN), heading, INK, font)
    y = MARGIN + 2 * LINE_HEIGHT
    for panel in panels:
        draw.text((MARGIN, y), panel.title, INK, font)
        y += LINE_HEIGHT
        image.paste(image_module.fromarray(panel.pixels), (MARGIN, y))
        for label in panel.labels:
            draw.text((MARGIN + label.x, y + label.y), label.text, INK, small_font)
        y += panel.pixels.shape[0] + MARGIN
    return image  # type: ignore[no-any-return]


def text_font(size: int) -> Any:
    """Pillow's own font."""
    _, _, font_module = pillow()
    return font_module.load_default(size)


def save_picture(image: "Image", path: Path) -> None:
    """Writes the picture in the format of the file's ending. DrawingError if that is unknown, or if
    the file system refuses."""
    try:
        image.save(path)
    except (OSError, ValueError) as error:
        raise DrawingError(f"{path}: {error}") from error

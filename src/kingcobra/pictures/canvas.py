# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers as colours, and panels of colours as one picture. Pillow is imported only when a picture
is made."""

from base64 import b64encode
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kingcobra.errors import not_installed, reason_of

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
SVG_SUFFIX = ".svg"


class DrawingError(Exception):
    """A picture that cannot be made; the message is one line."""


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


class Sheet(NamedTuple):
    """A picture: panels below each other, at least one, under a heading."""

    heading: str
    panels: list[Panel]


class Pillow(NamedTuple):
    """Modules of Pillow."""

    image: Any
    draw: Any
    font: Any


def pillow() -> Pillow:
    """DrawingError if Pillow is not installed."""
    try:
        from PIL import Image, ImageDraw, ImageFont
    except ImportError as error:
        raise DrawingError(not_installed("Pillow", "draw")) from error
    return Pillow(Image, ImageDraw, ImageFont)


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


def compose(sheet: Sheet) -> "Image":
    """The sheet as pixels."""
    modules = pillow()
    font, small_font = text_font(TEXT_SIZE), text_font(SMALL_TEXT_SIZE)
    image = modules.image.new("RGB", _size(sheet), BACKGROUND)
    draw = modules.draw.Draw(image)
    draw.text((MARGIN, MARGIN), sheet.heading, INK, font)
    for panel, y in _placed(sheet):
        draw.text((MARGIN, y - LINE_HEIGHT), panel.title, INK, font)
        image.paste(modules.image.fromarray(panel.pixels), (MARGIN, y))
        for label in panel.labels:
            draw.text((MARGIN + label.x, y + label.y), label.text, INK, small_font)
    return image  # type: ignore[no-any-return]


def sheet_svg(sheet: Sheet) -> str:
    """The sheet as a scalable picture: its text as text, the cells of each panel as pixels."""
    width, height = _size(sheet)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" font-family="sans-serif" fill="{hex_colour(INK)}">',
        f'<rect width="{width}" height="{height}" fill="{hex_colour(BACKGROUND)}"/>',
        _svg_text(MARGIN, MARGIN, sheet.heading, TEXT_SIZE),
    ]
    for panel, y in _placed(sheet):
        panel_height, panel_width, _ = panel.pixels.shape
        parts += [
            _svg_text(MARGIN, y - LINE_HEIGHT, panel.title, TEXT_SIZE),
            f'<image x="{MARGIN}" y="{y}" width="{panel_width}" height="{panel_height}" '
            f'style="image-rendering:pixelated" href="{_data_address(panel.pixels)}"/>',
        ]
        parts += [
            _svg_text(MARGIN + label.x, y + label.y, label.text, SMALL_TEXT_SIZE)
            for label in panel.labels
        ]
    return "\n".join([*parts, "</svg>\n"])


def _svg_text(x: int, top: int, text: str, size: int) -> str:
    return f'<text x="{x}" y="{top + size}" font-size="{size}">{escaped(text)}</text>'


def _data_address(pixels: Pixels) -> str:
    png = BytesIO()
    pillow().image.fromarray(pixels).save(png, "PNG")
    return f"data:image/png;base64,{b64encode(png.getvalue()).decode()}"


def _size(sheet: Sheet) -> tuple[int, int]:
    """Width and height of all, with the margins."""
    font = text_font(TEXT_SIZE)
    texts = [sheet.heading, *(panel.title for panel in sheet.panels)]
    inner = max(
        *(panel.pixels.shape[1] for panel in sheet.panels),
        *(int(font.getlength(text)) for text in texts),
    )
    last, y = list(_placed(sheet))[-1]
    return inner + 2 * MARGIN, y + last.pixels.shape[0] + MARGIN


def _placed(sheet: Sheet) -> Iterator[tuple[Panel, int]]:
    """The panels with the top of their cells, from above; each title is the line before."""
    y = MARGIN + 2 * LINE_HEIGHT
    for panel in sheet.panels:
        y += LINE_HEIGHT
        yield panel, y
        y += panel.pixels.shape[0] + MARGIN


def text_font(size: int) -> Any:
    """Pillow's own font."""
    return pillow().font.load_default(size)


def hex_colour(colour: Colour) -> str:
    """'#rrggbb'."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def escaped(text: str) -> str:
    """Text as SVG has it."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


# --- files ------------------------------------------------------------------------------------


def save(path: Path, as_svg: Callable[[], str], as_pixels: "Callable[[], Image]") -> None:
    """Writes a picture as SVG, or in the format of another ending that Pillow knows. DrawingError
    if it knows none, or if the file system refuses."""
    picture = as_svg() if path.suffix.lower() == SVG_SUFFIX else as_pixels()
    try:
        if isinstance(picture, str):
            path.write_text(picture, encoding="utf-8")
        else:
            picture.save(path)
    except OSError as error:
        raise DrawingError(f"{path}: {reason_of(error)}") from error
    except ValueError as error:
        raise DrawingError(
            f"{path}: the name must end in {SVG_SUFFIX}, .png or another ending that Pillow knows"
        ) from error

# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours and pictures."""

import sys
from base64 import b64decode
from io import BytesIO
from xml.etree import ElementTree

import numpy as np
import pytest
from PIL import Image

from kingcobra.pictures import canvas


def test_diverging_colours():
    colours = canvas.diverging(np.array([-9.0, -1.0, 0.0, 1.0, 9.0]), 1.0)
    assert [tuple(colour) for colour in colours] == [
        canvas.LOW,
        canvas.LOW,
        canvas.MIDDLE,
        canvas.HIGH,
        canvas.HIGH,
    ]


def test_sequential_colours():
    colours = canvas.sequential(np.array([-1.0, 0.0, 2.0, 9.0]), 2.0)
    assert [tuple(colour) for colour in colours] == [
        canvas.DARK,
        canvas.DARK,
        canvas.BRIGHT,
        canvas.BRIGHT,
    ]


@pytest.mark.parametrize("scale", [canvas.diverging, canvas.sequential])
def test_a_scale_without_extent(scale):
    assert len({tuple(colour) for colour in scale(np.zeros(3), 0.0)}) == 1


def test_boards_are_seen_from_whites_side():
    board = canvas.as_board(np.arange(64))
    assert (board[0, 0], board[0, 7], board[7, 0], board[7, 7]) == (56, 63, 0, 7)


def test_tiles_and_gaps():
    tile = np.full((3, 5, 3), 200, np.uint8)
    sheet = canvas.tiled([[tile, tile], [tile]])
    assert sheet.shape == (6 + canvas.GAP, 10 + canvas.GAP, 3)
    assert (sheet[-1, 0] == 200).all()
    assert tuple(sheet[-1, -1]) == canvas.BACKGROUND


def test_panels_lie_below_each_other():
    red, blue = (np.full((10, 30, 3), colour, np.uint8) for colour in ((255, 0, 0), (0, 0, 255)))
    panels = [canvas.Panel("one", red), canvas.Panel("two", blue)]
    picture = canvas.compose(canvas.Sheet("heading", panels))
    colours = [picture.getpixel((canvas.MARGIN, y)) for y in range(picture.height)]
    assert colours.count((255, 0, 0)) == colours.count((0, 0, 255)) == 10
    assert colours.index((255, 0, 0)) < colours.index((0, 0, 255))
    assert picture.height == canvas.MARGIN + 2 * (canvas.LINE_HEIGHT + picture_part(red))


def picture_part(pixels):
    """The height of a panel with its title and the margin below."""
    return pixels.shape[0] + canvas.LINE_HEIGHT + canvas.MARGIN


def saved(path):
    panel = canvas.Panel("<one>", np.full((2, 3, 3), 7, np.uint8), (canvas.Label(1, 0, "a&b"),))
    sheet = canvas.Sheet("heading", [panel])
    canvas.save(path, lambda: canvas.sheet_svg(sheet), lambda: canvas.compose(sheet))
    return path


def test_the_ending_chooses_the_format(tmp_path):
    assert saved(tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")
    assert saved(tmp_path / "out.SVG").read_text().startswith("<svg")


def test_an_svg_has_the_text_and_the_cells(tmp_path):
    root = ElementTree.parse(saved(tmp_path / "out.svg")).getroot()
    name = "{http://www.w3.org/2000/svg}"
    assert [text.text for text in root.iter(f"{name}text")] == ["heading", "<one>", "a&b"]
    (image,) = root.iter(f"{name}image")
    assert (image.get("width"), image.get("height")) == ("3", "2")
    data = b64decode(image.get("href").removeprefix("data:image/png;base64,"))
    assert (np.asarray(Image.open(BytesIO(data))) == 7).all()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("out.nonsense", "must end in .svg, .png or another"),
        ("out", "must end in .svg, .png or another"),
        ("missing/out.png", "No such file or directory"),
        ("missing/out.svg", "No such file or directory"),
    ],
)
def test_pictures_that_cannot_be_saved(tmp_path, name, reason):
    with pytest.raises(canvas.DrawingError) as caught:
        saved(tmp_path / name)
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / name}: ")
    assert reason in message
    assert "Errno" not in message


def test_without_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(canvas.DrawingError, match="extra 'draw'"):
        canvas.pillow()

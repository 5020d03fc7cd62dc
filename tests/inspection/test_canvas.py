# SPDX-License-Identifier: GPL-3.0-or-later
"""Colours and pictures."""

import sys

import numpy as np
import pytest

from kingcobra.inspection import canvas


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


def test_panels_lie_below_each_other(tmp_path):
    red, blue = (np.full((10, 30, 3), colour, np.uint8) for colour in ((255, 0, 0), (0, 0, 255)))
    picture = canvas.compose("heading", [canvas.Panel("one", red), canvas.Panel("two", blue)])
    colours = [picture.getpixel((canvas.MARGIN, y)) for y in range(picture.height)]
    assert colours.count((255, 0, 0)) == colours.count((0, 0, 255)) == 10
    assert colours.index((255, 0, 0)) < colours.index((0, 0, 255))
    canvas.save_picture(picture, tmp_path / "out.png")
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("name", ["out.nonsense", "out", "missing/out.png"])
def test_pictures_that_cannot_be_saved(tmp_path, name):
    panel = canvas.Panel("", np.zeros((2, 2, 3), np.uint8))
    with pytest.raises(canvas.DrawingError, match=name):
        canvas.save_picture(canvas.compose("", [panel]), tmp_path / name)


def test_without_pillow(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(canvas.DrawingError, match=r"pip install 'kingcobra\[draw\]'"):
        canvas.pillow()

# SPDX-License-Identifier: GPL-3.0-or-later
"""What each man is worth, and where that is drawn."""

import xml.etree.ElementTree as ElementTree

import chess
import pytest

from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.networks.network_scales import network_scale, raw_per_pawn
from kingcobra.networks.plain import men_of_fen
from kingcobra.pictures import heat_map as heat
from kingcobra.pictures.canvas import DrawingError
from tests.core.network import twin

FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R {} KQkq - 0 1"
SVG = "{http://www.w3.org/2000/svg}"


def white_pawns(network, board):
    """The twin's evaluation as White sees it, in the pawns of a search."""
    bucket, psqt, positional = twin.evaluate(network, board)
    raw = psqt[bucket] + positional[bucket]
    units = raw * PAWN_UNITS / raw_per_pawn(network.architecture)
    pawns = units / network_scale(network.architecture).units_per_pawn
    return pawns if board.turn else -pawns


@pytest.mark.parametrize("mover", ["w", "b"])
def test_values_are_evaluations_less_those_without(network, mover):
    board = chess.Board(FEN.format(mover))
    found = heat.heat_map(network, men_of_fen(board.fen()))
    assert found.total == pytest.approx(white_pawns(network, board))
    expected = {}
    for square, piece in board.piece_map().items():
        if piece.piece_type != chess.KING:
            without = board.copy()
            without.remove_piece_at(square)
            expected[square] = white_pawns(network, board) - white_pawns(network, without)
    assert found.values == pytest.approx(expected)


def test_colours_say_whom_a_man_helps():
    men = men_of_fen(FEN.format("w"))
    values = {chess.A1: 9.0, chess.A2: -9.0, chess.A7: 0.5, chess.A8: 0.0}
    colours = heat.square_colours(heat.HeatMap(men, 0.0, values))
    for square, value in values.items():
        red, _, blue = colours[square]
        assert (red > blue + 20, blue > red + 20) == (value > 0, value < 0)


@pytest.mark.parametrize("name", ["nn.nnue", "a & b <c>.nnue"])
def test_svg_shows_every_value(network, name):
    found = heat.heat_map(network, men_of_fen(FEN.format("w")))
    root = ElementTree.fromstring(heat.heat_svg(found, name))
    texts = [element.text for element in root.iter(f"{SVG}text")]
    assert sorted(texts) == sorted(f"{value:+.2f}" for value in found.values.values())
    (title,) = root.findall(f"{SVG}title")
    assert title.text.startswith(f"{name}: {found.total:+.2f} for White")


def test_pixels_have_the_colours_of_their_squares(network):
    found = heat.heat_map(network, men_of_fen(FEN.format("w")))
    image = heat.heat_image(found, "title")
    colours = heat.square_colours(found)
    assert len(colours) == len(found.values)
    for square, colour in colours.items():
        x = heat.MARGIN + chess.square_file(square) * heat.SQUARE_PIXELS
        y = heat.MARGIN + heat.HEADING_PIXELS + (7 - chess.square_rank(square)) * heat.SQUARE_PIXELS
        assert image.getpixel((x + 1, y + 1)) == colour


@pytest.mark.parametrize(("name", "start"), [("out.png", b"\x89PNG"), ("OUT.SVG", b"<svg ")])
def test_files_by_their_ending(network, tmp_path, name, start):
    found = heat.heat_map(network, men_of_fen(FEN.format("w")))
    heat.save_heat_map(found, "title", tmp_path / name)
    assert (tmp_path / name).read_bytes().startswith(start)


def test_an_svg_that_cannot_be_saved(network, tmp_path):
    found = heat.heat_map(network, men_of_fen(FEN.format("w")))
    with pytest.raises(DrawingError, match=r"missing/out\.svg: No such file"):
        heat.save_heat_map(found, "title", tmp_path / "missing" / "out.svg")

# SPDX-License-Identifier: GPL-3.0-or-later
"""The curve of a game, and boards for pages with many positions."""

import re
from xml.etree import ElementTree

import chess

from kingcobra.pictures.board_drawing import LAST_MOVE, board_svg, piece_definitions
from kingcobra.pictures.evaluation_graph import HEIGHT, WIDTH, GraphPoint, graph_svg, point_x

SVG = "{http://www.w3.org/2000/svg}"


def test_the_curve_goes_through_all_points():
    svg = ElementTree.fromstring(graph_svg([GraphPoint(50), GraphPoint(100), GraphPoint(0)]))
    line = svg.find(f"{SVG}polyline").get("points")
    assert line == f"0.0,{HEIGHT / 2} {WIDTH / 2},0.0 {WIDTH}.0,{HEIGHT}.0"
    assert point_x(0, 1) == 0


def test_marks_have_a_colour_and_an_escaped_text():
    points = [GraphPoint(50), GraphPoint(40, "<b>&", "#c93232"), GraphPoint(45, "no mark")]
    svg = graph_svg(points, label="<script>")
    tree = ElementTree.fromstring(svg)
    (mark,) = tree.findall(f"{SVG}circle")
    assert mark.get("fill") == "#c93232"
    assert mark.find(f"{SVG}title").text == "<b>&"
    assert "<script>" not in svg


def test_no_points_are_an_empty_graph():
    assert ElementTree.fromstring(graph_svg([])).find(f"{SVG}polyline") is None


def test_a_board_has_its_men_and_its_last_move():
    board = chess.Board("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1")
    move = chess.Move.from_uci("e2e4")
    svg = board_svg(board, last_move=move, arrow=move, fills={chess.A1: "#123456"}, label="<")
    tree = ElementTree.fromstring(svg)
    assert len(tree.findall(f".//{SVG}use")) == 3
    fills = [rect.get("fill") for rect in tree.findall(f".//{SVG}rect")]
    assert len(fills) == 64
    assert fills[chess.E2] == fills[chess.E4] == LAST_MOVE
    assert fills[chess.A1] == "#123456"
    assert len(tree.findall(f".//{SVG}polygon")) == 1


def test_men_are_drawn_once_and_without_styles():
    definitions = piece_definitions()
    assert len(re.findall(r'id="(white|black)-\w+"', definitions)) == 12
    assert "style=" not in definitions
    own = board_svg(chess.Board(), definitions=True)
    ElementTree.fromstring(own)
    assert own.count('id="white-pawn"') == 1

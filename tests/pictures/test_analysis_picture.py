# SPDX-License-Identifier: GPL-3.0-or-later
"""Analyses as notebooks show them."""

import pickle
from base64 import b64decode

import chess
import pytest
from chess.engine import Cp, Limit, Mate, PovScore, PovWdl, Wdl

import kingcobra
from kingcobra.pictures.analysis_picture import analysis_html, line_text, score_text
from tests.analysis.hostile import Elements, assert_harmless

ELEMENTS = {"div", "img", "table", "tr", "th", "td"}
SVG_ELEMENTS = {
    "svg",
    "title",
    "defs",
    "g",
    "path",
    "circle",
    "rect",
    "text",
    "use",
    "line",
    "polygon",
}


def test_lines_are_a_table_beside_a_board():
    board = chess.Board()
    info = {
        "score": PovScore(Cp(31), chess.WHITE),
        "wdl": PovWdl(Wdl(300, 500, 200), chess.WHITE),
        "depth": 12,
        "nodes": 123456,
        "pv": [chess.Move.from_uci("e2e4"), chess.Move.from_uci("e7e5")],
    }
    html = analysis_html(board, [info, {}])
    assert_harmless(html, ELEMENTS)
    for text in ("+0.31", "30 %, 50 %, 20 %", "12", "123,456", "1. e4 e5"):
        assert text in html
    (image,) = (attributes for tag, attributes in Elements(html).found if tag == "img")
    svg = b64decode(image["src"].partition(",")[2]).decode()
    assert_harmless(svg, SVG_ELEMENTS)
    assert svg.count("<use ") == 32
    assert "<polygon" in svg


@pytest.mark.parametrize(
    ("score", "text"),
    [
        (PovScore(Cp(31), chess.BLACK), "-0.31"),
        (PovScore(Mate(3), chess.BLACK), "#-3"),
        (PovScore(Cp(0), chess.WHITE), "+0.00"),
    ],
)
def test_scores_are_whites(score, text):
    assert score_text(score) == text


def test_long_lines_are_cut_and_strange_ones_shown():
    moves = [chess.Move.from_uci(text) for text in ["g1f3", "g8f6", "f3g1", "f6g8"] * 4]
    assert line_text(chess.Board(), moves).endswith("Ng8 …")
    assert line_text(chess.Board(), [chess.Move.from_uci("e2e5")]) == "e2e5"


@pytest.mark.usefixtures("core")
def test_results_of_the_engine_show_themselves():
    with kingcobra.Engine(hash_mb=1) as engine:
        one = engine.analyse(chess.Board(), Limit(nodes=200))
        lines = engine.analyse(chess.Board(), Limit(nodes=200), multipv=2)
    assert isinstance(one, dict)
    assert isinstance(lines, list)
    assert one == dict(one)
    for result, count in ((one, 1), (lines, 2), (lines[1], 1)):
        html = result._repr_html_()
        assert html.count("<tr>") == 1 + count
        assert pickle.loads(pickle.dumps(result)) == result

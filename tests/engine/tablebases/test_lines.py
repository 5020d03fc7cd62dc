# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that the tables correct and continue, checked by python-chess."""

import chess
import chess.syzygy
import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.engine.tablebases.lines import TableLines
from tests.core.tables.reference import random_boards
from tests.paths import DATA

FOLDER = DATA / "syzygy"
QUEEN = "8/8/8/8/8/4k3/8/K2Q4 w - - 0 1"
PAWN = "8/8/8/8/8/k7/7P/K7 w - - 0 1"


@pytest.fixture(scope="module")
def files(tables_core):
    files = TablebaseFiles(tables_core, str(FOLDER), print)
    yield files
    files.close()


def root_of(core, fen, *past):
    position = PositionHandle(core, fen)
    for move in past:
        position.play(move)
    return position


def continued(core, files, root, *moves, fifty=True, line_ns=0, stopped=False):
    """A line of UCI moves, continued: the board at its end, and whether it is a draw."""
    walk = root.copy()
    numbers = []
    for text in moves:
        numbers.append(walk.parse_move(text))
        walk.play(text)
    line = TableLines(files, root, fifty, line_ns, lambda: stopped).continued(numbers)
    board = chess.Board(root.fen())
    walk = PositionHandle(core, root.fen())
    texts = []
    for move in line.moves:
        assert walk.is_legal(move)
        texts.append(walk.legal_moves()[walk.moves().index(move)])
        walk.play_move(move)
        board.push_uci(texts[-1])
    return board, texts, line.is_drawn


@pytest.mark.parametrize("name", ["KQvK", "KRvK", "KPvK"])
def test_wins_are_continued_to_mate(core, files, name):
    with chess.syzygy.open_tablebase(str(FOLDER)) as reference:
        for start in random_boards(name, 40, seed=4):
            value = reference.probe_wdl(start)
            if value == 0 or start.is_game_over():
                continue
            first = next(
                move for move in start.legal_moves if after(reference, start, move) == value
            )
            end, texts, is_drawn = continued(core, files, root_of(core, start.fen()), first.uci())
            assert end.is_checkmate(), (start.fen(), texts)
            assert texts[0] == first.uci()
            assert end.turn == (start.turn if value < 0 else not start.turn)
            assert not is_drawn


def after(reference, board, move):
    """The result of a move for who plays it."""
    board.push(move)
    try:
        return -reference.probe_wdl(board)
    finally:
        board.pop()


def test_a_move_that_gives_the_win_away_is_replaced(core, files):
    """The queen goes to be taken at the third ply; and the defender's mistake before stays."""
    _, texts, _ = continued(core, files, root_of(core, QUEEN), "d1g4", "e3d3", "g4e2")
    assert texts[:2] == ["d1g4", "e3d3"]
    assert texts[2] != "g4e2"


def test_the_first_move_stays_whatever_it_is(core, files):
    """With several lines, one may begin with a bad move."""
    _, texts, _ = continued(core, files, root_of(core, QUEEN), "d1e2")
    assert texts == ["d1e2"]


def test_a_repetition_in_the_line_is_left_out(core, files):
    """Moving to and fro keeps the result, but a line gets nowhere by it."""
    root = root_of(core, QUEEN)
    end, texts, _ = continued(core, files, root, "d1g4", "e3d2", "g4g3", "d2d1", "g3g4", "d1d2")
    assert texts[:5] == ["d1g4", "e3d2", "g4g3", "d2d1", "g3g4"]
    assert texts[5] != "d1d2"
    assert end.is_checkmate()


def test_no_line_goes_past_the_fifty_move_rule(core, files):
    """Eleven plies are needed, and five are left."""
    late = root_of(core, "8/8/8/8/8/4k3/8/K2Q4 w - - 95 90")
    end, texts, is_drawn = continued(core, files, late, "d1g4")
    assert is_drawn
    assert len(texts) == 5
    assert end.halfmove_clock == 100
    end, _, is_drawn = continued(core, files, late, "d1g4", fifty=False)
    assert end.is_checkmate()
    assert not is_drawn


def test_a_line_that_the_tables_reach_only_later(core, files):
    """Five men are not known, the four after a capture are."""
    root = root_of(core, "8/8/4k3/3p4/2P1P3/4K3/8/8 w - - 0 1")
    end, texts, _ = continued(core, files, root, "c4d5", "e6e5")
    assert texts[:2] == ["c4d5", "e6e5"]
    assert len(texts) > 2
    assert end.is_valid()


def test_unknown_endings_stay_as_they_are(core, files):
    root = root_of(core, "8/8/4k3/3r4/8/4K3/8/R7 w - - 0 1")
    _, texts, _ = continued(core, files, root, "a1a6", "d5d6")
    assert texts == ["a1a6", "d5d6"]


def test_without_time_nothing_changes(core, files):
    moves = ("d1g4", "e3d3", "g4e2")
    for options in ({"line_ns": 1}, {"stopped": True}):
        _, texts, _ = continued(core, files, root_of(core, QUEEN), *moves, **options)
        assert texts == list(moves)


def test_a_promotion_on_the_way(core, files):
    end, texts, _ = continued(core, files, root_of(core, PAWN), "h2h4")
    assert end.is_checkmate()
    assert any(len(text) == 5 for text in texts)

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search answers with, wherever it is ended: a move that was searched, and what follows."""

import chess
import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.reports import REFUTATION_MOVES
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.reports import SearchListener
from kingcobra.uci.bench_positions import STANDARD
from tests.core.search.searches import board_after, require_sound, search

START = chess.STARTING_FEN
KIWIPETE = STANDARD[1]
# Enough positions and places to stop for many searches to be ended while they look again.
STOPPED_POSITIONS = STANDARD[:8]
STOPPED_NODES = range(3000, 33_000, 2500)


# --- the expected reply -------------------------------------------------------------------------


@pytest.mark.parametrize("fen", STOPPED_POSITIONS)
def test_the_expected_reply_is_known_wherever_the_search_is_stopped(engine, fen):
    """A window that failed has no line of its own: the last one known must survive it."""
    for nodes in STOPPED_NODES:
        engine.new_game()
        found = search(engine, fen, nodes=nodes)
        require_sound(fen, found)
        board = board_after(fen, found.best)
        assert len(found.best) >= 2 or board.is_game_over(), (fen, nodes, found.best)


# --- depth 1 ------------------------------------------------------------------------------------


def require_depth_one(fen, found, lines=1):
    """Each line was searched at least one ply deep; the best one is played."""
    assert [line.number for line in found.lines[:lines]] == list(range(1, lines + 1))
    assert {line.depth for line in found.lines[:lines]} == {1}
    assert [line for line in found.lines if line.number == 1][-1].moves[0] == found.best[0]
    require_sound(fen, found)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("lines", [1, 3])
@pytest.mark.parametrize("fen", [START, KIWIPETE])
def test_depth_one_is_finished_with_one_node(engine, fen, lines, threads):
    engine.settings.lines = lines
    engine.set_threads(threads)
    require_depth_one(fen, search(engine, fen, nodes=1), lines)


def test_one_node_gives_what_depth_one_gives(engine):
    at_depth_one = search(engine, KIWIPETE, depth=1)
    engine.new_game()
    with_one_node = search(engine, KIWIPETE, nodes=1)
    assert with_one_node == at_depth_one
    # A queen is to be taken: an unsearched move would be another one.
    fen = "4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"
    assert search(engine, fen, nodes=1).best[0] == "e4d5"


@pytest.mark.parametrize("lines", [1, 3])
def test_depth_one_is_finished_when_stopped_at_once(engine, lines):
    engine.settings.lines = lines
    reported = []

    class Listener(SearchListener):
        def on_line(self, report):
            reported.append((report.depth, report.number, report.moves[0]))

    board = PositionHandle(engine.core, KIWIPETE)
    stopped = engine.search(board, SearchLimits(infinite=True), Listener())
    stopped.stop()
    result = stopped.run()
    assert [(depth, number) for depth, number, _move in reported] == [
        (1, number) for number in range(1, lines + 1)
    ]
    assert result.moves[0] == reported[0][2]


# --- values that the user gave ------------------------------------------------------------------

GIVEN_CP = 321


def test_a_value_given_to_the_root_is_the_score(engine):
    """The move is the search's own; what the position is worth, the user has said."""
    expected = search(engine, KIWIPETE, depth=6)
    engine.set_position_value(KIWIPETE, GIVEN_CP)
    engine.new_game()
    try:
        found = search(engine, KIWIPETE, depth=6)
    finally:
        engine.clear_position_values()
    assert found.best == expected.best
    assert found.score != expected.score
    assert engine.scale.centipawns(found.score) == GIVEN_CP
    assert {line.score for line in found.lines} == {found.score}


# --- refutations --------------------------------------------------------------------------------


def test_refutations_go_on_after_the_first_reply(engine):
    """As far as the hash table knows the moves. Few iterations: all fit into the ring of reports,
    however late that is read."""
    engine.settings.shows_refutations = True
    try:
        found = search(engine, KIWIPETE, depth=5)
    finally:
        engine.settings.shows_refutations = False
    others = chess.Board(KIWIPETE).legal_moves.count() - 1
    last = found.refutations[-others:]
    assert len({moves[0] for moves in last} | {found.best[0]}) == others + 1
    for moves in found.refutations:
        board_after(KIWIPETE, moves)
        assert len(moves) <= REFUTATION_MOVES
    assert any(len(moves) > 2 for moves in last)

# SPDX-License-Identifier: GPL-3.0-or-later
"""`go mate`: no mate of that length is missed, and none is invented."""

import chess
import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.scores import MATE, MATE_BAND
from tests.core.search.mates import read_mates
from tests.core.search.searches import require_sound, search

MOST_MOVES, EVERY = 4, 6
# The ordinary search may miss this at any depth: a rook is given away, and all rests on zugzwang.
ZUGZWANG = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"


def mate_in_moves(found):
    """Of the result: moves to mate, negative when being mated, None for no mate."""
    if abs(found.score) < MATE_BAND:
        return None
    if found.score > 0:
        return (MATE - found.score + 1) // 2
    return -((MATE + found.score) // 2)


def require_mates(engine, mates):
    assert mates
    for fen, mate in mates:
        engine.new_game()
        found = search(engine, fen, mate=abs(mate))
        assert mate_in_moves(found) == mate, fen
        assert len(found.best) == MATE - abs(found.score), fen
        require_sound(fen, found)


def test_some_mates_of_the_collection(engine):
    require_mates(engine, read_mates(most_moves=MOST_MOVES)[::EVERY])


@pytest.mark.slow
def test_all_short_mates_of_the_collection(engine):
    mates = read_mates(most_moves=MOST_MOVES)
    assert len(mates) == 119
    require_mates(engine, mates)


def shortest_mate(board, moves):
    """The slow twin: the fewest moves, up to these, in which the side to move mates; or None."""
    for number in range(1, moves + 1):
        if any(_mates(board, move, number) for move in list(board.legal_moves)):
            return number
    return None


def _mates(board, move, moves):
    board.push(move)
    replies = list(board.legal_moves)
    if not replies:
        mates = board.is_checkmate()
    elif moves == 1 or board.is_fifty_moves():
        mates = False
    else:
        mates = True
        for reply in replies:
            board.push(reply)
            mates = not board.is_fifty_moves() and any(
                _mates(board, answer, moves - 1) for answer in list(board.legal_moves)
            )
            board.pop()
            if not mates:
                break
    board.pop()
    return mates


@pytest.mark.parametrize(
    "fen",
    [
        ZUGZWANG,
        "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
        "8/8/8/8/8/2k5/2p5/2K5 w - - 0 1",
        "8/8/8/8/1p6/1k6/1P6/K7 b - - 0 1",
        "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        "k7/8/K7/8/8/8/8/1Q6 w - - 0 1",
        # The last of fifty moves may mate, the move after it comes too late.
        "7k/8/5K2/8/8/8/8/R7 w - - 97 80",
        "7k/8/5K2/8/8/8/8/R7 w - - 98 80",
        "7k/8/6K1/8/8/8/8/R7 w - - 99 80",
    ],
)
def test_it_agrees_with_the_slow_twin(engine, fen):
    moves = 2
    found = search(engine, fen, mate=moves)
    expected = shortest_mate(chess.Board(fen), moves)
    mate = mate_in_moves(found)
    assert (mate if mate and mate > 0 else None) == expected
    require_sound(fen, found)


@pytest.mark.parametrize("fen", [chess.STARTING_FEN, "8/8/4k3/8/8/4K3/4P3/8 w - - 0 1"])
def test_no_mate_is_said_to_be_none(engine, fen):
    found = search(engine, fen, mate=2)
    assert mate_in_moves(found) is None
    assert found.refuted_mate == 2
    assert found.best


def test_a_mate_is_not_said_to_be_none(engine):
    assert search(engine, ZUGZWANG, mate=2).refuted_mate == 0


def test_only_the_moves_asked_for_may_mate(engine):
    fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
    assert mate_in_moves(search(engine, fen, mate=1)) == 1
    found = search(engine, fen, mate=1, searchmoves=["a1a7", "a1b1"])
    assert found.refuted_mate == 1


def test_a_position_that_stood_twice_is_a_draw(engine):
    """Kg6 and Kf7 both mate in two; but the position after Kg6 has stood on the board twice."""
    fen = "7k/8/5K2/8/8/8/8/R7 w - - 0 1"
    assert mate_in_moves(search(engine, fen, mate=2, searchmoves=["f6g6"])) == 2
    board = PositionHandle(engine.core, fen)
    for text in ("f6g6", "h8g8", "g6f6", "g8h8") * 2:
        board.play(text)
    engine.new_game()
    found = search(engine, fen, board=board, mate=2, searchmoves=["f6g6"])
    assert found.refuted_mate == 2
    found = search(engine, fen, board=board, mate=2)
    assert (mate_in_moves(found), found.best[0]) == (2, "f6f7")


def test_limits_end_a_proof(engine):
    found = search(engine, chess.STARTING_FEN, mate=20, nodes=300_000)
    assert found.nodes == 300_000
    assert found.refuted_mate == 0


@pytest.mark.parametrize("threads", [2, 3])
def test_several_threads(engine, threads):
    engine.set_threads(threads)
    require_mates(engine, read_mates(most_moves=MOST_MOVES)[:: 3 * EVERY])


def test_other_lines_are_shown_too(engine):
    engine.settings.lines = 3
    fen = "k7/8/1K6/8/8/8/8/7R b - - 0 1"
    found = search(engine, fen, mate=1)
    require_sound(fen, found)
    assert mate_in_moves(found) == -1

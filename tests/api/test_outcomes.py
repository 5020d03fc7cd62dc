# SPDX-License-Identifier: GPL-3.0-or-later
"""How games end, beside python-chess."""

import random

import chess
import pytest

from kingcobra import Board

SEED = 3
GAMES = 25
MOST_PLIES = 250
# Few men and no pawns: repetitions, bare kings and long counts are frequent.
STARTS = [
    chess.STARTING_FEN,
    "4k3/8/8/8/8/8/8/R3K3 w - - 90 80",
    "8/8/3k4/8/8/3K4/8/5N2 w - - 0 1",
    "4k3/4q3/8/8/8/8/4Q3/4K3 w - - 140 99",
    "k7/8/8/8/8/8/1p6/K7 w - - 0 1",
]


def require_the_same_end(board: Board, reference: chess.Board) -> None:
    for claim_draw in (False, True):
        expected = reference.outcome(claim_draw=claim_draw)
        assert board.outcome(claim_draw=claim_draw) == expected, board
        assert board.is_game_over(claim_draw=claim_draw) == (expected is not None)
        assert board.result(claim_draw=claim_draw) == reference.result(claim_draw=claim_draw)
    assert board.is_checkmate() == reference.is_checkmate()
    assert board.is_stalemate() == reference.is_stalemate()
    assert board.is_check() == reference.is_check()
    assert board.is_insufficient_material() == reference.is_insufficient_material()
    assert board.is_repetition() == reference.is_repetition()


@pytest.mark.parametrize("start", STARTS)
def test_random_games(start):
    chooser = random.Random(SEED)
    for _ in range(GAMES // len(STARTS)):
        board, reference = Board(start), chess.Board(start)
        for _ in range(MOST_PLIES):
            if reference.is_game_over():
                break
            move = chooser.choice(list(reference.legal_moves))
            board.push(move)
            reference.push(move)
            if reference.ply() % 4 == 0 or reference.is_game_over():
                require_the_same_end(board, reference)
        require_the_same_end(board, reference)


@pytest.mark.parametrize("count", [0, 1, 2, 3])
def test_repetitions_are_counted(count):
    board, reference = Board(), chess.Board()
    for text in ["Nf3", "Nf6", "Ng1", "Ng8"] * count + ["Nf3", "Nf6", "Ng1"]:
        board.push(text)
        reference.push_san(text)
        require_the_same_end(board, reference)


@pytest.mark.parametrize(
    "fen",
    [
        "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 150 99",
        "k7/2Q5/1K6/8/8/8/8/8 b - - 0 1",
        "8/8/8/8/8/5k2/5b2/5K2 w - - 0 1",
        "4k3/8/8/8/8/8/8/R3K3 w - - 149 99",
        "4k3/8/8/8/8/8/8/R3K3 w - - 99 99",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 99 99",
    ],
)
def test_known_ends(fen):
    require_the_same_end(Board(fen), chess.Board(fen))

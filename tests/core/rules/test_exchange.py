# SPDX-License-Identifier: GPL-3.0-or-later
"""Static exchange evaluation against a slow twin, and against sums done by hand."""

import chess
import pytest
from hypothesis import given, settings

from kingcobra.board.position_handle import PositionHandle
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.exchange_twin import VALUES_CP, exchange_value, require_exchanges_like_twin
from tests.core.rules.reference import (
    any_starts,
    board_like,
    crowded_boards,
    example_boards,
    moves_to_choose,
    walk,
)


@pytest.mark.parametrize("reference", example_boards(), ids=chess.Board.fen)
def test_examples(core: LoadedObject, reference: chess.Board) -> None:
    require_exchanges_like_twin(board_like(core, reference), reference)


@settings(max_examples=200)
@given(start=any_starts(), choices=moves_to_choose(40))
def test_games(core: LoadedObject, start: chess.Board, choices: list[int]) -> None:
    for ply, (board, reference) in enumerate(walk(core, start, choices)):
        if ply % 3 == 0:
            require_exchanges_like_twin(board, reference)


@settings(max_examples=600)
@given(reference=crowded_boards())
def test_crowded_boards(core: LoadedObject, reference: chess.Board) -> None:
    require_exchanges_like_twin(board_like(core, reference), reference)


PAWN_CP, KNIGHT_CP, BISHOP_CP, ROOK_CP, QUEEN_CP = (
    VALUES_CP[piece] for piece in range(chess.PAWN, chess.KING)
)

BY_HAND = (
    # Nothing defends the pawn.
    ("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", PAWN_CP),
    # A knight for a pawn: the rooks behind do not change that.
    (
        "1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1",
        "d3e5",
        PAWN_CP - KNIGHT_CP,
    ),
    # An even trade, a bad one, and a quiet move onto an attacked square.
    ("4k3/8/3p4/4n3/8/5N2/8/4K3 w - - 0 1", "f3e5", KNIGHT_CP - KNIGHT_CP),
    ("4k3/8/3p4/4p3/8/8/4R3/4K3 w - - 0 1", "e2e5", PAWN_CP - ROOK_CP),
    ("4k3/8/3p4/8/8/5N2/8/4K3 w - - 0 1", "f3e5", -KNIGHT_CP),
    ("4k3/8/8/8/8/5N2/8/4K3 w - - 0 1", "f3e5", 0),
    # The rook behind the rook counts.
    ("3r2k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", PAWN_CP - ROOK_CP),
    ("6k1/3r4/8/3p4/8/8/3R4/3R2K1 w - - 0 1", "d2d5", PAWN_CP),
    # En passant, promotion, promotion that is taken, castling.
    ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", PAWN_CP),
    ("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0),
    ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", QUEEN_CP - PAWN_CP),
    ("1r6/P6k/8/8/8/8/8/K7 w - - 0 1", "a7a8q", -PAWN_CP),
    ("1r6/P6k/8/8/8/8/8/K7 w - - 0 1", "a7b8n", ROOK_CP + KNIGHT_CP - PAWN_CP),
    ("4k2r/8/8/8/8/8/8/4K2R w Kk - 0 1", "e1g1", 0),
    # A king recaptures, but not where it would be attacked.
    ("8/8/3k4/4p3/8/5N2/8/4K3 w - - 0 1", "f3e5", PAWN_CP - KNIGHT_CP),
    ("8/8/3k4/4p3/8/5N2/8/4R1K1 w - - 0 1", "f3e5", PAWN_CP),
    # The defender is pinned and takes no part; without its pinner it does.
    ("3k4/3n4/8/4p3/8/5N2/8/3R2K1 w - - 0 1", "f3e5", PAWN_CP),
    ("3k4/3n4/8/4p3/8/5N2/8/2R3K1 w - - 0 1", "f3e5", PAWN_CP - KNIGHT_CP),
    # The first capture takes the pinner itself: the piece it held recaptures afterwards.
    (
        "4k3/8/8/5p2/4q3/5B2/4R3/4K3 w - - 0 1",
        "f3e4",
        QUEEN_CP - BISHOP_CP + PAWN_CP,
    ),
)


@pytest.mark.parametrize(("fen", "uci", "value_cp"), BY_HAND)
def test_sums_done_by_hand(core: LoadedObject, fen: str, uci: str, value_cp: int) -> None:
    board = PositionHandle(core, fen)
    move = board.parse_move(uci)
    assert board.exchange_reaches(move, value_cp)
    assert not board.exchange_reaches(move, value_cp + 1)
    # The twin must not be wrong in the same way.
    reference = chess.Board(fen)
    assert exchange_value(reference, reference.parse_uci(uci)) == value_cp

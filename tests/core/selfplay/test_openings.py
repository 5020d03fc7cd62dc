# SPDX-License-Identifier: GPL-3.0-or-later
"""Home ranks by Chess960's numbering, against python-chess."""

import ctypes

import chess

from kingcobra.board.fen import LETTERS
from kingcobra.core.rules.basics import NO_PIECE
from kingcobra.core.rules.layout import Setup
from kingcobra.core.selfplay_objects import SELF_PLAY
from kingcobra.kernel.build import Builder

HOME_RANKS = 960


def test_all_home_ranks_are_those_of_python_chess():
    selfplay = Builder(SELF_PLAY, report=lambda _text: None).obtain()
    setup = Setup()
    for white in range(HOME_RANKS):
        black = (white * 7 + 518) % HOME_RANKS
        selfplay.describe_start(ctypes.addressof(setup), white, black)
        expected = chess.Board.from_chess960_pos(white)
        other = chess.Board.from_chess960_pos(black)
        for square in chess.SQUARES:
            source = expected if chess.square_rank(square) < 4 else other
            piece = source.piece_at(square)
            code = setup.board[square]
            assert (LETTERS[code] if code != NO_PIECE else None) == (piece and piece.symbol())
        rights = {
            *(chess.SquareSet(expected.castling_rights) & chess.SquareSet(chess.BB_RANK_1)),
            *(chess.SquareSet(other.castling_rights) & chess.SquareSet(chess.BB_RANK_8)),
        }
        assert set(setup.castling_rook) == rights
        assert setup.castling_rook[0] > setup.castling_rook[1]
        assert setup.castling_rook[2] > setup.castling_rook[3]

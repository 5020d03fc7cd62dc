# SPDX-License-Identifier: GPL-3.0-or-later
"""Attack tables against python-chess and against walking, square by square."""

import chess
import pytest

from kingcobra.core.rules import attacks
from kingcobra.core.rules.basics import SQUARES
from kingcobra.core.rules.magics import BISHOP_MAGICS, ROOK_MAGICS

WORD = (1 << 64) - 1


def subsets(mask: int) -> list[int]:
    """Every set of squares within the mask."""
    found = []
    subset = 0
    while True:
        found.append(subset)
        subset = (subset - mask) & mask
        if not subset:
            return found


def walked(square: int, steps: tuple[tuple[int, int], ...], occupied: int) -> int:
    """Sliding attacks, one step after the other."""
    found = 0
    for rank_step, file_step in steps:
        rank, file = square // 8 + rank_step, square % 8 + file_step
        while 0 <= rank < 8 and 0 <= file < 8:
            here = 1 << (rank * 8 + file)
            found |= here
            if occupied & here:
                break
            rank, file = rank + rank_step, file + file_step
    return found


ROOK = (ROOK_MAGICS, attacks.ROOK_MASKS, attacks.ROOK_STEPS)
BISHOP = (BISHOP_MAGICS, attacks.BISHOP_MASKS, attacks.BISHOP_STEPS)


@pytest.mark.parametrize(("magics", "masks", "steps"), [ROOK, BISHOP], ids=["rook", "bishop"])
def test_magics_send_every_occupancy_to_its_attacks(magics, masks, steps) -> None:
    """No two occupancies with different attacks share a slot, and no slot lies outside."""
    assert len(magics) == SQUARES
    for square in range(SQUARES):
        mask = int(masks[square])
        slots: dict[int, int] = {}
        for occupied in subsets(mask):
            slot = (occupied * magics[square] & WORD) >> (64 - mask.bit_count())
            assert 0 <= slot < 1 << mask.bit_count()
            expected = walked(square, steps, occupied)
            assert slots.setdefault(slot, expected) == expected, square


@pytest.mark.parametrize("square", chess.SQUARES)
def test_constants_agree_with_python_chess(square: int) -> None:
    empty = chess.Board(None)

    def attacked(piece_type: int, colour: chess.Color = chess.WHITE) -> int:
        empty.set_piece_at(square, chess.Piece(piece_type, colour))
        found = int(empty.attacks(square))
        empty.remove_piece_at(square)
        return found

    assert attacks.KNIGHT_ATTACKS[square] == attacked(chess.KNIGHT)
    assert attacks.KING_ATTACKS[square] == attacked(chess.KING)
    assert attacks.PAWN_ATTACKS[0, square] == attacked(chess.PAWN, chess.WHITE)
    assert attacks.PAWN_ATTACKS[1, square] == attacked(chess.PAWN, chess.BLACK)
    assert attacks.ROOK_RAYS[square] == attacked(chess.ROOK)
    assert attacks.BISHOP_RAYS[square] == attacked(chess.BISHOP)
    for other in chess.SQUARES:
        assert attacks.BETWEEN[square, other] == chess.between(square, other)
        line = chess.ray(square, other) if square != other else 0
        assert attacks.LINE[square, other] == line

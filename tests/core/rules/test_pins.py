# SPDX-License-Identifier: GPL-3.0-or-later
"""Blockers and pinners of both kings, found by taking each man off a python-chess board."""

import chess
import pytest
from hypothesis import given, settings

from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.reference import board_like, crowded_boards, example_boards

# Kingcobra's number of each colour.
NUMBERS = {chess.WHITE: 0, chess.BLACK: 1}


def blockers_and_pinners(reference: chess.Board, colour: chess.Color) -> tuple[int, int]:
    """Men of either colour whose absence would expose the king to a slider; and the sliders that
    such men of the king's own colour hold off."""
    king = reference.king(colour)
    before = reference.attackers(not colour, king)
    blockers, pinners = chess.SquareSet(), chess.SquareSet()
    for square in chess.SquareSet(reference.occupied & ~chess.BB_SQUARES[king]):
        without = reference.copy(stack=False)
        man = without.remove_piece_at(square)
        exposed = without.attackers(not colour, king) - before
        if exposed:
            blockers.add(square)
            if man.color == colour:
                pinners |= exposed
    return int(blockers), int(pinners)


def require_same_pins(core: LoadedObject, reference: chess.Board) -> None:
    state = board_like(core, reference).state
    for colour, number in NUMBERS.items():
        found = state.blockers[number], state.pinners[number ^ 1]
        assert found == blockers_and_pinners(reference, colour), reference.fen()


@pytest.mark.parametrize("reference", example_boards(), ids=chess.Board.fen)
def test_examples(core: LoadedObject, reference: chess.Board) -> None:
    require_same_pins(core, reference)


@settings(max_examples=300)
@given(reference=crowded_boards())
def test_crowded_boards(core: LoadedObject, reference: chess.Board) -> None:
    require_same_pins(core, reference)

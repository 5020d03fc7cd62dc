# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of a game, some of them played again."""

from kingcobra.analysis.game_positions import KEPT_EVERY, GamePositions
from kingcobra.board.position_handle import PositionHandle


def test_every_position_is_the_one_of_the_game(core):
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * KEPT_EVERY
    positions = GamePositions(PositionHandle(core), moves)
    assert len(positions) == len(moves) + 1
    played = PositionHandle(core)
    for ply, move in enumerate([*moves, None]):
        found = positions[ply]
        assert found.fen() == played.fen()
        if move:
            code = found.parse_move(move)
            # The past is there, too.
            assert found.occurrences_before(code) == played.occurrences_before(code)
            played.play(move)


def test_a_game_without_moves_has_one_position(core):
    positions = GamePositions(PositionHandle(core), [])
    assert len(positions) == 1
    assert positions[0].fen() == PositionHandle(core).fen()

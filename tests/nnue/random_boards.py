# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of random games, so that all numbers of men and all king squares turn up."""

import random
from functools import cache

import chess

LONGEST_GAME_PLIES = 160


@cache
def random_boards(count, seed=0):
    """That many positions, each from somewhere in a random game of its own; nobody may move."""
    rng = random.Random(seed)
    return tuple(_random_board(rng) for _ in range(count))


def _random_board(rng):
    board = chess.Board()
    for _ in range(rng.randrange(LONGEST_GAME_PLIES)):
        moves = list(board.legal_moves)
        if not moves:
            break
        # Captures come more often than chance would have it, or endings would be rare.
        captures = [move for move in moves if board.is_capture(move)]
        board.push(rng.choice(captures if captures and rng.random() < 0.5 else moves))
    return board

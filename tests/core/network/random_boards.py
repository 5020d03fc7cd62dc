# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions of random games, so that all numbers of men and all king squares turn up."""

import random
from functools import cache

import chess

LONGEST_GAME_PLIES = 160


@cache
def random_boards(count, seed=0):
    """That many positions, each from a random game of its own. Shared: copy before moving."""
    rng = random.Random(seed)
    return tuple(_random_board(rng) for _ in range(count))


@cache
def boards_along_games(count, seed=0):
    """That many positions, one after the other of random games: more for the same time."""
    rng = random.Random(seed)
    boards = []
    while len(boards) < count:
        board = chess.Board()
        for _ in range(LONGEST_GAME_PLIES):
            boards.append(board.copy(stack=False))
            if not _play_random_move(board, rng):
                break
    return tuple(boards[:count])


def _random_board(rng):
    board = chess.Board()
    for _ in range(rng.randrange(LONGEST_GAME_PLIES)):
        if not _play_random_move(board, rng):
            break
    return board


def _play_random_move(board, rng):
    """Whether there was a move to play. Captures come more often than chance would have it, or
    endings would be rare."""
    moves = list(board.legal_moves)
    if not moves:
        return False
    captures = [move for move in moves if board.is_capture(move)]
    board.push(rng.choice(captures if captures and rng.random() < 0.5 else moves))
    return True

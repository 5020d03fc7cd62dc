# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of self-play for tests, and their output as python-chess sees it."""

import chess
import numpy as np

from kingcobra.core.rules.basics import PROMOTION, move_from, move_kind, move_promotion, move_to
from kingcobra.training.data.games import games_in
from kingcobra.training.data.packed import RECORD
from kingcobra.training.selfplay.player import GAME_OVER, SelfPlayer


def played(objects, settings, teacher, games, book=None, endgame_tables=None, student=None):
    """What the first games of these settings write."""
    player = SelfPlayer(
        objects, settings, teacher, book, endgame_tables=endgame_tables, student=student
    )
    output = b""
    for number in range(games):
        player.begin(number)
        while player.play_on() != GAME_OVER:
            output += player.take()
    return output + player.take()


def harvested(*arguments, **more):
    """The same as packed positions."""
    return np.frombuffer(played(*arguments, **more), RECORD)


def played_games(*arguments, **more):
    """The same as games."""
    return list(games_in(played(*arguments, **more)))


def chess_move(move):
    """A stored move as python-chess writes it in Chess960."""
    move = int(move)
    promotion = move_promotion(move) if move_kind(move) == PROMOTION else None
    return chess.Move(move_from(move), move_to(move), promotion)


def replayed(game):
    """The boards of a game, the last one included. Each move must be legal."""
    board = chess.Board(game.start_fen, chess960=True)
    assert board.is_valid()
    boards = [board.copy()]
    for ply in game.plies:
        move = chess_move(ply["move"])
        assert move in board.legal_moves, (board.fen(), move)
        board.push(move)
        boards.append(board.copy())
    return boards

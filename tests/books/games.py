# SPDX-License-Identifier: GPL-3.0-or-later
"""Random games as PGN text: short, with every result, with castling and promotions."""

import random

import chess
import chess.pgn

RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def random_games(count: int, seed: int, plies: int = 30) -> str:
    """Games that share many positions, because few moves are allowed to differ."""
    rng = random.Random(seed)
    texts = []
    for _ in range(count):
        game = chess.pgn.Game()
        game.headers["Result"] = rng.choice(RESULTS)
        node: chess.pgn.GameNode = game
        board = game.board()
        for _ in range(rng.randrange(1, plies)):
            moves = sorted(
                board.legal_moves, key=lambda move: (not board.is_castling(move), move.uci())
            )
            if not moves:
                break
            move = rng.choice(moves[:2])
            node = node.add_variation(move)
            board.push(move)
        texts.append(str(game))
    return "\n\n".join(texts) + "\n"

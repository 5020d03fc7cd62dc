# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.Board beside python-chess: positions from text, moves as text, games from text; one at
a time, and in batches. CPU time, since other work on the machine would be counted otherwise."""

import random
import time
from collections.abc import Callable, Iterator

import chess

from benchmarks.clock import Contender, race
from benchmarks.figures import Figure
from kingcobra import Board, batches

SEED = 2024
GAMES, MOST_PLIES = 12, 90
# A batch is this many times the list that python-chess works through.
BATCH_TIMES = 20
PEER = "python-chess"


def random_games() -> list[list[chess.Move]]:
    """Legal games of random moves from the start position."""
    chooser = random.Random(SEED)
    games = []
    for _ in range(GAMES):
        board = chess.Board()
        while len(board.move_stack) < MOST_PLIES and not board.is_game_over():
            board.push(chooser.choice(list(board.legal_moves)))
        games.append(board.move_stack)
    return games


def positions_of(games: list[list[chess.Move]]) -> list[str]:
    """Every fifth position of the games."""
    fens = []
    for game in games:
        board = chess.Board()
        for ply, move in enumerate(game):
            if ply % 5 == 0:
                fens.append(board.fen())
            board.push(move)
    return fens


def measure(rounds: int) -> Iterator[Figure]:
    """What each task takes for an item, and how many times faster than python-chess it is."""
    games = random_games()
    fens = positions_of(games)
    many_fens = fens * BATCH_TIMES
    sans = [chess.Board().variation_san(game) for game in games]
    words = [[word for word in text.split() if not word.endswith(".")] for text in sans]
    ours, theirs = [Board(fen) for fen in fens], [chess.Board(fen) for fen in fens]
    packed = batches.pack(many_fens)
    many_games = sans * BATCH_TIMES
    plies = sum(map(len, games))
    yield from _compare(
        "Board(fen)",
        len(fens),
        lambda: [chess.Board(fen) for fen in fens],
        lambda: [Board(fen) for fen in fens],
        lambda: batches.pack(many_fens),
        rounds,
    )
    yield from _compare(
        "legal moves as UCI",
        len(fens),
        lambda: [[move.uci() for move in board.legal_moves] for board in theirs],
        lambda: [board.legal_moves() for board in ours],
        lambda: batches.legal_move_texts(packed),
        rounds,
    )
    yield from _compare(
        "legal moves as SAN",
        len(fens),
        lambda: [[board.san(move) for move in board.legal_moves] for board in theirs],
        lambda: [board.san_moves() for board in ours],
        lambda: batches.legal_move_texts(packed, "san"),
        rounds,
    )
    yield from _compare(
        "a ply from SAN",
        plies,
        lambda: [_play(chess.Board().push_san, game) for game in words],
        lambda: [_play(Board().push, game) for game in words],
        lambda: batches.play_games(many_games),
        rounds,
    )


def _play(push: Callable[[str], object], game: list[str]) -> None:
    for word in game:
        push(word)


def _compare(
    name: str,
    items: int,
    peer_run: Callable[[], object],
    single_run: Callable[[], object],
    batch_run: Callable[[], object],
    rounds: int,
) -> Iterator[Figure]:
    peer = Contender(PEER, lambda: _cpu_s(peer_run))
    single = Contender("one at a time", lambda: _cpu_s(single_run))
    batch = Contender("in batches", lambda: _cpu_s(batch_run))
    race([peer, single, batch], rounds)
    peer_us = peer.best_s / items * 1e6
    single_us = single.best_s / items * 1e6
    batch_us = batch.best_s / items / BATCH_TIMES * 1e6
    yield Figure(f"{name}: {PEER}", peer_us, "us")
    yield Figure(f"{name}: one at a time", single_us, "us")
    yield Figure(f"{name}: in batches", batch_us, "us")
    yield Figure(f"{name}: kingcobra / {PEER}", peer_us / single_us, "x", "one at a time")
    yield Figure(f"{name}: batch / {PEER}", peer_us / batch_us, "x", "in batches")


def _cpu_s(run: Callable[[], object]) -> float:
    """How long a run takes, in CPU time of this process."""
    started = time.process_time()
    run()
    return time.process_time() - started

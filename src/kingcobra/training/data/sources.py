# SPDX-License-Identifier: GPL-3.0-or-later
"""Labelled positions of other programs, as packed records.

    .binpack    Stockfish's training data
    .txt, .gz   lines of `FEN | centipawns for White | result for White | …`
    .pgn        games with [%eval …] comments; each is of the position behind its move

Positions in check, and those before a capture or a promotion, are left out where the move is known:
no static evaluation can know what an exchange comes to.

Scores in centipawns are taken for pawns that win every other game, and Stockfish's internal units
for units of a network.
"""

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TextIO

import chess
import chess.engine
import chess.pgn
from numpy.typing import NDArray

from kingcobra.board.fen import FenError
from kingcobra.core.network.architectures import OUTPUT_SCALE, SQUARED
from kingcobra.networks.network_scales import raw_per_shown_pawn
from kingcobra.training.data.binpack import NO_SCORE, read_binpack
from kingcobra.training.data.blocks import DataError
from kingcobra.training.data.packed import DRAW, LOSS, UNKNOWN, WIN, packed_fen

CENTIPAWNS = 100
RAW_PER_CENTIPAWN = raw_per_shown_pawn(SQUARED) / CENTIPAWNS
WHITE_RESULTS = {"1-0": WIN, "0-1": LOSS, "1/2-1/2": DRAW, "1": WIN, "0": LOSS, "0.5": DRAW}
WHITE_RESULTS |= {"1.0": WIN, "0.0": LOSS}
SEPARATOR = "|"
LINE_PARTS = 3
BINPACK_SUFFIX, PGN_SUFFIX, PACKED_SUFFIX = ".binpack", ".pgn", ".gz"
MATE_CP = 10_000
# What a position or a score that cannot be packed raises.
UNUSABLE = (FenError, ValueError, OverflowError)

Fault = Callable[[str], None]


def read_source(path: Path, fault: Fault, noisy: bool = False) -> Iterator[NDArray[Any]]:
    """The records of a file, one by one, `noisy` positions included or not; what cannot be read is
    named to `fault` and skipped. DataError for a file of a kind that is not known. May raise
    OSError."""
    if path.suffix == BINPACK_SUFFIX:
        return _from_binpack(path, fault, noisy)
    if path.suffix == PGN_SUFFIX:
        return _from_games(path, fault, noisy)
    if path.suffix in (".txt", ".epd", PACKED_SUFFIX):
        return _from_lines(path, fault)
    raise DataError(f"{path}: expected a name that ends in .kcp, .binpack, .pgn, .txt, .epd or .gz")


def _from_binpack(path: Path, fault: Fault, noisy: bool) -> Iterator[NDArray[Any]]:
    for board, move, score, result in read_binpack(path, fault):
        if score == NO_SCORE or not (noisy or _is_quiet(board, move)):
            continue
        try:
            yield packed_fen(board.fen(), score * OUTPUT_SCALE, result + DRAW)
        except UNUSABLE as error:
            fault(f"{path}: skipping a position: {error}")


def _from_lines(path: Path, fault: Fault) -> Iterator[NDArray[Any]]:
    with _opened(path) as file:
        for number, line in enumerate(file, start=1):
            if not line.strip():
                continue
            try:
                parts = [part.strip() for part in line.split(SEPARATOR)]
                if len(parts) < LINE_PARTS:
                    raise ValueError("expected FEN | centipawns | result")
                fen, white_cp, white_result, *_ = parts
                yield _white_labels(fen, float(white_cp), WHITE_RESULTS.get(white_result, UNKNOWN))
            except UNUSABLE as error:
                fault(f"{path}: skipping line {number}: {error}")


def _from_games(path: Path, fault: Fault, noisy: bool) -> Iterator[NDArray[Any]]:
    with _opened(path) as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if game.errors:
                fault(f"{path}: game {game.headers.get('Round', '?')}: {game.errors[0]}")
            result = WHITE_RESULTS.get(game.headers.get("Result", "*"), UNKNOWN)
            for board, score, following in _evaluated(game):
                if not noisy and not _is_quiet(board, following):
                    continue
                try:
                    white_cp = score.white().score(mate_score=MATE_CP)
                    yield _white_labels(board.fen(), white_cp, result)
                except UNUSABLE as error:
                    fault(f"{path}: skipping a position: {error}")


def _evaluated(
    game: chess.pgn.Game,
) -> Iterator[tuple[chess.Board, chess.engine.PovScore, chess.Move | None]]:
    """Positions of a game with an evaluation, and the move played there; not the end of a game by
    rule. The board must not be kept: it changes with the next position."""
    board = game.board()
    node: chess.pgn.GameNode | None = game
    while node is not None:
        following = node.next()
        score = node.eval()
        if score is not None and (following is not None or not board.is_game_over()):
            yield board, score, following.move if following else None
        if following is not None:
            board.push(following.move)
        node = following


def _is_quiet(board: chess.Board, move: chess.Move | None) -> bool:
    if board.is_check():
        return False
    return move is None or not (board.is_capture(move) or move.promotion)


def _white_labels(fen: str, white_cp: float, white_result: int) -> NDArray[Any]:
    is_white = fen.split()[1:2] == ["w"]
    mover_cp = white_cp if is_white else -white_cp
    result = white_result if is_white or white_result == UNKNOWN else WIN - white_result
    return packed_fen(fen, round(mover_cp * RAW_PER_CENTIPAWN), result)


def _opened(path: Path) -> TextIO:
    if path.suffix == PACKED_SUFFIX:
        return gzip.open(path, "rt", encoding="utf-8", errors="replace")
    return path.open(encoding="utf-8", errors="replace")

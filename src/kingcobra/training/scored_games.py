# SPDX-License-Identifier: GPL-3.0-or-later
"""Games with scores: how often each score won, drew and lost, by the material on the board."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import chess
import chess.pgn
import numpy as np
from numpy.typing import NDArray

from kingcobra.api.core import loaded_core
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.rules.basics import TYPE_MASK
from kingcobra.networks.scale import (
    CENTIPAWNS,
    LEAST_POINTS,
    MOST_POINTS,
    PIECE_POINTS,
    REFERENCE_POINTS,
)
from kingcobra.training.data.game_positions import (
    USUAL_RAW_PER_PAWN,
    Fault,
    GameFilter,
    read_positions,
)
from kingcobra.training.data.packed import (
    BITS_PER_MAN,
    DRAW,
    LOSS,
    MAN_MASK,
    MEN_PER_WORD,
    RESULT_MASK,
    RESULT_SHIFT,
    WIN,
)
from kingcobra.training.selfplay.player import CLASSICAL

# Scores beyond this many units win anyway; they would only distort the tails of the model.
MOST_UNITS = 1200
BIN_UNITS = 10
FEWEST_POSITIONS = 1000
POINTS_OF_RESULT = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}
POINTS_OF_FLAG = {WIN: 1, DRAW: 0, LOSS: -1}
BOOK = "book"
SELF_PLAY_SUFFIX = ".kcp"


class NoGames(ValueError):
    """Files without enough games for a fit, or with games of several evaluations."""


@dataclass(frozen=True)
class ScoreCounts:
    """Positions by score and material of the side to move: how many won, drew and lost."""

    units: np.ndarray
    shares: np.ndarray
    wins: np.ndarray
    draws: np.ndarray
    losses: np.ndarray


class ScoredGames(NamedTuple):
    """What was gathered, and whose scores they are: the SHA-256 of a network, empty for the
    classical evaluation."""

    counts: ScoreCounts
    digest: str


class ScoredPosition(NamedTuple):
    """The mover's centipawns, the material of both sides before the move, and the result of the
    game for the mover: 1, 0 or -1."""

    centipawns: float
    material: int
    result: int


Bins = Counter[tuple[int, int, int]]


def gather(paths: list[Path], units_per_pawn: float, fault: Fault) -> ScoredGames:
    """All positions of all games, in bins. The files are self-play's games, which say whose they
    are, or PGN files of the classical evaluation, in which 100 centipawns are so many units.
    `fault` hears of what is skipped. NoGames if they are no base for a fit."""
    bins: Bins = Counter()
    digests: set[str] = set()
    for path in paths:
        if path.suffix == SELF_PLAY_SUFFIX:
            _add_self_play(path, bins, digests, fault)
        else:
            _add_pgn(path, units_per_pawn, bins)
            digests.add("")
    if len(digests) > 1:
        raise NoGames("the games are of several evaluations, and each has a scale of its own")
    if bins.total() < FEWEST_POSITIONS:
        raise NoGames(f"{bins.total()} positions with scores, {FEWEST_POSITIONS} are needed")
    return ScoredGames(_counts(bins), digests.pop())


def _counts(bins: Bins) -> ScoreCounts:
    places = sorted({(units, points) for units, points, _ in bins})
    columns = [
        np.array([bins[units, points, result] for units, points in places], float)
        for result in (1, 0, -1)
    ]
    return ScoreCounts(
        np.array([units for units, _ in places], float),
        np.array([points for _, points in places], float) / REFERENCE_POINTS,
        *columns,
    )


# --- PGN --------------------------------------------------------------------------------------


def score_of(comment: str) -> float | None:
    """The centipawns of a comment such as `+0.35/12 0.004s`; None for mates and for none."""
    text = comment.split("/")[0].strip()
    try:
        return float(text) * CENTIPAWNS
    except ValueError:
        return None


def positions_of(game: chess.pgn.Game) -> Iterator[ScoredPosition]:
    """One for each move with a score."""
    result = POINTS_OF_RESULT.get(game.headers.get("Result", ""))
    if result is None or game.headers.get("Termination") not in ("normal", "adjudication"):
        return
    board = game.board()
    for node in game.mainline():
        centipawns = score_of(node.comment)
        if centipawns is not None and node.comment != BOOK:
            material = sum(
                points * chess.popcount(board.pieces_mask(piece, chess.WHITE))
                + points * chess.popcount(board.pieces_mask(piece, chess.BLACK))
                for piece, points in PIECE_POINTS.items()
            )
            yield ScoredPosition(
                centipawns, material, result if board.turn == chess.WHITE else -result
            )
        board.push(node.move)


def _add_pgn(path: Path, units_per_pawn: float, bins: Bins) -> None:
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            for position in positions_of(game):
                units = position.centipawns * units_per_pawn / CENTIPAWNS
                binned = round(units / BIN_UNITS) * BIN_UNITS
                if abs(binned) <= MOST_UNITS:
                    points = max(LEAST_POINTS, min(position.material, MOST_POINTS))
                    bins[binned, points, position.result] += 1


# --- self-play --------------------------------------------------------------------------------


def _add_self_play(path: Path, bins: Bins, digests: set[str], fault: Fault) -> None:
    everything = GameFilter(quiet=False, max_score=MOST_UNITS)
    for origin, records in read_positions(path, everything, loaded_core, fault):
        if origin.get("kind") != "games":
            raise NoGames(f"{path}: no games, but positions without results")
        is_classical = origin.get("teacher") == CLASSICAL
        digests.add("" if is_classical else str(origin.get("teacher_sha256", "unknown")))
        per_unit = int(origin.get("raw_per_pawn", USUAL_RAW_PER_PAWN)) / PAWN_UNITS
        units = np.rint(records["score"] / per_unit / BIN_UNITS).astype(int) * BIN_UNITS
        points = np.clip(material_of(records), LEAST_POINTS, MOST_POINTS)
        flags = records["flags"] >> RESULT_SHIFT & RESULT_MASK
        for flag, result in POINTS_OF_FLAG.items():
            of_result = flags == flag
            pairs, counts = np.unique(
                np.stack([units[of_result], points[of_result]]), axis=1, return_counts=True
            )
            for (binned, material), count in zip(pairs.T.tolist(), counts.tolist(), strict=True):
                bins[binned, material, result] += count


def material_of(records: NDArray[Any]) -> NDArray[np.int64]:
    """The material of both sides in the usual points, of packed positions."""
    points = np.zeros(MAN_MASK + 1, np.int64)
    for man in range(len(points)):
        points[man] = PIECE_POINTS.get(man & TYPE_MASK, 0)
    shifts = np.arange(MEN_PER_WORD, dtype=np.uint64) * np.uint64(BITS_PER_MAN)
    men = records["men"][:, :, np.newaxis] >> shifts & np.uint64(MAN_MASK)
    return points[men].sum(axis=(1, 2))

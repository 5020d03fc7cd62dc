# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the scale of the classical evaluation: which score wins how many games.

    kingcobra match --engine self,name=a --engine self,name=b --tc nodes=5000 --games 1000 \\
                    --book BOOK --pgn GAMES.pgn
    python -m kingcobra.training.fit_wdl GAMES.pgn …

The games are Kingcobra's own, with the scores in the comments as `kingcobra match` writes them.
Rewrites networks/classical_scale.py. Repeat it when search or evaluation have changed much.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import chess
import chess.pgn
import numpy as np

from kingcobra.errors import line_of
from kingcobra.networks import classical_scale
from kingcobra.networks.classical_scale import CLASSICAL_SCALE
from kingcobra.networks.scale import (
    CENTIPAWNS,
    LEAST_POINTS,
    MOST_POINTS,
    PIECE_POINTS,
    REFERENCE_POINTS,
    Scale,
)
from kingcobra.training.adam import Adam

# Scores beyond this many units win anyway; they would only distort the tails of the model.
MOST_UNITS = 1200
BIN_UNITS = 10
FEWEST_POSITIONS = 1000
POWERS = 3
FIRST_EVEN, FIRST_SPREAD = 200.0, 80.0
LEAST_SPREAD = 5.0
LEARNING_RATE = 1.0
EPSILON = 1e-9
POINTS_OF_RESULT = {"1-0": 1, "1/2-1/2": 0, "0-1": -1}
BOOK = "book"


class NoGames(ValueError):
    """Files without enough games for a fit."""


@dataclass(frozen=True)
class ScoreCounts:
    """Positions by score and material of the side to move: how many won, drew and lost."""

    units: np.ndarray
    shares: np.ndarray
    wins: np.ndarray
    draws: np.ndarray
    losses: np.ndarray


def score_of(comment: str) -> float | None:
    """The centipawns of a comment such as `+0.35/12 0.004s`; None for mates and for none."""
    text = comment.split("/")[0].strip()
    try:
        return float(text) * CENTIPAWNS
    except ValueError:
        return None


class ScoredPosition(NamedTuple):
    """The mover's centipawns, the material of both sides before the move, and the result of the
    game for the mover: 1, 0 or -1."""

    centipawns: float
    material: int
    result: int


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


def gather(paths: list[Path], units_per_pawn: float) -> ScoreCounts:
    """All positions of all games, in bins."""
    counts: Counter[tuple[int, int, int]] = Counter()
    for path in paths:
        with path.open(encoding="utf-8") as file:
            while (game := chess.pgn.read_game(file)) is not None:
                for position in positions_of(game):
                    units = position.centipawns * units_per_pawn / CENTIPAWNS
                    binned = round(units / BIN_UNITS) * BIN_UNITS
                    if abs(binned) <= MOST_UNITS:
                        points = max(LEAST_POINTS, min(position.material, MOST_POINTS))
                        counts[binned, points, position.result] += 1
    if counts.total() < FEWEST_POSITIONS:
        raise NoGames(f"{counts.total()} positions with scores, {FEWEST_POSITIONS} are needed")
    bins = sorted({(units, points) for units, points, _ in counts})
    columns = [
        np.array([counts[units, points, result] for units, points in bins], float)
        for result in (1, 0, -1)
    ]
    return ScoreCounts(
        np.array([units for units, _ in bins], float),
        np.array([points for _, points in bins], float) / REFERENCE_POINTS,
        *columns,
    )


def fit(samples: ScoreCounts, rounds: int) -> Scale:
    """The scale under which the results are likeliest, by Adam on their cross-entropy."""
    powers = np.stack([samples.shares**power for power in range(POWERS)])
    scale = np.array([FIRST_EVEN, 0.0, 0.0, FIRST_SPREAD, 0.0, 0.0])
    adam = Adam(scale, EPSILON)
    total = samples.wins.sum() + samples.draws.sum() + samples.losses.sum()
    for turn in range(1, rounds + 1):
        even = scale[:POWERS] @ powers
        spread = np.maximum(scale[POWERS:] @ powers, LEAST_SPREAD)
        win = 1 / (1 + np.exp((even - samples.units) / spread))
        loss = 1 / (1 + np.exp((even + samples.units) / spread))
        draw = np.maximum(1 - win - loss, EPSILON)
        # How the likelihood changes with the two arguments of the logistic function.
        by_win = (samples.wins / (win + EPSILON) - samples.draws / draw) * win * (1 - win)
        by_loss = (samples.losses / (loss + EPSILON) - samples.draws / draw) * loss * (1 - loss)
        by_even = -(by_win + by_loss) / spread
        by_spread = (by_win * (even - samples.units) + by_loss * (even + samples.units)) / spread**2
        gradient = -np.concatenate([powers @ by_even, powers @ by_spread]) / total
        scale -= LEARNING_RATE * adam.direction(gradient) * (1 - turn / rounds)
    return Scale(tuple(scale[:POWERS].tolist()), tuple(scale[POWERS:].tolist()))


def write_scale(scale: Scale, path: Path) -> None:
    """The module that the engine imports."""
    even, spread = (
        "(" + ", ".join(f"{factor:.3f}" for factor in factors) + ")"
        for factors in (scale.even, scale.spread)
    )
    path.write_text(
        "# SPDX-License-Identifier: GPL-3.0-or-later\n"
        '"""The scale of the classical evaluation, fitted by kingcobra.training.fit_wdl; not for'
        ' editing."""\n\n'
        "from kingcobra.networks.scale import Scale\n\n"
        f"CLASSICAL_SCALE = Scale(even={even}, spread={spread})\n",
        encoding="utf-8",
    )


def main(arguments: list[str] | None = None) -> int:
    """Reads, fits, writes."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("games", type=Path, nargs="+", help="PGN files")
    parser.add_argument(
        "--units-per-pawn",
        type=float,
        default=CLASSICAL_SCALE.units_per_pawn,
        help="units of the evaluation in the 100 centipawns of these games (default: the present)",
    )
    parser.add_argument("--rounds", type=int, default=20_000)
    parser.add_argument("--into", type=Path, default=Path(classical_scale.__file__))
    options = parser.parse_args(arguments)
    try:
        samples = gather(options.games, options.units_per_pawn)
    except UnicodeDecodeError:
        print("fit_wdl: not a PGN file: not UTF-8 text", file=sys.stderr)
        return 1
    except (OSError, NoGames) as error:
        print(f"fit_wdl: {line_of(error)}", file=sys.stderr)
        return 1
    scale = fit(samples, options.rounds)
    write_scale(scale, options.into)
    print(f"100 centipawns are {scale.units_per_pawn:.1f} units; written to {options.into}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

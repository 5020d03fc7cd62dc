# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the weights of the classical evaluation to the results of games, by logistic regression.

    python -m kingcobra.training.fit_classical POSITIONS.txt.gz

Each line is `FEN | centipawns for White | result for White | engine`. Rewrites
core/classical/weights.py.
"""

import argparse
import gzip
import math
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.classical import terms, weights
from kingcobra.core.objects import CLASSICAL_TRACE, CORE
from kingcobra.errors import reason_of
from kingcobra.exit_codes import EXIT_FAILED
from kingcobra.kernel.build import Builder, settle_level
from kingcobra.training.adam import Adam

FULL_PHASE = 24
PAWN = terms.OFFSETS["material"] + 1
PAWN_CP = 100
PHASES = 2
MIRROR_FILES = 7
# Set in the number of each square from the e-file on.
FILE_HALF = 4

# Regularisation, for weights that few positions determine: all but material are pulled towards
# zero, entries of tables towards their neighbours, squares towards their mirror image.
RIDGE = 5e-10
SMOOTHNESS = 4e-9
SYMMETRY = 2e-9
SMOOTH_TERMS = (
    "knight_mobility",
    "bishop_mobility",
    "rook_mobility",
    "queen_mobility",
    "passed_our_king",
    "passed_their_king",
    "danger",
)
BATCH = 8192
LEARNING_RATE_CP = 3.0
EPSILON = 1e-12
CP_PER_LOGIT = 173.0
# Evaluations of strong engines are better labels than results alone. Their scales differ: that of
# each engine is fitted to the results of its games, if there are enough.
RESULT_SHARE = 0.3
USUAL_CP_PER_LOGIT = 220.0
LEAST_CP_PER_LOGIT, MOST_CP_PER_LOGIT = 60.0, 600.0
LEAST_LINES_OF_AN_ENGINE = 3000
LABEL_LIMIT_CP = 1500
PROGRESS_LINES = 100_000


@dataclass(frozen=True)
class TermCounts:
    """Positions as sparse rows: columns and coefficients, middlegame and endgame halves."""

    starts: np.ndarray
    columns: np.ndarray
    coefficients: np.ndarray
    targets: np.ndarray


def read_lines(path: Path, most: int, seed: int) -> list[str]:
    """That many lines of the file, evenly spread, in random order."""
    with gzip.open(path, "rt", encoding="ascii") as file:
        lines = file.readlines()
    random.Random(seed).shuffle(lines)
    return lines[:most]


class GameLabel(NamedTuple):
    """An evaluation in centipawns, limited, the result of the game, and the engine."""

    centipawns: float
    result: float
    engine: str


def label_of(line: str) -> GameLabel:
    """ValueError for a line of another form."""
    _fen, centipawns, result, engine = line.split("|")
    label = max(-LABEL_LIMIT_CP, min(LABEL_LIMIT_CP, int(centipawns)))
    return GameLabel(label, float(result), engine.strip())


def scales_of_engines(lines: list[str]) -> dict[str, float]:
    """Centipawns per logit of each engine that has lines enough: what its evaluations must be
    divided by to predict its results best."""
    labels: dict[str, list[tuple[float, float]]] = {}
    for line in lines:
        label, result, engine = label_of(line)
        labels.setdefault(engine, []).append((label, result))
    candidates = np.geomspace(LEAST_CP_PER_LOGIT, MOST_CP_PER_LOGIT, 80)
    scales = {}
    for engine, some in labels.items():
        if len(some) >= LEAST_LINES_OF_AN_ENGINE:
            values, results = np.array(some).T
            losses = [cross_entropy(values / scale, results) for scale in candidates]
            scales[engine] = float(candidates[int(np.argmin(losses))])
    return scales


def cross_entropy(logits: np.ndarray, targets: np.ndarray) -> float:
    """Of the targets as the logits predict them; lower is better."""
    return float(np.mean(np.logaddexp(0, logits) - targets * logits))


def rows(lines: list[str]) -> Iterator[tuple[np.ndarray, int, float]]:
    """Counts of terms, phase and target of each line."""
    problem = settle_level()
    if problem:
        _progress(problem)
    core = Builder(CORE, _progress).obtain()
    tracer = Builder(CLASSICAL_TRACE, _progress).obtain()
    board = PositionHandle(core)
    counts = np.zeros(terms.WEIGHTS_IN_ALL, np.int16)
    scales = scales_of_engines(lines)
    for line in lines:
        label, result, engine = label_of(line)
        board.set_fen(line[: line.index("|")])
        counts[:] = 0
        phase = tracer.trace_terms(board.address, counts.ctypes.data)
        expected = 1 / (1 + math.exp(-label / scales.get(engine, USUAL_CP_PER_LOGIT)))
        yield counts, phase, RESULT_SHARE * result + (1 - RESULT_SHARE) * expected


def gather(lines: list[str]) -> TermCounts:
    """All lines as one sparse matrix."""
    starts, columns, coefficients, targets = [0], [], [], []
    for number, (counts, phase, target) in enumerate(rows(lines), 1):
        present = np.flatnonzero(counts)
        present_counts = counts[present]
        share = phase / FULL_PHASE
        columns.append(np.concatenate([present, present + terms.WEIGHTS_IN_ALL]).astype(np.int32))
        coefficients.append(
            np.concatenate([present_counts * share, present_counts * (1 - share)]).astype(
                np.float32
            )
        )
        starts.append(starts[-1] + 2 * len(present))
        targets.append(target)
        if number % PROGRESS_LINES == 0:
            _progress(f"{number} positions read")
    return TermCounts(
        np.array(starts[:-1]),
        np.concatenate(columns),
        np.concatenate(coefficients),
        np.array(targets, np.float32),
    )


@numba.njit(error_model="numpy")
def batch_gradient(starts, columns, coefficients, targets, weights_cp, gradient):  # type: ignore[no-untyped-def]
    """Adds the gradient of one batch's mean cross-entropy; `starts` has one more than targets."""
    rows_here = len(targets)
    for row in range(rows_here):
        value = 0.0
        for at in range(starts[row], starts[row + 1]):
            value += weights_cp[columns[at]] * coefficients[at]
        expected = 1 / (1 + np.exp(-value / CP_PER_LOGIT))
        error = (expected - targets[row]) / (rows_here * CP_PER_LOGIT)
        for at in range(starts[row], starts[row + 1]):
            gradient[columns[at]] += error * coefficients[at]


def pulls() -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Strength of the pull towards zero for each weight; and pairs of weights that pull each other,
    with their strength."""
    ridge = np.full(PHASES * terms.WEIGHTS_IN_ALL, RIDGE)
    pairs: list[tuple[int, int, float]] = []
    for half in range(PHASES):
        offset = half * terms.WEIGHTS_IN_ALL
        ridge[offset : offset + terms.OFFSETS["square"]] = 0
        for term, size in terms.TERMS:
            first = offset + terms.OFFSETS[term]
            if term in SMOOTH_TERMS:
                pairs += [(at, at + 1, SMOOTHNESS) for at in range(first, first + size - 1)]
            elif term == "square":
                pairs += [
                    (first + at, first + (at ^ MIRROR_FILES), SYMMETRY)
                    for at in range(size)
                    if not at & FILE_HALF
                ]
    ones, others, strengths = (np.array(part) for part in zip(*pairs, strict=True))
    return ridge, ones, others, strengths


def fit(samples: TermCounts, start: np.ndarray, epochs: int) -> np.ndarray:
    """Weights, in centipawns, by Adam on the cross-entropy of batches. The step shrinks to zero."""
    weights_cp = start.astype(np.float64)
    ends = np.append(samples.starts, len(samples.columns))
    adam = Adam(weights_cp, EPSILON)
    ridge, ones, others, strengths = pulls()
    batches = math.ceil(len(samples.targets) / BATCH)
    turn = 0
    for epoch in range(1, epochs + 1):
        for batch in range(batches):
            turn += 1
            here = slice(batch * BATCH, (batch + 1) * BATCH)
            targets = samples.targets[here]
            gradient = ridge * weights_cp
            pull = strengths * (weights_cp[ones] - weights_cp[others])
            np.add.at(gradient, ones, pull)
            np.subtract.at(gradient, others, pull)
            batch_starts = ends[here.start : here.start + len(targets) + 1]
            batch_gradient(
                batch_starts, samples.columns, samples.coefficients, targets, weights_cp, gradient
            )
            left = 1 - turn / (epochs * batches)
            weights_cp -= LEARNING_RATE_CP * adam.direction(gradient) * left
        values = np.add.reduceat(weights_cp[samples.columns] * samples.coefficients, samples.starts)
        loss = cross_entropy(values / CP_PER_LOGIT, samples.targets)
        _progress(f"epoch {epoch}: loss {loss:.5f}")
    return weights_cp


def normalised(weights_cp: np.ndarray) -> np.ndarray:
    """Scaled so that a pawn is worth a hundred, halfway between middlegame and endgame."""
    pawn = (weights_cp[PAWN] + weights_cp[PAWN + terms.WEIGHTS_IN_ALL]) / 2
    square = terms.OFFSETS["square"]
    pawns_squares = slice(square + 64 + 8, square + 64 + 56)
    pawn += (
        weights_cp[pawns_squares].mean() + weights_cp[terms.WEIGHTS_IN_ALL :][pawns_squares].mean()
    ) / 2
    return np.asarray(weights_cp * (PAWN_CP / pawn))


def write_weights(weights_cp: np.ndarray, path: Path) -> None:
    """The module that the engine compiles: one line a term."""
    text = [
        "# SPDX-License-Identifier: GPL-3.0-or-later",
        '"""Weights of the classical evaluation, in internal units, in the order of TERMS.',
        'Fitted by kingcobra.training.fit_classical; not for editing by hand."""',
        "",
    ]
    for half, name in enumerate(("MIDDLEGAME", "ENDGAME")):
        values = np.rint(weights_cp[half * terms.WEIGHTS_IN_ALL :][: terms.WEIGHTS_IN_ALL])
        text.append(f"{name} = (")
        for term, size in terms.TERMS:
            text.append(f"    # {term}")
            some = [str(int(v)) for v in values[terms.OFFSETS[term] :][:size]]
            for at in range(0, size, 16):
                text.append("    " + ", ".join(some[at : at + 16]) + ",")
        text += [")", ""]
    path.write_text("\n".join(text), encoding="utf-8")


def _progress(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Reads, fits, writes."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("positions", type=Path)
    parser.add_argument("--most", type=int, default=1_000_000, help="positions to use")
    parser.add_argument("--epochs", type=int, default=16)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    try:
        samples = gather(read_lines(options.positions, options.most, options.seed))
    except (OSError, EOFError, ValueError) as error:
        _progress(f"fit_classical: {options.positions}: {reason_of(error)}")
        return EXIT_FAILED
    start = np.array(weights.MIDDLEGAME + weights.ENDGAME, np.float64)
    fitted = normalised(fit(samples, start, options.epochs))
    write_weights(fitted, Path(weights.__file__))
    return 0


if __name__ == "__main__":
    sys.exit(main())

# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits the weights of the classical evaluation to the results of games, by logistic regression.

    python -m kingcobra.train.fit_classical POSITIONS.txt.gz

Each line is `FEN | centipawns for White | result for White | engine`. Writes nnue/weights.py anew.
"""

import argparse
import gzip
import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from kingcobra.board.board import Board
from kingcobra.kernel.build import Builder
from kingcobra.nnue import terms, weights
from kingcobra.nnue.core import TRACE
from kingcobra.search.core import CORE

FULL_PHASE = 24
PAWN = terms.OFFSETS["material"] + 1
PAWN_CP = 100
PHASES = 2

# The sum of squared errors is one thing, weights that no position supports another: a pull
# towards zero for all but material.
RIDGE = 2e-7
LEARNING_RATE = 0.02
FIRST_DECAY, SECOND_DECAY = 0.9, 0.999
EPSILON = 1e-8
CP_PER_LOGIT = 173.0
# Evaluations of strong engines say more about a position than the result alone.
RESULT_SHARE = 0.6
EVALUATION_CP_PER_LOGIT = 220.0
LABEL_LIMIT_CP = 1500
REPORT_EVERY = 25


@dataclass(frozen=True)
class Samples:
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


def rows(lines: list[str]) -> Iterator[tuple[np.ndarray, int, float]]:
    """Counts of terms, phase and target of each line."""
    core = Builder(CORE, _progress).obtain()
    tracer = Builder(TRACE, _progress).obtain()
    board = Board(core)
    counts = np.zeros(terms.WEIGHTS_IN_ALL, np.int16)
    for line in lines:
        fen, centipawns, result, _engine = line.split("|")
        board.set_fen(fen)
        counts[:] = 0
        phase = tracer.trace_terms(board.address, counts.ctypes.data)
        label = max(-LABEL_LIMIT_CP, min(LABEL_LIMIT_CP, int(centipawns)))
        expected = 1 / (1 + np.exp(-label / EVALUATION_CP_PER_LOGIT))
        yield counts, phase, RESULT_SHARE * float(result) + (1 - RESULT_SHARE) * expected


def gather(lines: list[str]) -> Samples:
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
        if number % 100_000 == 0:
            _progress(f"{number} positions read")
    return Samples(
        np.array(starts[:-1]),
        np.concatenate(columns),
        np.concatenate(coefficients),
        np.array(targets, np.float32),
    )


def fit(samples: Samples, start: np.ndarray, rounds: int) -> np.ndarray:
    """Weights, in centipawns, by Adam on the cross-entropy of all samples."""
    weights_cp = start.astype(np.float64)
    lengths = np.diff(np.append(samples.starts, len(samples.columns)))
    first = np.zeros_like(weights_cp)
    second = np.zeros_like(weights_cp)
    shrunk = np.ones_like(weights_cp)
    for half in range(PHASES):
        offset = half * terms.WEIGHTS_IN_ALL
        shrunk[offset : offset + terms.OFFSETS["square"]] = 0
    for turn in range(1, rounds + 1):
        values = np.add.reduceat(weights_cp[samples.columns] * samples.coefficients, samples.starts)
        expected = 1 / (1 + np.exp(-values / CP_PER_LOGIT))
        errors = (expected - samples.targets) / len(samples.targets)
        from_errors = np.bincount(
            samples.columns,
            weights=samples.coefficients * np.repeat(errors, lengths),
            minlength=len(weights_cp),
        )
        gradient = from_errors + RIDGE * shrunk * weights_cp
        first += (1 - FIRST_DECAY) * (gradient - first)
        second += (1 - SECOND_DECAY) * (gradient**2 - second)
        step = (first / (1 - FIRST_DECAY**turn)) / (
            np.sqrt(second / (1 - SECOND_DECAY**turn)) + EPSILON
        )
        weights_cp -= LEARNING_RATE * PAWN_CP * step * (1 - turn / rounds)
        if turn % REPORT_EVERY == 0:
            loss = -np.mean(
                samples.targets * np.log(expected + EPSILON)
                + (1 - samples.targets) * np.log(1 - expected + EPSILON)
            )
            _progress(f"round {turn}: loss {loss:.5f}")
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
        '"""Weights of the classical evaluation, in hundredths of a pawn, in the order of TERMS.',
        'Fitted by kingcobra.train.fit_classical; not for editing by hand."""',
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
    parser.add_argument("--most", type=int, default=700_000, help="positions to use")
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    samples = gather(read_lines(options.positions, options.most, options.seed))
    start = np.array(weights.MIDDLEGAME + weights.ENDGAME, np.float64)
    fitted = normalised(fit(samples, start, options.rounds))
    write_weights(fitted, Path(weights.__file__))
    return 0


if __name__ == "__main__":
    sys.exit(main())

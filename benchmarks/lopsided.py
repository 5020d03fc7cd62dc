# SPDX-License-Identifier: GPL-3.0-or-later
"""How well others evaluate lopsided positions, where the search may ask them before its network.

python -m benchmarks.lopsided POSITIONS.kcp --small SMALL.nnue [--network NETWORK.nnue]

POSITIONS are what searches evaluate, labelled by a teacher that is better than all of them:

kingcobra selfplay -o POSITIONS.kcp --teacher TEACHER.nnue --student default --nodes 4000 \\
    --noisy-share 1 --one-in 64 --max-pawns 100 --seconds 60

For each range of the balance of material, as the search counts it, a line tells by how much each
evaluation misses the teacher's expected score, in percent. The small network is also judged where
the search would believe it. The thresholds `SMALL_FROM`, `SMALL_SURE` and `HYBRID_FROM` rest on
this."""

import argparse
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import kingcobra
from kingcobra.api.evaluation import RAW
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.network.entries import ROUGH_VALUES, SMALL_SURE
from kingcobra.core.rules.basics import COLOUR_SHIFT, KING, PAWN, TYPE_MASK, WHITE
from kingcobra.errors import line_of
from kingcobra.exit_codes import EXIT_OK, EXIT_USAGE
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.training.data.blocks import DataError, read_blocks
from kingcobra.training.data.evaluations import undamped
from kingcobra.training.data.expectations import expected_scores, labels_in_pawns
from kingcobra.training.data.packed import boards_of

CLASSICAL = ""
# Where the ranges begin, in internal units.
RANGES = (0, 100, 200, 300, 460, 700, 1000, 1500)
NOTHING = "–"

Values = NDArray[np.float64]


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a line for each range."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.lopsided",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("positions", type=Path, metavar="POSITIONS.kcp")
    parser.add_argument("--small", required=True, metavar="SMALL.nnue")
    parser.add_argument("--network", default=DEFAULT_NETWORK, metavar="NETWORK.nnue")
    options = parser.parse_args(arguments)
    try:
        records, labels = read_labelled(options.positions)
        errors = {
            name: missed_percent(values_of(records, name), labels)
            for name in (options.network, CLASSICAL, options.small)
        }
        is_sure = np.abs(values_of(records, options.small)) >= SMALL_SURE
    except (OSError, ValueError, DataError, kingcobra.KingcobraError) as error:
        print(f"lopsided: {line_of(error)}", file=sys.stderr)
        return EXIT_USAGE
    print(
        f"{'units':>11} {'positions':>9} {'network':>8} {'classical':>9} {'small':>6}  where sure"
    )
    balance = lopsidedness(boards_of(records))
    for least, behind in pairwise((*RANGES, np.inf)):
        some = (balance >= least) & (balance < behind)
        print(
            f"{units_text(least, behind):>11} {np.mean(some):9.2%}"
            f" {mean_text(errors[options.network][some]):>8}"
            f" {mean_text(errors[CLASSICAL][some]):>9}"
            f" {mean_text(errors[options.small][some]):>6}"
            f"  {mean_text(errors[options.small][some & is_sure])}"
            f" beside {mean_text(errors[options.network][some & is_sure])},"
            f" {mean_text(100.0 * is_sure[some])} %"
        )
    return EXIT_OK


def read_labelled(path: Path) -> tuple[NDArray[Any], Values]:
    """The positions of a file and the expected scores of their labels; ValueError if there are
    none."""
    blocks = list(read_blocks(path, lambda fault: print(f"{path}: {fault}", file=sys.stderr)))
    if not blocks:
        raise ValueError(f"{path}: no positions")
    labels = [labels_in_pawns(block) for block in blocks]
    records = np.concatenate([block.records for block in blocks])
    return records, expected_scores(np.concatenate(labels))


def values_of(records: NDArray[Any], network: str) -> NDArray[np.int32]:
    """What a network says, in internal units; the classical evaluation if it has no name."""
    return kingcobra.evaluate(undamped(records), network=network, unit=RAW)


def missed_percent(values: NDArray[np.int32], labels: Values) -> Values:
    """By how many percent of a point each expected score misses its label."""
    return 100.0 * np.abs(expected_scores(values / PAWN_UNITS) - labels)


def lopsidedness(boards: NDArray[np.uint8]) -> NDArray[np.int64]:
    """How far the material of some boards is from balance, as the search counts it."""
    types = boards & TYPE_MASK
    signs = np.where(boards >> COLOUR_SHIFT == WHITE, 1, -1)
    is_man = (types >= PAWN) & (types < KING)
    return np.abs(np.sum(np.where(is_man, ROUGH_VALUES[types] * signs, 0), axis=1))


def units_text(least: float, behind: float) -> str:
    """A range of units."""
    return f"{least}+" if behind == np.inf else f"{least}-{behind - 1}"


def mean_text(numbers: Values) -> str:
    """A mean, if there is anything to take it of."""
    return f"{numbers.mean():.2f}" if len(numbers) else NOTHING


if __name__ == "__main__":
    sys.exit(main())

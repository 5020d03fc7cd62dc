# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks [name …] [--rounds N] [--record]"""

import argparse
import sys
from collections.abc import Callable, Iterator

from benchmarks import (
    analyse,
    annotation,
    arena,
    compiling,
    levels,
    movetime,
    networks,
    nodes,
    perft,
    resident,
    selfplay,
    startup,
    tables,
    threads,
)
from benchmarks.engines import EngineFailed
from benchmarks.figures import RESULTS, Figure, append, show
from kingcobra.kernel.objects import ObjectError

EXIT_FAILED = 1
DEFAULT_ROUNDS = 5

BENCHMARKS: dict[str, Callable[[int], Iterator[Figure]]] = {
    "perft": perft.measure,
    "levels": levels.measure,
    "nodes": nodes.measure,
    "networks": networks.measure,
    "threads": threads.measure,
    "movetime": movetime.measure,
    "compiling": compiling.measure,
    "startup": startup.measure,
    "resident": resident.measure,
    "analyse": analyse.measure,
    "arena": arena.measure,
    "selfplay": selfplay.measure,
    "annotation": annotation.measure,
    "tables": tables.measure,
}


def main() -> int:
    """Runs the named benchmarks, all of them by default, and prints their figures."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="name", help=", ".join(BENCHMARKS))
    parser.add_argument(
        "--rounds", type=int, default=DEFAULT_ROUNDS, help="how often each contender has its turn"
    )
    parser.add_argument(
        "--record", action="store_true", help=f"append the figures to {RESULTS.name}"
    )
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}, there are: {', '.join(BENCHMARKS)}")
    if options.rounds < 1:
        parser.error(f"{options.rounds} rounds, at least 1 expected")
    for name in options.names or BENCHMARKS:
        try:
            figures = show(name, BENCHMARKS[name](options.rounds))
        except (EngineFailed, ObjectError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return EXIT_FAILED
        if options.record:
            append(figures)
    return 0


if __name__ == "__main__":
    sys.exit(main())

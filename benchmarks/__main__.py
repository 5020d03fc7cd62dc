# SPDX-License-Identifier: GPL-3.0-or-later
"""python -m benchmarks [name …] [--rounds N] [--record]; for `training` also --device, --family,
--width and --batch."""

import argparse
import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from benchmarks import (
    analyse,
    annotation,
    arena,
    board,
    compiling,
    evaluate,
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
    web,
)
from benchmarks.engines import EngineFailed
from benchmarks.figures import RESULTS, Figure, append, show
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from kingcobra.kernel.objects import ObjectError

DEFAULT_ROUNDS = 5

Benchmark = Callable[[int], Iterator[Figure]]


class UsageError(Exception):
    """Options that a benchmark cannot use; the message is one line."""


def measure_training(rounds: int, **chosen: Any) -> Iterator[Figure]:
    """Imported only when it is called: nothing else needs PyTorch."""
    try:
        from benchmarks import training
    except ModuleNotFoundError as error:
        print(f"training needs {error.name}: pip install 'kingcobra[train]'")
        return
    try:
        yield from training.measure(rounds, **chosen)
    except training.SettingsError as error:
        raise UsageError(str(error)) from error


BENCHMARKS: dict[str, Benchmark] = {
    "perft": perft.measure,
    "board": board.measure,
    "levels": levels.measure,
    "nodes": nodes.measure,
    "networks": networks.measure,
    "threads": threads.measure,
    "movetime": movetime.measure,
    "compiling": compiling.measure,
    "startup": startup.measure,
    "resident": resident.measure,
    "analyse": analyse.measure,
    "evaluate": evaluate.measure,
    "arena": arena.measure,
    "selfplay": selfplay.measure,
    "annotation": annotation.measure,
    "tables": tables.measure,
    "training": measure_training,
    "web": web.measure,
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
    only_training = parser.add_argument_group("training")
    only_training.add_argument("--device", default="", help="cpu or cuda; the GPU if there is one")
    only_training.add_argument("--family", default="pairwise", help="as family in a run's settings")
    only_training.add_argument("--width", type=int, default=256)
    only_training.add_argument("--batch", type=int, default=16_384)
    options = parser.parse_args()
    benchmarks = {
        **BENCHMARKS,
        "training": partial(
            measure_training,
            device=options.device,
            family=options.family,
            width=options.width,
            batch=options.batch,
        ),
    }
    unknown = [name for name in options.names if name not in BENCHMARKS]
    if unknown:
        parser.error(f"unknown benchmark {unknown[0]!r}, there are: {', '.join(BENCHMARKS)}")
    if options.rounds < 1:
        parser.error(f"{options.rounds} rounds, at least 1 expected")
    for name in options.names or BENCHMARKS:
        try:
            figures = show(name, benchmarks[name](options.rounds))
        except UsageError as error:
            print(f"{name}: {error}", file=sys.stderr)
            return EXIT_USAGE
        except (EngineFailed, ObjectError) as error:
            print(f"{name}: {error}", file=sys.stderr)
            return EXIT_FAILED
        if options.record:
            append(figures)
    return EXIT_OK


if __name__ == "__main__":
    sys.exit(main())

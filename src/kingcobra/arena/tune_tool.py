# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra tune`: better values for the numbers of the search, found by games (SPSA)."""

import argparse
import difflib
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from kingcobra.arena.defaults_diff import defaults_diff, root_of
from kingcobra.arena.engine_spec import ENGINE_FORM, SELF, parse_engine
from kingcobra.arena.game_options import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    add_game_options,
    check_game_options,
    openings_from,
    rules_from,
    sigterm_interrupts,
)
from kingcobra.arena.match import check_engines
from kingcobra.arena.pool import PoolError
from kingcobra.arena.runner import MatchError
from kingcobra.arena.spsa import Schedule, Spsa
from kingcobra.arena.state import StateError
from kingcobra.arena.tuning import Tuning, TuningPlan
from kingcobra.arena.tuning_path import PlotError, plot_path
from kingcobra.search import tunables as tunables_module
from kingcobra.search.tunables import TUNABLES, Tunable

DEFAULT_RATE = 0.002
PATH_SUFFIX, PLOT_SUFFIX, DIFF_SUFFIX = ".csv", ".png", ".diff"


def main(arguments: list[str]) -> int:
    """Plays the tuning that the arguments describe, and writes what came of it."""
    options = _parser().parse_intermixed_args(arguments)
    try:
        check_game_options(options)
        plan = _plan(options)
        tuning = _begin(options, plan)
    except (ValueError, OSError, MatchError) as error:
        print(f"kingcobra tune: {error}", file=sys.stderr)
        return EXIT_USAGE
    if not options.book:
        print("no --book: every game starts from the same position")
    with sigterm_interrupts():
        code = _play(tuning)
    return _write_results(tuning, options.pgn) or code


def chosen(patterns: Sequence[str], excepted: Sequence[str]) -> tuple[Tunable, ...]:
    """The tunables that match any of the patterns (all without any) and none of the exceptions,
    in the order of the table. ValueError for a pattern that matches none."""
    for pattern in (*patterns, *excepted):
        if not any(fnmatchcase(tunable.name, pattern) for tunable in TUNABLES):
            near = difflib.get_close_matches(pattern, [tunable.name for tunable in TUNABLES])
            hint = f"; did you mean {', '.join(near)}?" if near else "; see docs/8-tunables.md"
            raise ValueError(f"no tunable is called {pattern!r}{hint}")
    found = tuple(
        tunable
        for tunable in TUNABLES
        if (not patterns or any(fnmatchcase(tunable.name, pattern) for pattern in patterns))
        and not any(fnmatchcase(tunable.name, pattern) for pattern in excepted)
    )
    if not found:
        raise ValueError("nothing to tune: every tunable is excepted")
    return found


def _plan(options: argparse.Namespace) -> TuningPlan:
    if options.pairs < 1:
        raise ValueError(f"--pairs must be at least 1, got {options.pairs}")
    return TuningPlan(
        parse_engine(options.engine),
        chosen(options.names, options.excepted),
        Schedule(options.iterations, options.rate, options.step_scale),
        options.pairs,
        openings_from(options.book, options),
        options.book.name if options.book else "",
        rules_from(options),
        options.seed,
        options.order,
    )


def _begin(options: argparse.Namespace, plan: TuningPlan) -> Tuning:
    """Ready to play: the engine takes the values, and the files are open."""
    if options.pgn is None:
        raise ValueError("--pgn is missing: the files of the tuning are named after it")
    path, plot, diff = result_files(options.pgn)
    if options.pgn in (path, plot, diff):
        raise ValueError(f"--pgn {options.pgn}: {options.pgn.suffix} is for another of the files")
    may_replace = options.resume or options.overwrite
    for file in (path, plot, diff):
        if file.exists() and not may_replace:
            raise StateError(f"{file} exists; --resume goes on with it, --overwrite drops it")
    probe = Spsa(plan.tunables, plan.schedule, plan.seed).probe(1)
    plus, _ = plan.opponents(probe)
    check_engines([plus], plan.openings, plan.rules)
    tuning = Tuning(plan, options.pgn, path, options.concurrency, options.cluster)
    if options.resume:
        tuning.resume()
    else:
        tuning.begin(options.overwrite)
    return tuning


def result_files(pgn: Path) -> tuple[Path, Path, Path]:
    """Beside the games: the path, its plot, and the diff."""
    return pgn.with_suffix(PATH_SUFFIX), pgn.with_suffix(PLOT_SUFFIX), pgn.with_suffix(DIFF_SUFFIX)


def _play(tuning: Tuning) -> int:
    try:
        tuning.play()
    except KeyboardInterrupt:
        print("stopped; --resume goes on", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (MatchError, PoolError, OSError) as error:
        print(f"kingcobra tune: {error}", file=sys.stderr)
        return EXIT_FAILED
    if tuning.workers_lost:
        print(f"workers lost and replaced: {tuning.workers_lost}")
    return 0


def _write_results(tuning: Tuning, pgn: Path) -> int:
    """The plot and the diff of where the parameters are now, also of a tuning that was stopped.
    0, or the exit code where a file cannot be written."""
    path, plot, diff = result_files(pgn)
    source = Path(tunables_module.__file__)
    try:
        try:
            plot_path(path, plot, tuning.plan.tunables)
            print(f"{plot}: the path of every parameter, from {path}")
        except PlotError as error:
            print(f"no plot of {path}: {error}")
        text = defaults_diff(source, tuning.spsa.rounded())
        diff.write_text(text, encoding="utf-8")
    except (ValueError, OSError) as error:
        print(f"kingcobra tune: {error}", file=sys.stderr)
        return EXIT_FAILED
    if text:
        print(f"{diff}: the new defaults; `patch -p1 -d {root_of(source)} < {diff}` applies them")
    else:
        print(f"{diff} is empty: no default has changed")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra tune", description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="tunables, also 'reduce_*'; without any, all"
    )
    parser.add_argument(
        "--except", dest="excepted", action="append", default=[], metavar="NAME", help="not these"
    )
    parser.add_argument(
        "--engine", default=SELF, metavar="SPEC", help=f"a Kingcobra; {ENGINE_FORM}"
    )
    parser.add_argument("--iterations", type=int, required=True, help="moves of the parameters")
    parser.add_argument("--pairs", type=int, default=1, help="of games for each iteration")
    parser.add_argument(
        "--rate",
        type=float,
        default=DEFAULT_RATE,
        help=f"last shift for each point, in perturbations; default {DEFAULT_RATE}",
    )
    parser.add_argument(
        "--step-scale", type=float, default=1.0, help="last perturbation, in steps; default 1"
    )
    add_game_options(parser)
    return parser

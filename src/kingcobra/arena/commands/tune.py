# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra tune`: better values for the numbers of the search, found by games (SPSA)."""

import argparse
import difflib
import sys
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from kingcobra.arena.commands.game_options import (
    APART,
    ENGINE_HELP,
    add_game_options,
    book_from,
    rules_from,
    tool_parser,
)
from kingcobra.arena.commands.run_contest import run_contest
from kingcobra.arena.contests.contest import Workers
from kingcobra.arena.contests.defaults_diff import defaults_diff, root_of
from kingcobra.arena.contests.match_files import StateError
from kingcobra.arena.contests.spsa import Schedule
from kingcobra.arena.contests.tuning import Tuning, TuningPlan
from kingcobra.arena.contests.tuning_path import PlotError, plot_path
from kingcobra.arena.engines.engine_spec import SELF, parse_engine
from kingcobra.arena.errors import complain
from kingcobra.core.search import tunables as tunables_module
from kingcobra.core.search.tunables import TUNABLES, Tunable
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK

DESCRIPTION = """\
Finds better values for the numbers of the search by games (SPSA): in every iteration all of them
are moved at once, up or down by chance, and the engine plays against itself with all moved the
other way. Writes FILE.csv, FILE.png and FILE.diff beside the games of --pgn FILE.pgn."""
NEEDED = "[NAME ...] --iterations N --tc CONTROL --pgn FILE"
EXAMPLE = """\
kingcobra tune 'reduce_*' razor_base --iterations 20000 --tc nodes=20000 --concurrency 8
               --book UHO_4060_v4.epd --resign 3,600 --draw 34,8,20 --pgn reductions.pgn"""
DEFAULT_RATE = 0.002
PATH_SUFFIX, PLOT_SUFFIX, DIFF_SUFFIX = ".csv", ".png", ".diff"


def main(arguments: list[str]) -> int:
    """Plays the tuning that the arguments describe, and writes what came of it."""
    options = _parser().parse_intermixed_args(arguments)
    return run_contest("tune", options, _tuning, lambda tuning: _conclude(tuning, options.pgn))


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
        book_from(options.book, options, options.iterations * options.pairs),
        rules_from(options),
        options.seed,
        options.order,
        options.faults == APART,
    )


def _tuning(options: argparse.Namespace, workers: Workers) -> Tuning:
    plan = _plan(options)
    if options.pgn is None:
        raise ValueError("--pgn is missing: the files of the tuning are named after it")
    path, plot, diff = result_files(options.pgn)
    if options.pgn in (path, plot, diff):
        raise ValueError(f"--pgn {options.pgn}: {options.pgn.suffix} is for another of the files")
    may_replace = options.resume or options.overwrite
    for file in (path, plot, diff):
        if file.exists() and not may_replace:
            raise StateError(f"{file} exists; --resume goes on with it, --overwrite drops it")
    return Tuning(plan, options.pgn, path, workers)


def result_files(pgn: Path) -> tuple[Path, Path, Path]:
    """Beside the games: the path, its plot, and the diff."""
    return pgn.with_suffix(PATH_SUFFIX), pgn.with_suffix(PLOT_SUFFIX), pgn.with_suffix(DIFF_SUFFIX)


def _conclude(tuning: Tuning, pgn: Path) -> int:
    """The plot and the diff of where the parameters are now, also of a tuning that was stopped.
    The exit code."""
    path, plot, diff = result_files(pgn)
    source = Path(tunables_module.__file__)
    try:
        text = defaults_diff(source, tuning.spsa.rounded())
        diff.write_text(text, encoding="utf-8")
        if text:
            print(
                f"{diff}: the new defaults; `patch -p1 -d {root_of(source)} < {diff}` applies them"
            )
        else:
            print(f"{diff} is empty: no default has changed")
        # Last: Matplotlib takes long to start, and whoever interrupts that has the diff.
        plot_path(path, plot, tuning.plan.tunables)
        print(f"{plot}: the path of every parameter, from {path}")
    except PlotError as error:
        print(f"no plot of {path}: {error}")
    except (ValueError, OSError) as error:
        return complain("tune", error, EXIT_FAILED)
    except KeyboardInterrupt:
        print(f"stopped while drawing {plot}; --resume draws it", file=sys.stderr)
        return EXIT_INTERRUPTED
    return EXIT_OK


def _parser() -> argparse.ArgumentParser:
    parser = tool_parser("tune", NEEDED, DESCRIPTION, EXAMPLE)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="tunables, also 'reduce_*'; without any, all"
    )
    group = parser.add_argument_group("the tuning")
    group.add_argument(
        "--except",
        dest="excepted",
        action="append",
        default=[],
        metavar="NAME",
        help="not this one, nor what matches it",
    )
    group.add_argument(
        "--engine",
        default=SELF,
        metavar="SPEC",
        help=f"a Kingcobra ({SELF}); {ENGINE_HELP}",
    )
    group.add_argument(
        "--iterations", type=int, required=True, metavar="N", help="how often the numbers move"
    )
    group.add_argument(
        "--pairs", type=int, default=1, metavar="N", help="pairs of games for each iteration (1)"
    )
    group.add_argument(
        "--rate",
        type=float,
        default=DEFAULT_RATE,
        metavar="R",
        help="the last shift for each game won more than lost, in perturbations (%(default)s)",
    )
    group.add_argument(
        "--step-scale",
        type=float,
        default=1.0,
        metavar="S",
        help="the last perturbation, in the tunable's own steps (1)",
    )
    add_game_options(parser, faults=APART)
    return parser

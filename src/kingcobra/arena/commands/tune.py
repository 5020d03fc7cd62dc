# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra tune`: better values for the parameters of the search, found by games (SPSA)."""

import argparse
import sys

from kingcobra.arena.api import TuningSettings, select_tunables
from kingcobra.arena.commands.game_options import (
    APART,
    ENGINE_HELP,
    add_game_options,
    game_settings,
    report_error,
    tool_parser,
)
from kingcobra.arena.commands.run_contest import run_contest
from kingcobra.arena.contests.tuned_files import ResultFiles
from kingcobra.arena.contests.tuning import Tuning
from kingcobra.arena.engines.engine_spec import SELF
from kingcobra.arena.settings import DEFAULT_RATE
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK

DESCRIPTION = """\
Finds better values for the parameters of the search by games (SPSA): each iteration moves all of
them at once, up or down at random, and the engine plays against itself with all moved the other
way. Writes FILE.csv, FILE.png and FILE.diff beside the games of --pgn FILE.pgn."""
NEEDED = "[NAME ...] --iterations N --tc CONTROL --pgn FILE"
EXAMPLE = """\
kingcobra tune 'reduce_*' razor_base --iterations 20000 --tc nodes=20000 --concurrency 8
               --book UHO_4060_v4.epd --resign 3,600 --draw 34,8,20 --pgn reductions.pgn"""


def main(arguments: list[str]) -> int:
    """Plays the tuning that the arguments describe, and writes the results."""
    options = _parser().parse_intermixed_args(arguments)
    return run_contest(
        "tune",
        lambda: tuning_settings(options),
        lambda tuning: _conclude(tuning, ResultFiles.beside(options.pgn)),
    )


def tuning_settings(options: argparse.Namespace) -> TuningSettings:
    """The tuning that the options describe; ValueError for text that cannot be read."""
    return TuningSettings(
        iterations=options.iterations,
        engine=options.engine,
        tunables=select_tunables(*options.names, excluding=options.excluded),
        pairs=options.pairs,
        rate=options.rate,
        step_scale=options.step_scale,
        **game_settings(options),
    )


def _conclude(tuning: Tuning, files: ResultFiles) -> int:
    """Writes the plot and the diff of the present values, also for a tuning that was stopped. The
    exit code."""
    try:
        for line in files.write(tuning.spsa.rounded(), tuning.plan.tunables):
            print(line)
    except (ValueError, OSError) as error:
        return report_error("tune", error, EXIT_FAILED)
    except KeyboardInterrupt:
        print(f"stopped while drawing {files.plot}; --resume draws it", file=sys.stderr)
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
        dest="excluded",
        action="append",
        default=[],
        metavar="NAME",
        help="exclude these tunables",
    )
    group.add_argument(
        "--engine",
        default=SELF,
        metavar="SPEC",
        help=f"a Kingcobra ({SELF}); {ENGINE_HELP}",
    )
    group.add_argument(
        "--iterations", type=int, required=True, metavar="N", help="how often the values move"
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

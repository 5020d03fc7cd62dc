# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra train`: a network from labelled positions, as a TOML file describes it."""

import argparse
import importlib.util
import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from kingcobra.errors import first_line, line_of, not_installed
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK
from kingcobra.kernel.build import settle_level
from kingcobra.kernel.levels import LevelError
from kingcobra.kernel.objects import ObjectError
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.networks.loading import EvaluationError
from kingcobra.networks.network_files import NetworkError
from kingcobra.tools.messages import Action, print_message
from kingcobra.tools.subcommands import Subcommands

if TYPE_CHECKING:
    from kingcobra.training.runs.final_match import MatchResult

# The history of a run in its folder, and its picture.
METRICS_FILE, PLOTS_FILE = "metrics.csv", "plots.png"
SECONDS_PER = {"s": 1.0, "m": 60.0, "h": 3600.0}
# Threads of PyTorch that wait for each other sleep: self-play can use the CPU meanwhile.
WAITING_VARIABLE, WAITING = "OMP_WAIT_POLICY", "PASSIVE"

_say = partial(print_message, "train")


def main(arguments: list[str]) -> int:
    """Does what the arguments ask for; what is in the way is said in one line."""
    options = _parser().parse_args(arguments)
    action: Action = options.action
    return action(options)


def _run(options: argparse.Namespace) -> int:
    """Trains a network: on files, on positions that the cores harvest meanwhile, or on both."""
    os.environ.setdefault(WAITING_VARIABLE, WAITING)
    if importlib.util.find_spec("torch") is None:
        _say(not_installed("PyTorch", "train"))
        return EXIT_FAILED
    from kingcobra.training.data.blocks import DataError
    from kingcobra.training.model.exchange import ExportError
    from kingcobra.training.runs.export_check import CheckError
    from kingcobra.training.runs.run import train
    from kingcobra.training.runs.settings import SettingsError, read_settings
    from kingcobra.training.runs.trainer import HopelessRun
    from kingcobra.training.selfplay.settings import SelfPlayError

    try:
        warning = settle_level()
        if warning:
            _say(warning)
        settings = read_settings(options.settings, options.data)
        folder = options.output or options.settings.with_suffix("")
        result = train(settings, folder, _say, options.deadline)
        _say(f"{result.network}: exported loss {result.loss:.6f}")
        if result.match is not None:
            _say(_match_line(result.match))
        return EXIT_OK
    except KeyboardInterrupt:
        _say("interrupted; the same command goes on from here")
        return EXIT_INTERRUPTED
    except OSError as error:
        _say(line_of(error))
    except (
        SettingsError,
        DataError,
        NetworkError,
        EvaluationError,
        HopelessRun,
        ExportError,
        CheckError,
        SelfPlayError,
        ObjectError,
        LevelError,
        OutOfMemory,
        RuntimeError,
    ) as error:
        _say(first_line(error))
    return EXIT_FAILED


def _plot(options: argparse.Namespace) -> int:
    """Draws the history of a run as plots.png in its folder."""
    from kingcobra.training.runs.plots import PlotError, plot_history

    picture = options.picture or options.folder / PLOTS_FILE
    try:
        plot_history(options.folder / METRICS_FILE, picture)
    except PlotError as error:
        _say(str(error))
        return EXIT_FAILED
    except OSError as error:
        _say(line_of(error))
        return EXIT_FAILED
    print(picture)
    return EXIT_OK


def _match_line(match: "MatchResult") -> str:
    from kingcobra.statistics.elo import elo

    losses, draws, wins = match.games
    played = f"against {match.opponent} at {match.nodes} nodes: +{wins} ={draws} -{losses}"
    return f"{played}, {elo(match.pairs)} Elo" if sum(match.pairs) else played


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra train", description=__doc__)
    commands = Subcommands(parser)
    run = commands.add("run", _run)
    run.add_argument("settings", type=Path, metavar="RUN.toml")
    run.add_argument(
        "-o", "--output", type=Path, metavar="FOLDER", help="default: RUN beside RUN.toml"
    )
    run.add_argument(
        "--data",
        nargs="+",
        default=[],
        metavar="FILE.kcp",
        help="labelled positions or games, instead of RUN.toml's data.train",
    )
    run.add_argument(
        "--deadline",
        type=_seconds,
        metavar="TIME",
        help="when all is done, the match included, from now on: such as 90s, 24m or 1h; "
        "without it, RUN.toml says how long to learn",
    )
    plot = commands.add("plot", _plot)
    plot.add_argument("folder", type=Path, metavar="FOLDER", help="the run's")
    plot.add_argument("-o", "--output", type=Path, dest="picture", metavar="FILE.png")
    return parser


def _seconds(text: str) -> float:
    unit = SECONDS_PER.get(text[-1:])
    try:
        value = float(text[:-1] if unit else text) * (unit or 1.0)
    except ValueError:
        value = -1.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r}, expected a time such as 90s, 24m or 1h")
    return value

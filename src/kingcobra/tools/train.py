# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra train`: a network from labelled positions, as a TOML file describes it."""

import argparse
import importlib.util
import sys
from dataclasses import replace
from pathlib import Path

from kingcobra.errors import line_of, not_installed
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK
from kingcobra.networks.network_files import NetworkError

SECONDS_PER = {"s": 1.0, "m": 60.0, "h": 3600.0}


def main(arguments: list[str]) -> int:
    """Trains as the arguments ask for; what is in the way is said in one line."""
    options = _parser().parse_args(arguments)
    if importlib.util.find_spec("torch") is None:
        _say(not_installed("PyTorch", "train"))
        return EXIT_FAILED
    from kingcobra.training.data.blocks import DataError
    from kingcobra.training.model.exchange import ExportError
    from kingcobra.training.runs.run import CheckError, train
    from kingcobra.training.runs.settings import SettingsError, read_settings
    from kingcobra.training.runs.trainer import HopelessRun

    try:
        settings = read_settings(options.settings)
        if options.seconds is not None:
            training = replace(settings.training, seconds=options.seconds)
            settings = replace(settings, training=training)
        folder = options.output or options.settings.with_suffix("")
        result = train(settings, folder, _say)
        _say(f"{result.network}: exported loss {result.metrics.exported_loss:.6f}")
        return EXIT_OK
    except KeyboardInterrupt:
        _say("interrupted; the same command goes on from here")
        return EXIT_INTERRUPTED
    except (
        SettingsError,
        DataError,
        NetworkError,
        HopelessRun,
        ExportError,
        CheckError,
        RuntimeError,
    ) as error:
        _say(str(error).splitlines()[0])
    except OSError as error:
        _say(line_of(error))
    return EXIT_FAILED


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra train", description=__doc__)
    parser.add_argument("settings", type=Path, metavar="RUN.toml")
    parser.add_argument(
        "-o", "--output", type=Path, metavar="FOLDER", help="default: RUN beside RUN.toml"
    )
    parser.add_argument(
        "--deadline",
        dest="seconds",
        type=_seconds,
        metavar="TIME",
        help="how long to train, such as 90s, 24m or 1h, instead of what RUN.toml says",
    )
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


def _say(text: str) -> None:
    print(f"kingcobra train: {text}", file=sys.stderr, flush=True)

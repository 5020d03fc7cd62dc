# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that all tools that play games share, and their values."""

import argparse
import sys
from dataclasses import fields
from pathlib import Path
from typing import Any, NoReturn

from kingcobra.arena.api import DrawRule, GameSettings, ResignRule, SettingError
from kingcobra.arena.engines.engine_process import STOP_TIMEOUT_S
from kingcobra.arena.engines.engine_spec import ENGINE_WORDS
from kingcobra.arena.engines.time_control import CONTROL_FORM
from kingcobra.arena.games.game import DEFAULT_MARGIN_MS, DEFAULT_MOVE_TIMEOUT_S
from kingcobra.arena.settings import DEFAULT_SEED, ORDERS, RANDOM_ORDER
from kingcobra.errors import line_of
from kingcobra.text_values import parse_integer

SCORED, APART = "scored", "apart"
LARGEST_NUMBER = 1_000_000
"""Of moves or centipawns in a rule of adjudication."""

OPTIONS_OF_SETTINGS = {
    "engines": "--engine",
    "move_timeout_s": "--patience",
    "stop_timeout_s": "--stop-patience",
}
"""Options that are not called like the setting."""
_CONVERTED = {"resign", "draw", "faults_apart"}
_SAME_VALUES = [field.name for field in fields(GameSettings) if field.name not in _CONVERTED]

# How the message of argparse ends if the next word looks like another option.
NO_VALUE = "expected one argument"
ENGINE_HELP = "see SPEC below"
EPILOG = f"""\
Defaults are in brackets.

SPEC is an engine's command, followed by settings:
  {ENGINE_WORDS[0]}
         {ENGINE_WORDS[1]}
  without spaces around the commas; a comma inside a value is written \\, and the command self
  is this engine.

example:
  {{example}}

For details see docs/6-measuring-strength.md."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Adds how to write a value that begins with a minus."""
        hint = "; write a value that begins with - after =" if message.endswith(NO_VALUE) else ""
        super().error(message + hint)


def tool_parser(tool: str, needed: str, description: str, example: str) -> argparse.ArgumentParser:
    """A parser whose help begins with the required options and ends with an example."""
    return _Parser(
        prog=f"kingcobra {tool}",
        usage=f"kingcobra {tool} {needed} [options]",
        description=description,
        epilog=EPILOG.format(example=example.replace("\n", "\n  ")),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_game_options(parser: argparse.ArgumentParser, faults: str) -> None:
    """Adds the options of GameSettings; `faults` is the default of --faults."""
    _add_time_options(parser)
    _add_opening_options(parser)
    _add_ending_options(parser, faults)
    where = parser.add_argument_group("workers")
    where.add_argument("--concurrency", type=int, default=1, metavar="N", help="games at once (1)")
    where.add_argument(
        "--cluster", metavar="auto|ADDRESS", help="play on a Ray cluster, not on this machine"
    )
    files = parser.add_argument_group("files")
    files.add_argument(
        "--pgn", type=Path, metavar="FILE", help="for the games; FILE.state is written beside it"
    )
    how = files.add_mutually_exclusive_group()
    how.add_argument("--resume", action="store_true", help="continue with the games in the files")
    how.add_argument("--overwrite", action="store_true", help="discard the contents of the files")


def _add_time_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("time")
    group.add_argument("--tc", metavar="CONTROL", help=f"for each player: {CONTROL_FORM}")
    group.add_argument(
        "--margin-ms",
        type=int,
        default=DEFAULT_MARGIN_MS,
        metavar="MS",
        help="a move may be late by this much (%(default)s)",
    )
    group.add_argument(
        "--patience",
        type=float,
        dest="move_timeout_s",
        default=DEFAULT_MOVE_TIMEOUT_S,
        metavar="SECONDS",
        help="timeout for a move without a clock (%(default)g)",
    )
    group.add_argument(
        "--stop-patience",
        type=float,
        dest="stop_timeout_s",
        default=STOP_TIMEOUT_S,
        metavar="SECONDS",
        help="timeout for `stop` when an engine is over time; after it the engine counts as hung"
        " (%(default)g)",
    )


def _add_opening_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("openings")
    group.add_argument(
        "--book", type=Path, metavar="FILE", help="EPD or FEN lines, or games (.pgn)"
    )
    group.add_argument(
        "--book-start", type=int, default=0, metavar="N", help="skip the first N openings (0)"
    )
    group.add_argument(
        "--order",
        choices=ORDERS,
        default=RANDOM_ORDER,
        help="shuffled with --seed, or as in the book (%(default)s)",
    )
    group.add_argument(
        "--seed",
        type=int,
        default=DEFAULT_SEED,
        metavar="N",
        help="of the random order (%(default)s)",
    )
    group.add_argument("--chess960", action="store_true", help="play Chess960")


def _add_ending_options(parser: argparse.ArgumentParser, faults: str) -> None:
    group = parser.add_argument_group("ends of games")
    group.add_argument(
        "--resign", metavar="MOVES,CP", help="lost: own score at or below -CP for MOVES moves"
    )
    group.add_argument(
        "--draw",
        metavar="FROM,MOVES,CP",
        help="drawn: from move FROM on, both scores within ±CP for MOVES moves",
    )
    group.add_argument(
        "--max-moves", type=int, metavar="N", help="drawn: each side has made N moves"
    )
    group.add_argument(
        "--syzygy", metavar="FOLDER", help="by tablebases, after a capture or pawn move"
    )
    group.add_argument(
        "--faults",
        choices=(SCORED, APART),
        default=faults,
        help="a crash, hang, illegal move or time loss: a lost game, or listed apart and not"
        " scored (%(default)s)",
    )


def game_settings(options: argparse.Namespace) -> dict[str, Any]:
    """The fields of GameSettings as the options give them; ValueError for text that cannot be
    read."""
    if options.tc is None:
        raise ValueError(f"--tc is missing: how long may the engines think? {CONTROL_FORM}")
    settings = {name: getattr(options, name) for name in _SAME_VALUES}
    if options.resign:
        settings["resign"] = ResignRule(*_whole_numbers(options.resign, 2, "--resign"))
    if options.draw:
        settings["draw"] = DrawRule(*_whole_numbers(options.draw, 3, "--draw"))
    settings["faults_apart"] = options.faults == APART
    return settings


def error_line(error: Exception) -> str:
    """The error in one line; a setting has the name of its option."""
    if isinstance(error, SettingError):
        option = OPTIONS_OF_SETTINGS.get(error.name, f"--{error.name.replace('_', '-')}")
        return f"{option} {error.problem}"
    return line_of(error)


def report_error(tool: str, error: Exception, exit_code: int) -> int:
    """Prints what stopped the tool; the exit code, for the caller to return."""
    print(f"kingcobra {tool}: {error_line(error)}", file=sys.stderr)
    return exit_code


def _whole_numbers(text: str, count: int, option: str) -> list[int]:
    numbers = [parse_integer(word, 1, LARGEST_NUMBER) for word in text.split(",")]
    whole = [number for number in numbers if number is not None]
    if len(numbers) != count or len(whole) != count:
        raise ValueError(f"{option} takes {count} whole numbers above zero, got {text!r}")
    return whole

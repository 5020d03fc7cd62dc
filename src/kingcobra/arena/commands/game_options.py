# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that every tool which plays games has in common, and what they mean."""

import argparse
import importlib.util
from pathlib import Path
from typing import NoReturn

from kingcobra.arena.engines.engine_process import STOP_PATIENCE_S
from kingcobra.arena.engines.engine_spec import ENGINE_WORDS
from kingcobra.arena.engines.time_control import CONTROL_FORM, MS_PER_SECOND, parse_time_control
from kingcobra.arena.games.adjudication import DrawRule, ResignRule, open_tables
from kingcobra.arena.games.game import Rules
from kingcobra.arena.games.openings import Book, read_book

DEFAULT_MARGIN_MS = 20
"""Forgiven beyond a player's time. The pipe and the waking of two processes take well under a
millisecond on an idle machine, but several on one whose cores are all playing."""
DEFAULT_PATIENCE_S = 60.0
DEFAULT_SEED = 1
SCORED, APART = "scored", "apart"

# What argparse says where the word that follows looks like another option.
NO_VALUE = "expected one argument"
ENGINE_HELP = "see SPEC below"
EPILOG = f"""\
What stands in brackets holds unless something else is given.

SPEC is an engine's command, and what else there is to say about it:
  {ENGINE_WORDS[0]}
         {ENGINE_WORDS[1]}
  without blanks at the commas; a comma inside a value is written \\, and the command self is
  this engine.

example:
  {{example}}

All of it is explained in docs/6-measuring-strength.md."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        """Also says how a value is given that begins with a minus."""
        hint = "; a value that begins with - stands behind =" if message.endswith(NO_VALUE) else ""
        super().error(message + hint)


def tool_parser(tool: str, needed: str, description: str, example: str) -> argparse.ArgumentParser:
    """A parser whose help begins with what must be given and ends with an example."""
    return _Parser(
        prog=f"kingcobra {tool}",
        usage=f"kingcobra {tool} {needed} [options]",
        description=description,
        epilog=EPILOG.format(example=example.replace("\n", "\n  ")),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )


def add_game_options(parser: argparse.ArgumentParser, faults: str) -> None:
    """How games are played, where, from which openings, and when they end early; `faults` is what
    a game decided by one counts for unless the user says otherwise."""
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
        "--pgn", type=Path, metavar="FILE", help="for the games; FILE.state is kept beside it"
    )
    how = files.add_mutually_exclusive_group()
    how.add_argument(
        "--resume", action="store_true", help="go on with the games that the files hold"
    )
    how.add_argument("--overwrite", action="store_true", help="drop what the files hold")


def _add_time_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("time")
    group.add_argument("--tc", metavar="CONTROL", help=f"for each player: {CONTROL_FORM}")
    group.add_argument(
        "--margin-ms",
        type=int,
        default=DEFAULT_MARGIN_MS,
        metavar="MS",
        help="a move that is later by no more than this is forgiven (%(default)s)",
    )
    group.add_argument(
        "--patience",
        type=float,
        default=DEFAULT_PATIENCE_S,
        metavar="SECONDS",
        help="for a move that no clock limits (%(default)g)",
    )
    group.add_argument(
        "--stop-patience",
        type=float,
        default=STOP_PATIENCE_S,
        metavar="SECONDS",
        help="for obeying `stop` when over time; later than that is a hang (%(default)g)",
    )


def _add_opening_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("openings")
    group.add_argument(
        "--book", type=Path, metavar="FILE", help="EPD or FEN lines, or games (.pgn)"
    )
    group.add_argument(
        "--book-start", type=int, default=0, metavar="N", help="leave out the first N openings (0)"
    )
    group.add_argument(
        "--order",
        choices=("random", "book"),
        default="random",
        help="shuffled by --seed, or as in the book (%(default)s)",
    )
    group.add_argument(
        "--seed",
        type=int,
        default=DEFAULT_SEED,
        metavar="N",
        help="another one, another order (%(default)s)",
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
        "--syzygy", metavar="FOLDER", help="as the tablebases say, after a capture or pawn move"
    )
    group.add_argument(
        "--faults",
        choices=(SCORED, APART),
        default=faults,
        help="a crash, hang, illegal move or time loss: a lost game, or listed apart and not"
        " scored (%(default)s)",
    )


def check_game_options(options: argparse.Namespace) -> None:
    """ValueError for what no game can be played with."""
    if options.tc is None:
        raise ValueError(f"--tc is missing: how long may the engines think? {CONTROL_FORM}")
    if options.concurrency < 1:
        raise ValueError(f"--concurrency must be at least 1, got {options.concurrency}")
    for option, value, least in (
        ("--margin-ms", options.margin_ms, 0),
        ("--patience", options.patience, 0),
        ("--stop-patience", options.stop_patience, 0),
        ("--max-moves", options.max_moves, 1),
    ):
        if value is not None and not value >= least:
            raise ValueError(f"{option} must be at least {least}, got {value}")
    if options.cluster is not None and importlib.util.find_spec("ray") is None:
        raise ValueError("--cluster needs Ray: pip install 'kingcobra[cluster]'")


def seed_from(options: argparse.Namespace) -> int | None:
    """Of the order of the openings; None for the book's own order."""
    return None if options.order == "book" else options.seed


def book_from(path: Path | None, options: argparse.Namespace, count: int) -> Book:
    """The first openings of a book in the order the options ask for; without one, the start."""
    if path is None:
        return Book()
    return read_book(path, options.chess960, count, seed_from(options), options.book_start)


def rules_from(options: argparse.Namespace) -> Rules:
    """What the options say about every game."""
    resign = _whole_numbers(options.resign, 2, "--resign") if options.resign else None
    draw = _whole_numbers(options.draw, 3, "--draw") if options.draw else None
    open_tables(options.syzygy)
    return Rules(
        parse_time_control(options.tc),
        options.margin_ms / MS_PER_SECOND,
        options.patience,
        options.stop_patience,
        options.chess960,
        ResignRule(*resign) if resign else None,
        DrawRule(*draw) if draw else None,
        options.max_moves,
        options.syzygy,
    )


def _whole_numbers(text: str, count: int, option: str) -> list[int]:
    words = text.split(",")
    if len(words) != count or not all(word.isdecimal() and int(word) > 0 for word in words):
        raise ValueError(f"{option} takes {count} whole numbers above zero, got {text!r}")
    return [int(word) for word in words]

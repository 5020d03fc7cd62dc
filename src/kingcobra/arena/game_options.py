# SPDX-License-Identifier: GPL-3.0-or-later
"""The options that every tool which plays games has in common, and what they mean."""

import argparse
import importlib.util
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kingcobra.arena.adjudication import DrawRule, ResignRule, open_tables
from kingcobra.arena.game import Rules
from kingcobra.arena.openings import Opening, ordered, read_book
from kingcobra.arena.pipes import STOP_PATIENCE_S
from kingcobra.arena.time_control import MS_PER_SECOND, parse_time_control

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

DEFAULT_MARGIN_MS = 20
"""Forgiven beyond a player's time. The pipe and the waking of two processes take well under a
millisecond on an idle machine, but several on one whose cores are all playing."""
DEFAULT_PATIENCE_S = 60.0
DEFAULT_SEED = 1


def add_game_options(parser: argparse.ArgumentParser) -> None:
    """How games are played, where, from which openings, and when they end early."""
    parser.add_argument(
        "--tc",
        metavar="CONTROL",
        help="[MOVES/]SECONDS[+INCREMENT] as 40/60+0.6, or nodes=N, depth=N, movetime=MS",
    )
    parser.add_argument("--concurrency", type=int, default=1, help="games at once")
    parser.add_argument(
        "--cluster", metavar="auto|ADDRESS", help="play on a Ray cluster, not on this machine"
    )
    parser.add_argument(
        "--margin-ms", type=int, default=DEFAULT_MARGIN_MS, help="forgiven beyond the time"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=DEFAULT_PATIENCE_S,
        metavar="SECONDS",
        help="for a move without a clock",
    )
    parser.add_argument(
        "--stop-patience",
        type=float,
        default=STOP_PATIENCE_S,
        metavar="SECONDS",
        help="an engine over its time that does not stop in this time counts as hung",
    )
    _add_opening_options(parser)
    _add_ending_options(parser)
    files = parser.add_argument_group("files")
    files.add_argument("--pgn", type=Path, metavar="FILE", help="the games; FILE.state beside it")
    how = files.add_mutually_exclusive_group()
    how.add_argument("--resume", action="store_true", help="go on with what the files hold")
    how.add_argument("--overwrite", action="store_true", help="drop what the files hold")


def _add_opening_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("openings")
    group.add_argument("--book", type=Path, metavar="FILE", help="EPD, FEN lines, or .pgn")
    group.add_argument("--book-start", type=int, default=0, metavar="N", help="openings to skip")
    group.add_argument("--order", choices=("random", "book"), default="random")
    group.add_argument("--seed", type=int, default=DEFAULT_SEED, help="of the random order")
    group.add_argument("--chess960", action="store_true")


def _add_ending_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("ends of games")
    group.add_argument(
        "--resign", metavar="MOVES,CP", help="lost: own score at most -CP for MOVES moves"
    )
    group.add_argument(
        "--draw", metavar="FROM,MOVES,CP", help="from move FROM: both within ±CP for MOVES moves"
    )
    group.add_argument("--max-moves", type=int, metavar="N", help="then the game is a draw")
    group.add_argument("--syzygy", metavar="DIRECTORY", help="adjudicate by tablebases")


@contextmanager
def sigterm_interrupts() -> Iterator[None]:
    """Within it SIGTERM stops the games as the interrupt key does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def check_game_options(options: argparse.Namespace) -> None:
    """ValueError for what no game can be played with."""
    if options.tc is None:
        raise ValueError("--tc is missing: how long may the engines think?")
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


def openings_from(book: Path | None, options: argparse.Namespace) -> list[Opening]:
    """The openings of a book in the order the options ask for; without one, the start alone."""
    openings = read_book(book, options.chess960) if book else [Opening()]
    return ordered(openings, seed_from(options), options.book_start)


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

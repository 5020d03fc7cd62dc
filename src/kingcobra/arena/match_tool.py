# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra match`: games between engines, and what they are worth in Elo."""

import argparse
import importlib.util
import signal
import sys
from pathlib import Path

from kingcobra.arena.adjudication import DrawRule, ResignRule, open_tables
from kingcobra.arena.engine_spec import ENGINE_FORM, parse_engine, with_unique_names
from kingcobra.arena.game import Rules
from kingcobra.arena.match import Match, MatchError, MatchPlan, check_engines
from kingcobra.arena.openings import Opening, ordered, read_book
from kingcobra.arena.pipes import STOP_PATIENCE_S
from kingcobra.arena.schedule import GAMES_PER_PAIR
from kingcobra.arena.sprt_tool import add_sprt_options, sprt_from
from kingcobra.arena.time_control import MS_PER_SECOND, parse_time_control

EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130

DEFAULT_MARGIN_MS = 20
"""Forgiven beyond a player's time. The pipe and the waking of two processes take well under a
millisecond on an idle machine, but several on one whose cores are all playing."""
DEFAULT_PATIENCE_S = 60.0
DEFAULT_SEED = 1


def main(arguments: list[str]) -> int:
    """Plays the match that the arguments describe."""
    options = _parser().parse_args(arguments)
    try:
        plan = _plan(options)
        _check_cluster(options.cluster)
        match = Match(plan, options.pgn, options.concurrency, options.cluster)
        names = check_engines(plan)
        if options.resume:
            match.resume()
        else:
            match.files.begin(options.overwrite)
    except (ValueError, OSError, MatchError) as error:
        print(f"kingcobra match: {error}", file=sys.stderr)
        return EXIT_USAGE
    for engine, name in zip(plan.engines, names, strict=True):
        print(f"{engine.name}: {name}")
    if not options.book:
        print("no --book: every game starts from the same position")
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        return _play(match, bool(options.pgn))
    finally:
        signal.signal(signal.SIGTERM, before)


def _play(match: Match, resumable: bool) -> int:
    """The exit code. SIGTERM stops the match as the interrupt key does."""
    try:
        match.play()
    except KeyboardInterrupt:
        print("stopped; --resume goes on" if resumable else "stopped", file=sys.stderr)
        return EXIT_INTERRUPTED
    except MatchError as error:
        print(f"kingcobra match: {error}", file=sys.stderr)
        return EXIT_FAILED
    if match.workers_lost:
        print(f"workers lost and replaced: {match.workers_lost}")
    return 0


def _check_cluster(cluster: str | None) -> None:
    if cluster is not None and importlib.util.find_spec("ray") is None:
        raise ValueError("--cluster needs Ray: pip install 'kingcobra[cluster]'")


def _plan(options: argparse.Namespace) -> MatchPlan:
    engines = with_unique_names([parse_engine(text) for text in options.engine])
    if len(engines) < GAMES_PER_PAIR:
        raise ValueError("a match takes two engines at least: give --engine twice")
    if options.games < 1 or options.concurrency < 1:
        raise ValueError("--games and --concurrency must be at least 1")
    sprt = sprt_from(options)
    if sprt is not None and len(engines) != GAMES_PER_PAIR:
        raise ValueError(f"--sprt takes two engines, got {len(engines)}")
    rules = _rules(options)
    open_tables(rules.syzygy)
    seed = None if options.order == "book" else options.seed
    book = read_book(options.book, rules.chess960) if options.book else [Opening()]
    return MatchPlan(
        engines,
        ordered(book, seed, options.book_start),
        options.book.name if options.book else "",
        rules,
        -(-options.games // GAMES_PER_PAIR),
        seed,
        options.gauntlet,
        sprt,
    )


def _rules(options: argparse.Namespace) -> Rules:
    resign = _whole_numbers(options.resign, 2, "--resign") if options.resign else None
    draw = _whole_numbers(options.draw, 3, "--draw") if options.draw else None
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
    if len(words) != count or not all(word.isdigit() for word in words):
        raise ValueError(f"{option} takes {count} whole numbers, got {text!r}")
    return [int(word) for word in words]


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra match", description=__doc__)
    parser.add_argument(
        "--engine", action="append", default=[], metavar="SPEC", required=True, help=ENGINE_FORM
    )
    parser.add_argument(
        "--tc",
        required=True,
        metavar="CONTROL",
        help="[MOVES/]SECONDS[+INCREMENT] as 40/60+0.6, or nodes=N, depth=N, movetime=MS",
    )
    parser.add_argument(
        "--games", type=int, required=True, help="for each pairing, rounded up to whole pairs"
    )
    parser.add_argument("--concurrency", type=int, default=1, help="games at once")
    parser.add_argument(
        "--cluster", metavar="auto|ADDRESS", help="play on a Ray cluster, not on this machine"
    )
    parser.add_argument("--gauntlet", action="store_true", help="the first against each other one")
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
    how.add_argument("--resume", action="store_true", help="go on with the match of the PGN file")
    how.add_argument("--overwrite", action="store_true", help="drop what the files hold")
    return parser


def _add_opening_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("openings")
    group.add_argument("--book", type=Path, metavar="FILE", help="EPD, FEN lines, or .pgn")
    group.add_argument("--book-start", type=int, default=0, metavar="N", help="openings to skip")
    group.add_argument("--order", choices=("random", "book"), default="random")
    group.add_argument("--seed", type=int, default=DEFAULT_SEED, help="of the random order")
    group.add_argument("--chess960", action="store_true")


def _add_ending_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("ends of games and of the match")
    group.add_argument(
        "--resign", metavar="MOVES,CP", help="lost: own score at most -CP for MOVES moves"
    )
    group.add_argument(
        "--draw", metavar="FROM,MOVES,CP", help="from move FROM: both within ±CP for MOVES moves"
    )
    group.add_argument("--max-moves", type=int, metavar="N", help="then the game is a draw")
    group.add_argument("--syzygy", metavar="DIRECTORY", help="adjudicate by tablebases")
    group.add_argument(
        "--sprt", dest="bounds", metavar="ELO0,ELO1", help="stop when decided: --sprt=0,2"
    )
    add_sprt_options(parser)

# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra match`: games between engines, and what they are worth in Elo."""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from kingcobra.arena.engine_spec import ENGINE_FORM, EngineSpec, parse_engine, with_unique_names
from kingcobra.arena.game_options import (
    EXIT_FAILED,
    EXIT_INTERRUPTED,
    EXIT_USAGE,
    add_game_options,
    check_game_options,
    openings_from,
    rules_from,
    seed_from,
    sigterm_interrupts,
)
from kingcobra.arena.match import Match, MatchPlan
from kingcobra.arena.pool import PoolError
from kingcobra.arena.runner import MatchError
from kingcobra.arena.schedule import GAMES_PER_PAIR
from kingcobra.arena.sprt_options import add_sprt_options, sprt_from
from kingcobra.arena.standing import Anchor

SCORED, APART = "scored", "apart"


def main(arguments: list[str]) -> int:
    """Plays the match that the arguments describe."""
    return run(_parser().parse_args(arguments), "match")


def run(options: argparse.Namespace, tool: str) -> int:
    """The exit code of the match; `tool` is the sub-command that complaints name."""
    try:
        check_game_options(options)
        plan = _plan(options)
        match = Match(plan, options.pgn, options.concurrency, options.cluster)
        match.check_engines()
        if options.resume:
            match.resume()
        else:
            match.files.begin(options.overwrite)
    except (ValueError, OSError, MatchError) as error:
        print(f"kingcobra {tool}: {error}", file=sys.stderr)
        return EXIT_USAGE
    for engine, facts in zip(plan.engines, match.facts, strict=True):
        print(f"{engine.name}: {facts.reported_name}")
    if not options.book:
        print("no --book: every game starts from the same position")
    with sigterm_interrupts():
        return _play(match, tool, bool(options.pgn))


def _play(match: Match, tool: str, resumable: bool) -> int:
    try:
        match.play()
    except KeyboardInterrupt:
        print("stopped; --resume goes on" if resumable else "stopped", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (MatchError, PoolError, OSError) as error:
        print(f"kingcobra {tool}: {error}", file=sys.stderr)
        return EXIT_FAILED
    if match.workers_lost:
        print(f"workers lost and replaced: {match.workers_lost}")
    return 0


def _plan(options: argparse.Namespace) -> MatchPlan:
    engines = with_unique_names([parse_engine(text) for text in options.engine])
    if len(engines) < GAMES_PER_PAIR:
        raise ValueError("a match takes two engines at least: give --engine twice")
    if options.games < 1:
        raise ValueError(f"--games must be at least 1, got {options.games}")
    sprt = sprt_from(options)
    if sprt is not None and len(engines) != GAMES_PER_PAIR:
        raise ValueError(f"a test takes two engines, got {len(engines)}")
    return MatchPlan(
        engines,
        openings_from(options.book, options),
        options.book.name if options.book else "",
        rules_from(options),
        -(-options.games // GAMES_PER_PAIR),
        seed_from(options),
        options.gauntlet,
        sprt,
        openings_from(options.move_book, options) if options.move_book else [],
        options.move_book.name if options.move_book else None,
        _anchor(options.anchor, engines) if options.anchor else None,
        options.faults == APART,
    )


def _anchor(text: str, engines: Sequence[EngineSpec]) -> Anchor:
    """`NAME` or `NAME=ELO`; ValueError where no engine is called so or the Elo is no number."""
    name, separator, elo = text.rpartition("=")
    names = [engine.name for engine in engines]
    if not separator or text in names:
        name, elo = text, "0"
    if name not in names:
        raise ValueError(f"--anchor {text}: the engines are called {', '.join(names)}")
    try:
        return Anchor(name, float(elo))
    except ValueError:
        raise ValueError(f"--anchor {text}: expected NAME or NAME=ELO") from None


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    """The engines, what only a match of several kinds of them needs, and what faults count for."""
    parser.add_argument("--engine", action="append", default=[], metavar="SPEC", help=ENGINE_FORM)
    parser.add_argument(
        "--move-book",
        type=Path,
        metavar="FILE",
        help="PGN, for meetings with an engine that cannot set up the positions of --book",
    )
    parser.add_argument(
        "--faults",
        choices=(SCORED, APART),
        default=SCORED,
        help="games decided by a fault: lost (default), or listed apart and not scored",
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra match", description=__doc__)
    add_engine_options(parser)
    parser.add_argument(
        "--games", type=int, required=True, help="for each pairing, rounded up to whole pairs"
    )
    parser.add_argument("--gauntlet", action="store_true", help="the first against each other one")
    parser.add_argument(
        "--anchor", metavar="NAME[=ELO]", help="whose rating is given in the table; first one, 0"
    )
    add_game_options(parser)
    test = parser.add_argument_group("end of the match")
    test.add_argument(
        "--sprt", dest="bounds", metavar="ELO0,ELO1", help="stop when decided: --sprt=0,2"
    )
    add_sprt_options(test)
    return parser

# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra match`: games between engines, and what they are worth in Elo."""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from kingcobra.arena.commands.game_options import (
    APART,
    ENGINE_HELP,
    SCORED,
    add_game_options,
    book_from,
    rules_from,
    seed_from,
    tool_parser,
)
from kingcobra.arena.commands.run_contest import run_contest
from kingcobra.arena.commands.sprt_options import add_sprt_options, sprt_from
from kingcobra.arena.contests.contest import Workers
from kingcobra.arena.contests.match import Match, MatchPlan
from kingcobra.arena.contests.schedule import GAMES_PER_PAIR
from kingcobra.arena.contests.standing import Anchor
from kingcobra.arena.engines.engine_spec import EngineSpec, parse_engine, with_unique_names

DESCRIPTION = """\
Plays games between engines and says what they are worth in Elo. Two engines play a match; more
play everyone against everyone, or with --gauntlet the first against each other one."""
NEEDED = "--engine SPEC --engine SPEC --games N --tc CONTROL"
EXAMPLE = """\
kingcobra match --engine self --engine stockfish,option.Hash=16 --games 100 --tc 8+0.08
                --book UHO_4060_v4.epd --resign 3,600 --draw 34,8,20 --pgn games.pgn"""


def main(arguments: list[str]) -> int:
    """Plays the match that the arguments describe."""
    return run(_parser().parse_args(arguments), "match")


def run(options: argparse.Namespace, tool: str) -> int:
    """The exit code of the match; `tool` is the sub-command that complaints name."""
    return run_contest(tool, options, match_from)


def options_from(keywords: Mapping[str, Any]) -> argparse.Namespace:
    """The options that keywords say, `max_moves=40` as `--max-moves 40`: True is a switch, a list
    an option given several times, and what is None or False is not given. TypeError for an option
    that there is not, ValueError for a value that it does not take."""
    parser = _parser()
    parser.exit_on_error = parser.allow_abbrev = False
    words = [word for name, value in keywords.items() for word in _words(name, value)]
    try:
        options, unknown = parser.parse_known_args(words)
    except argparse.ArgumentError as error:
        raise ValueError(str(error)) from None
    if unknown:
        raise TypeError(f"no option of a match: {' '.join(unknown)}")
    return options


def _words(name: str, value: Any) -> Iterator[str]:
    option = f"--{name.replace('_', '-')}"
    for one in value if isinstance(value, list | tuple) else [value]:
        if one is True:
            yield option
        elif one is not None and one is not False:
            yield f"{option}={one}"


def match_from(options: argparse.Namespace, workers: Workers) -> Match:
    """The match that the options describe; ValueError or OSError where there can be none."""
    return Match(_plan(options), options.pgn, workers)


def _plan(options: argparse.Namespace) -> MatchPlan:
    engines = with_unique_names([parse_engine(text) for text in options.engine])
    if len(engines) < GAMES_PER_PAIR:
        raise ValueError("a match takes two engines at least: give --engine twice")
    if options.games < 1:
        raise ValueError(f"--games must be at least 1, got {options.games}")
    sprt = sprt_from(options)
    if sprt is not None and len(engines) != GAMES_PER_PAIR:
        raise ValueError(f"a test takes two engines, got {len(engines)}")
    rounds = -(-options.games // GAMES_PER_PAIR)
    return MatchPlan(
        engines,
        book_from(options.book, options, rounds),
        rules_from(options),
        rounds,
        seed_from(options),
        options.gauntlet,
        sprt,
        book_from(options.move_book, options, rounds) if options.move_book else None,
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
    """The engines, and what only a match of several kinds of them needs."""
    group = parser.add_argument_group("engines")
    group.add_argument(
        "--engine", action="append", default=[], metavar="SPEC", help=f"one of them; {ENGINE_HELP}"
    )
    group.add_argument(
        "--move-book",
        type=Path,
        metavar="FILE",
        help="PGN, for meetings with an engine that cannot set up the positions of --book",
    )


def _parser() -> argparse.ArgumentParser:
    parser = tool_parser("match", NEEDED, DESCRIPTION, EXAMPLE)
    add_engine_options(parser)
    match = parser.add_argument_group("the match")
    match.add_argument(
        "--games",
        type=int,
        required=True,
        metavar="N",
        help="games of each pairing, rounded up to whole pairs",
    )
    match.add_argument(
        "--gauntlet", action="store_true", help="only the first engine against each other one"
    )
    match.add_argument(
        "--anchor",
        metavar="NAME[=ELO]",
        help="who has this rating in the table (the first engine, 0)",
    )
    match.add_argument(
        "--sprt",
        dest="bounds",
        metavar="ELO0,ELO1",
        help="end it as soon as this test is decided: --sprt=0,2",
    )
    add_sprt_options(match)
    add_game_options(parser, faults=SCORED)
    return parser

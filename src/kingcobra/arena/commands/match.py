# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra match`: games between engines, and their result in Elo."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from kingcobra.arena.api import Anchor, MatchSettings
from kingcobra.arena.commands.game_options import (
    ENGINE_HELP,
    SCORED,
    add_game_options,
    game_settings,
    tool_parser,
)
from kingcobra.arena.commands.run_contest import run_contest
from kingcobra.arena.commands.sprt_options import add_sprt_options, sprt_from
from kingcobra.arena.contests.schedule import GAMES_PER_PAIR
from kingcobra.arena.engines.engine_spec import EngineSpec, parse_engine, with_unique_names

DESCRIPTION = """\
Plays games between engines and prints the result in Elo. Two engines play a match; more play all
against all, or with --gauntlet the first against each other one."""
NEEDED = "--engine SPEC --engine SPEC --games N --tc CONTROL"
EXAMPLE = """\
kingcobra match --engine self --engine stockfish,option.Hash=16 --games 100 --tc 8+0.08
                --book UHO_4060_v4.epd --resign 3,600 --draw 34,8,20 --pgn games.pgn"""


def main(arguments: list[str]) -> int:
    """Plays the match that the arguments describe."""
    return run(_parser().parse_args(arguments), "match")


def run(options: argparse.Namespace, tool: str) -> int:
    """The exit code of the match; `tool` is the sub-command that error messages name."""
    return run_contest(tool, lambda: match_settings(options))


def match_settings(options: argparse.Namespace) -> MatchSettings:
    """The match that the options describe; ValueError for text that cannot be read."""
    engines = with_unique_names([parse_engine(text) for text in options.engine])
    if len(engines) < GAMES_PER_PAIR:
        raise ValueError("a match takes at least two engines: give --engine twice")
    return MatchSettings(
        engines=engines,
        games=options.games,
        gauntlet=options.gauntlet,
        anchor=_anchor(options.anchor, engines) if options.anchor else None,
        sprt=sprt_from(options),
        move_book=options.move_book,
        **game_settings(options),
    )


def _anchor(text: str, engines: Sequence[EngineSpec]) -> Anchor:
    """`NAME` or `NAME=ELO`; ValueError where the Elo is not a number."""
    name, separator, elo = text.rpartition("=")
    if not separator or any(text == engine.name for engine in engines):
        name, elo = text, "0"
    try:
        return Anchor(name, float(elo))
    except ValueError:
        raise ValueError(f"--anchor {text}: expected NAME or NAME=ELO") from None


def add_engine_options(parser: argparse.ArgumentParser) -> None:
    """Adds the options for the engines."""
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
        help="the engine with this rating in the table (the first engine, 0)",
    )
    match.add_argument(
        "--sprt",
        dest="bounds",
        metavar="ELO0,ELO1",
        help="stop as soon as this test is decided: --sprt=0,2",
    )
    add_sprt_options(match)
    add_game_options(parser, faults=SCORED)
    return parser

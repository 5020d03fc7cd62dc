# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena for notebooks and scripts: matches to play and to read, tests, Elo and ratings."""

import argparse
from pathlib import Path
from typing import Any

from kingcobra.arena.contest import Workers
from kingcobra.arena.game_options import check_game_options
from kingcobra.arena.likelihood import Sprt, Verdict
from kingcobra.arena.match_tool import default_options, match_from
from kingcobra.arena.ratings import Known, Rating, ratings
from kingcobra.arena.record import GameRecord
from kingcobra.arena.standing import Standing
from kingcobra.arena.state import SavedMatch, StateError, read_state, state_path_of
from kingcobra.arena.statistics import (
    Estimate,
    elo,
    likelihood_of_superiority,
    normalised_elo,
)

__all__ = [
    "Estimate",
    "GameRecord",
    "Known",
    "Rating",
    "SavedMatch",
    "Sprt",
    "Standing",
    "StateError",
    "Verdict",
    "elo",
    "likelihood_of_superiority",
    "normalised_elo",
    "play_match",
    "ratings",
    "read_match",
    "standing_of",
]

PATHS = ("pgn", "book", "move_book")


def play_match(*engines: str, tc: str, games: int, **options: Any) -> Standing:
    """Plays games between engines, each described as for `--engine`, and returns how they stand at
    the end. The keywords are the options of `kingcobra match` without their dashes, `max_moves=40`
    or `resume=True`; `bounds="0,2"` is the test that ends it early. Prints nothing.

    ValueError for what the tool would refuse, OSError for files that cannot be used, TypeError for
    an option that there is not. An interrupt passes through, and what was played is in the files.
    """
    defaults = default_options(games)
    unknown = sorted(options.keys() - defaults.keys())
    if unknown:
        raise TypeError(f"no option of a match: {', '.join(unknown)}")
    given = {**options, "engine": list(engines), "tc": tc}
    given.update({name: Path(given[name]) for name in PATHS if given.get(name) is not None})
    chosen = argparse.Namespace(**{**defaults, **given})
    check_game_options(chosen)
    match = match_from(chosen, Workers(chosen.concurrency, chosen.cluster))
    match.check_engines()
    match.start(chosen.resume, chosen.overwrite)
    match.play(quiet=True)
    return match.standing


def read_match(pgn: str | Path) -> SavedMatch:
    """The games whose PGN is in that file, from the state file beside it; also of a match that is
    being played. StateError, a ValueError, where that cannot be read."""
    return read_state(state_path_of(Path(pgn)))


def standing_of(saved: SavedMatch, faults_apart: bool = False) -> Standing:
    """What the games of a match have come to; with faults as `--faults apart` counts them."""
    names = [engine["name"] for engine in saved.settings.get("engines", [])]
    met = [name for record in saved.records for name in (record.white, record.black)]
    standing = Standing(list(dict.fromkeys([*names, *met])), faults_apart=faults_apart)
    for record in saved.records:
        standing.add(record)
    return standing

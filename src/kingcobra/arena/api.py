# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena for notebooks and scripts: matches to play and to read, tests, Elo and ratings."""

from pathlib import Path
from typing import Any

from kingcobra.arena.commands.game_options import check_game_options
from kingcobra.arena.commands.match import match_from, options_from
from kingcobra.arena.contests.contest import Workers
from kingcobra.arena.contests.match_files import SavedMatch, StateError, read_state, state_path_of
from kingcobra.arena.contests.standing import Standing
from kingcobra.arena.games.game_record import GameRecord
from kingcobra.arena.statistics.elo import (
    Estimate,
    elo,
    likelihood_of_superiority,
    normalised_elo,
)
from kingcobra.arena.statistics.ratings import Known, Rating, ratings
from kingcobra.arena.statistics.sprt import Sprt, SprtVerdict
from kingcobra.arena.workers.game_runner import MatchError
from kingcobra.arena.workers.worker_pool import PoolError

__all__ = [
    "Estimate",
    "GameRecord",
    "Known",
    "MatchError",
    "PoolError",
    "Rating",
    "SavedMatch",
    "Sprt",
    "SprtVerdict",
    "Standing",
    "StateError",
    "elo",
    "likelihood_of_superiority",
    "normalised_elo",
    "play_match",
    "ratings",
    "read_match",
    "standing_of",
]


def play_match(*engines: str, tc: str, games: int, **options: Any) -> Standing:
    """Plays games between engines, each described as for `--engine`, and returns how they stand at
    the end. The keywords are the options of `kingcobra match` without their dashes, `max_moves=40`
    or `resume=True`; `sprt="0,2"` is the test that ends it early. Prints nothing, unless a cluster
    has fewer CPUs than games at once were asked for.

    ValueError for what the tool would refuse, OSError for files that cannot be used, TypeError for
    an option that there is not; MatchError for a game that cannot be played, PoolError for a
    cluster that cannot be had. An interrupt passes through. Whatever ended it, the games that were
    played are in the files.
    """
    chosen = options_from({**options, "engine": list(engines), "tc": tc, "games": games})
    check_game_options(chosen)
    match = match_from(chosen, Workers(chosen.concurrency, chosen.cluster))
    match.check_engines()
    match.start(chosen.resume, chosen.overwrite)
    match.play(quiet=True)
    return match.standing


def read_match(pgn: str | Path) -> SavedMatch:
    """The games whose PGN is in that file, from the state file beside it; also of a match that is
    being played. OSError where there is none, StateError, a ValueError, where it holds no match."""
    return read_state(state_path_of(Path(pgn)))


def standing_of(saved: SavedMatch, faults_apart: bool = False) -> Standing:
    """What the games of a match have come to; with faults as `--faults apart` counts them."""
    names = [engine["name"] for engine in saved.settings.get("engines", [])]
    met = [name for record in saved.records for name in (record.white, record.black)]
    standing = Standing(list(dict.fromkeys([*names, *met])), faults_apart=faults_apart)
    for record in saved.records:
        standing.add(record)
    return standing

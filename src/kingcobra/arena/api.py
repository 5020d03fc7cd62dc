# SPDX-License-Identifier: GPL-3.0-or-later
"""The arena for notebooks and scripts: matches and tunings to play, games to read, Elo, SPRT and
ratings to compute. The command line builds its values here, too."""

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from kingcobra.arena.contests.contest import Contest
from kingcobra.arena.contests.match_files import SavedMatch, StateError, read_state, state_path_of
from kingcobra.arena.contests.standing import Anchor, Standing
from kingcobra.arena.contests.tuning import select_tunables
from kingcobra.arena.engines.engine_spec import EngineSpec, EngineSpecError, engine
from kingcobra.arena.engines.time_control import TimeControl, TimeControlError
from kingcobra.arena.errors import SettingError
from kingcobra.arena.games.adjudication import DrawRule, ResignRule
from kingcobra.arena.games.game_record import GameRecord
from kingcobra.arena.settings import GameSettings, MatchSettings, TuningSettings
from kingcobra.arena.workers.game_runner import MatchError
from kingcobra.arena.workers.worker_pool import PoolError
from kingcobra.statistics.elo import (
    CountsError,
    Estimate,
    elo,
    likelihood_of_superiority,
    normalised_elo,
)
from kingcobra.statistics.ratings import Known, Rating, RatingError, ratings
from kingcobra.statistics.sprt import Model, Sprt, SprtVerdict

__all__ = [
    "Anchor",
    "CountsError",
    "DrawRule",
    "EngineSpec",
    "EngineSpecError",
    "Estimate",
    "GameRecord",
    "GameSettings",
    "Known",
    "MatchError",
    "MatchSettings",
    "Model",
    "PoolError",
    "Rating",
    "RatingError",
    "ResignRule",
    "SavedMatch",
    "SettingError",
    "Sprt",
    "SprtVerdict",
    "Standing",
    "StateError",
    "TimeControl",
    "TimeControlError",
    "TuningSettings",
    "elo",
    "engine",
    "likelihood_of_superiority",
    "normalised_elo",
    "play_match",
    "play_tuning",
    "ratings",
    "read_match",
    "select_tunables",
    "standing_of",
]


Played = TypeVar("Played")


def _shows_keywords_of(
    settings: type[GameSettings],
) -> Callable[[Callable[..., Played]], Callable[..., Played]]:
    """Gives a function that passes its keywords on to the settings a signature with all of them,
    so that notebooks complete and explain them."""

    def decorate(function: Callable[..., Played]) -> Callable[..., Played]:
        own = [
            parameter
            for parameter in inspect.signature(function).parameters.values()
            if parameter.kind is not parameter.VAR_KEYWORD
        ]
        names = {parameter.name for parameter in own}
        keywords = inspect.signature(settings).parameters.values()
        more = [parameter for parameter in keywords if parameter.name not in names]
        signature = inspect.signature(function).replace(parameters=[*own, *more])
        function.__signature__ = signature  # type: ignore[attr-defined]
        return function

    return decorate


@_shows_keywords_of(MatchSettings)
def play_match(
    *engines: EngineSpec | str, tc: TimeControl | str, games: int, **settings: Any
) -> Standing:
    """Plays games between engines and returns the standing at the end. An engine is described by
    `engine(...)` or as for `--engine`; the keywords are the fields of MatchSettings, such as
    `max_moves=40`, `sprt=Sprt(0, 2)` or `resume=True`. Prints nothing, unless a cluster has fewer
    CPUs than `concurrency` asks for.

    TypeError for an unknown keyword, ValueError for a value that no match can be played with,
    OSError for files that cannot be used, MatchError for a game that cannot be played, PoolError
    for a cluster that cannot be reached. An interrupt passes through. Whatever ended it, the games
    that were finished are in the files.
    """
    chosen = MatchSettings(engines=engines, tc=tc, games=games, **settings)
    match = chosen.contest()
    _play(match, chosen)
    return match.standing


@_shows_keywords_of(TuningSettings)
def play_tuning(
    *, iterations: int, tc: TimeControl | str, pgn: Path | str, **settings: Any
) -> dict[str, float]:
    """Tunes parameters of the search by games (SPSA) and returns their values at the end. The
    keywords are the fields of TuningSettings; `tunables=select_tunables("reduce_*")` chooses the
    parameters, all by default. Beside the games of the PGN a CSV file has the path of the values.
    Raises what `play_match` raises."""
    chosen = TuningSettings(iterations=iterations, tc=tc, pgn=pgn, **settings)
    tuning = chosen.contest()
    _play(tuning, chosen)
    return dict(tuning.spsa.values)


def _play(contest: Contest, settings: GameSettings) -> None:
    contest.check_engines()
    contest.start(settings.resume, settings.overwrite)
    contest.play(quiet=True)


def read_match(pgn: Path | str) -> SavedMatch:
    """The games whose PGN is in that file, from the state file beside it; the match may still be
    in progress. OSError where there is no such file, StateError, a ValueError, where it holds no
    match."""
    return read_state(state_path_of(Path(pgn)))


def standing_of(saved: SavedMatch, faults_apart: bool = False) -> Standing:
    """The standing after the games of a match; with `faults_apart`, games that a fault decided
    are listed but not scored."""
    names = [settings["name"] for settings in saved.settings.get("engines", [])]
    players = [name for record in saved.records for name in (record.white, record.black)]
    standing = Standing(list(dict.fromkeys([*names, *players])), faults_apart=faults_apart)
    for record in saved.records:
        standing.add(record)
    return standing

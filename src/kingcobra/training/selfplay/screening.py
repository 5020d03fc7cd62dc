# SPDX-License-Identifier: GPL-3.0-or-later
"""What many parameters of the search are worth, by the same games: in each pair of games one side
has each parameter at one of two values, drawn at random, and the other side has the other value. A
linear fit tells the effects apart. Every game tells about every parameter, so n games resolve each
of them as well as a match of n games would."""

import json
import math
import random
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from kingcobra.core.search.tunables import Tunable
from kingcobra.statistics.elo import ELO_SCALE, Z_CONFIDENCE
from kingcobra.training.data.blocks import DataError
from kingcobra.training.selfplay.network_match import (
    GAMES_PER_PAIR,
    PAIR_RESULTS,
    NetworkMatch,
)
from kingcobra.training.selfplay.player import SelfPlayer

# Without a value of their own, parameters are compared so many of their steps up and down.
STEPS_AWAY = 2
# Near equality, Elo for each point a game.
ELO_PER_POINT = 4 * ELO_SCALE / math.log(10)
# With fewer pairs beyond the number of factors, the error itself is a guess.
LEAST_FREEDOM = 10
MOST_HALF_POINTS = PAIR_RESULTS - 1
# How far apart the assignments of two seeds are.
SEED_DISTANCE = 1_000_003


class Factor(NamedTuple):
    """A parameter, a value, and the other one that it is compared with."""

    name: str
    base: int
    other: int


class PlayedPair(NamedTuple):
    """Which factors the first side had at their other value, and its half points in two games. With
    the file's settings, the number determines opening and factors."""

    number: int
    has_other: tuple[bool, ...]
    half_points: int


# How the games are played: nodes, seed and so on, as JSON has them.
Settings = dict[str, str | int | float]


class PlayedScreening(NamedTuple):
    """All that a file holds."""

    factors: list[Factor]
    settings: Settings
    pairs: list[PlayedPair]


class Effect(NamedTuple):
    """What `other` is worth against `base`, in Elo, with its error at 95 %."""

    factor: Factor
    elo: float
    error: float


def steps_around(tunable: Tunable) -> Factor:
    """A parameter between two steps down and two steps up, as far as its range goes."""
    away = STEPS_AWAY * tunable.step
    return Factor(
        tunable.name,
        max(tunable.low, tunable.default - away),
        min(tunable.high, tunable.default + away),
    )


class Screening(NetworkMatch):
    """A match whose sides differ anew in each pair; adds what was played to a file."""

    def __init__(
        self,
        players: Sequence[SelfPlayer],
        factors: Sequence[Factor],
        file: "ScreeningFile",
        seed: int,
        pairs: int = 0,
        seconds: float = 0.0,
    ) -> None:
        """Plays until there are so many pairs in the file, or for so long."""
        first = 1 + max((pair.number for pair in file.pairs), default=-1)
        end = first + max(pairs - len(file.pairs), 0) if pairs else 0
        super().__init__(players, end, seconds, first)
        self._factors = factors
        self._file = file
        self._seed = seed

    def has_other(self, number: int) -> tuple[bool, ...]:
        """Which factors the first side has at their other value in a pair."""
        return random_assignment(len(self._factors), self._seed * SEED_DISTANCE + number)

    def sides(self, number: int) -> tuple[dict[str, int], dict[str, int]]:
        """The parameters of both sides in a pair."""
        has_other = self.has_other(number)
        return (
            side_values(self._factors, has_other),
            side_values(self._factors, [not one for one in has_other]),
        )

    def note(self, pair: PlayedPair) -> None:
        """Keeps what was played; nobody else does so meanwhile."""
        self._file.add(pair)

    def play_pair(self, player: SelfPlayer, number: int) -> tuple[int, int] | None:
        player.set_tunables(*self.sides(number))
        played = super().play_pair(player, number)
        if played is not None:
            with self.lock:
                self.note(PlayedPair(number, self.has_other(number), sum(played)))
        return played


def random_assignment(count: int, seed: int) -> tuple[bool, ...]:
    """A random half of the factors, more or less."""
    chance = random.Random(seed)
    return tuple(chance.random() < 0.5 for _ in range(count))


def side_values(factors: Sequence[Factor], has_other: Iterable[bool]) -> dict[str, int]:
    """The parameters of one side."""
    return {
        factor.name: factor.other if other else factor.base
        for factor, other in zip(factors, has_other, strict=True)
    }


# --- what was played --------------------------------------------------------------------------


class ScreeningFile:
    """Pairs of games as lines of JSON, behind a line with what they have in common."""

    def __init__(self, path: Path, factors: Sequence[Factor], settings: Settings) -> None:
        """Goes on with a file that is there; DataError where it is of other factors or settings.
        May raise OSError."""
        self.pairs: list[PlayedPair] = []
        self.factors = factors
        self.settings = settings
        if path.exists() and path.stat().st_size:
            known = read_screening(path)
            if known.factors != list(factors):
                raise DataError(f"{path}: holds other parameters or values")
            for name, value in settings.items():
                if known.settings.get(name) != value:
                    raise DataError(
                        f"{path}: was played with {name} {known.settings.get(name)}, not {value}"
                    )
            self.pairs = known.pairs
            _drop_cut_line(path)
        self._file = path.open("a", encoding="utf-8")
        if not self.pairs and not self._file.tell():
            self._write(
                {"factors": [list(factor) for factor in factors], "settings": dict(settings)}
            )

    def add(self, pair: PlayedPair) -> None:
        """Notes a pair of games, at once."""
        self.pairs.append(pair)
        signs = "".join("+" if other else "-" for other in pair.has_other)
        self._write({"pair": pair.number, "first": signs, "half_points": pair.half_points})

    def close(self) -> None:
        """No pair is added any more."""
        self._file.close()

    def _write(self, line: dict[str, object]) -> None:
        self._file.write(json.dumps(line) + "\n")
        self._file.flush()


def read_screening(path: Path) -> PlayedScreening:
    """What a file holds; DataError for one that is none. A last line that was cut off is left out.
    May raise OSError."""
    lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    try:
        header = json.loads(lines[0])
        factors = [
            Factor(str(name), int(base), int(other)) for name, base, other in header["factors"]
        ]
        pairs = [_pair(line, len(factors)) for line in lines[1:-1]]
        settings = dict(header["settings"])
    except (ValueError, KeyError, TypeError, OverflowError) as error:
        raise DataError(f"{path}: not a file of kingcobra screen") from error
    if not factors or len({pair.number for pair in pairs}) < len(pairs):
        raise DataError(f"{path}: without parameters, or written by two runs at once")
    return PlayedScreening(factors, settings, pairs)


def _drop_cut_line(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(file.read().rfind(b"\n") + 1)


def _pair(line: str, count: int) -> PlayedPair:
    found = json.loads(line)
    signs, half_points = found["first"], int(found["half_points"])
    if len(signs) != count or set(signs) - {"+", "-"} or not 0 <= half_points < PAIR_RESULTS:
        raise ValueError(line)
    return PlayedPair(int(found["pair"]), tuple(sign == "+" for sign in signs), half_points)


# --- what it means ----------------------------------------------------------------------------


def effects(factors: Sequence[Factor], pairs: Sequence[PlayedPair]) -> list[Effect]:
    """The worth of each factor, largest effects first; none while there are too few games to tell
    them apart."""
    signs = (
        np.array([pair.has_other for pair in pairs], dtype=float).reshape(-1, len(factors)) * 2 - 1
    )
    degrees_of_freedom = len(pairs) - len(factors)
    if degrees_of_freedom < LEAST_FREEDOM or np.linalg.matrix_rank(signs) < len(factors):
        return []
    points = np.array([pair.half_points for pair in pairs]) / MOST_HALF_POINTS - 0.5
    inverse = np.linalg.inv(signs.T @ signs)
    found = inverse @ signs.T @ points
    variance = ((points - signs @ found) ** 2).sum() / degrees_of_freedom
    errors = Z_CONFIDENCE * np.sqrt(variance * np.diag(inverse))
    listed = [
        Effect(factor, float(one) * ELO_PER_POINT, float(error) * ELO_PER_POINT)
        for factor, one, error in zip(factors, found, errors, strict=True)
    ]
    return sorted(listed, key=lambda effect: -abs(effect.elo))


def games_of(pairs: Sequence[PlayedPair]) -> int:
    """How many games that were."""
    return len(pairs) * GAMES_PER_PAIR

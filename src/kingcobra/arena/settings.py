# SPDX-License-Identifier: GPL-3.0-or-later
"""The settings of matches and tunings as values, checked when they are made."""

import importlib.util
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from kingcobra.arena.contests.contest import Contest, Workers
from kingcobra.arena.contests.match import Match, MatchPlan
from kingcobra.arena.contests.match_files import StateError
from kingcobra.arena.contests.schedule import GAMES_PER_PAIR
from kingcobra.arena.contests.standing import Anchor
from kingcobra.arena.contests.tuned_files import ResultFiles
from kingcobra.arena.contests.tuning import Tuning, TuningPlan
from kingcobra.arena.engines.engine_process import STOP_TIMEOUT_S
from kingcobra.arena.engines.engine_spec import SELF, EngineSpec, parse_engine, with_unique_names
from kingcobra.arena.engines.time_control import MS_PER_SECOND, TimeControl, parse_time_control
from kingcobra.arena.errors import SettingError
from kingcobra.arena.games.adjudication import DrawRule, ResignRule, require_tables
from kingcobra.arena.games.game import DEFAULT_MARGIN_MS, DEFAULT_MOVE_TIMEOUT_S, Rules
from kingcobra.arena.games.openings import Book, read_book
from kingcobra.core.search.tunables import TUNABLES, Tunable
from kingcobra.errors import not_installed
from kingcobra.statistics.sprt import Sprt
from kingcobra.statistics.spsa import GainSchedule

DEFAULT_SEED = 1
DEFAULT_RATE = 0.002
RANDOM_ORDER, BOOK_ORDER = "random", "book"
ORDERS = (RANDOM_ORDER, BOOK_ORDER)


@dataclass(frozen=True, kw_only=True, repr=False)
class GameSettings(ABC):
    """What a match and a tuning have in common: how games are played, from which openings, on how
    many workers, and into which files. SettingError, a ValueError, for a value that no game can be
    played with.

    tc              of each player, `8+0.08` or `nodes=1000`
    margin_ms       a move that is late by no more than this is forgiven
    move_timeout_s  for a move that no clock limits
    stop_timeout_s  for obeying `stop` when over time; an engine that takes longer is hung
    book            EPD or FEN lines, or games (.pgn); without one, the starting position
    book_start      how many of its openings are left out
    order, seed     `random`, shuffled by the seed, or `book`
    resign, draw    adjudication by scores
    max_moves       a game in which each side has made so many moves is drawn
    syzygy          folders of tablebases that adjudicate games
    faults_apart    games that a fault decided are listed but not scored
    concurrency     games at once
    cluster         address of a Ray cluster, `auto` for the one this machine belongs to
    pgn             file for the games; without one, nothing is written
    resume          continue with the games in the files
    overwrite       drop what the files hold
    """

    tc: TimeControl | str
    margin_ms: int = DEFAULT_MARGIN_MS
    move_timeout_s: float = DEFAULT_MOVE_TIMEOUT_S
    stop_timeout_s: float = STOP_TIMEOUT_S
    book: Path | str | None = None
    book_start: int = 0
    order: str = RANDOM_ORDER
    seed: int = DEFAULT_SEED
    chess960: bool = False
    resign: ResignRule | None = None
    draw: DrawRule | None = None
    max_moves: int | None = None
    syzygy: Path | str | None = None
    faults_apart: bool = False
    concurrency: int = 1
    cluster: str | None = None
    pgn: Path | str | None = None
    resume: bool = False
    overwrite: bool = False

    def __post_init__(self) -> None:
        _require_type("tc", self.tc, (str, TimeControl), 'text such as "8+0.08", or TimeControl(8)')
        _require_number("concurrency", self.concurrency, 1)
        _require_number("margin_ms", self.margin_ms, 0)
        _require_number("move_timeout_s", self.move_timeout_s, 0, float)
        _require_number("stop_timeout_s", self.stop_timeout_s, 0, float)
        _require_number("book_start", self.book_start, 0)
        _require_number("seed", self.seed)
        if self.max_moves is not None:
            _require_number("max_moves", self.max_moves, 1)
        if self.order not in ORDERS:
            raise SettingError("order", f"must be {' or '.join(ORDERS)}, got {self.order!r}")
        _require_type_or_none("resign", self.resign, ResignRule, "ResignRule(moves=3, cp=600)")
        _require_type_or_none("draw", self.draw, DrawRule, "DrawRule(from_move=34, moves=8, cp=20)")
        if self.resume and self.overwrite:
            raise SettingError("resume", "and overwrite exclude each other")
        if self.cluster is not None and importlib.util.find_spec("ray") is None:
            raise SettingError("cluster", f"cannot be used: {not_installed('Ray', 'cluster')}")

    def __repr__(self) -> str:
        """Without the fields that have their defaults."""
        values = ((field, getattr(self, field.name)) for field in fields(self))
        shown = [f"{field.name}={value!r}" for field, value in values if value != field.default]
        return f"{type(self).__name__}({', '.join(shown)})"

    @abstractmethod
    def contest(self) -> Contest:
        """What is to be played with these settings. ValueError or OSError where a file, an engine's
        description or a time control cannot be read."""

    def rules(self) -> Rules:
        """What holds for every game."""
        syzygy = None if self.syzygy is None else str(self.syzygy)
        require_tables(syzygy)
        return Rules(
            time_control=parse_time_control(self.tc) if isinstance(self.tc, str) else self.tc,
            margin_s=self.margin_ms / MS_PER_SECOND,
            move_timeout_s=self.move_timeout_s,
            stop_timeout_s=self.stop_timeout_s,
            chess960=self.chess960,
            resign=self.resign,
            draw=self.draw,
            max_moves=self.max_moves,
            syzygy=syzygy,
        )

    def openings(self, book: Path | str | None, count: int) -> Book:
        """The first openings of a book in the order asked for; without one, the start."""
        if book is None:
            return Book()
        return read_book(Path(book), self.chess960, count, self.opening_seed, self.book_start)

    @property
    def opening_seed(self) -> int | None:
        """Shuffles the openings; None for the book's own order."""
        return None if self.order == BOOK_ORDER else self.seed

    @property
    def workers(self) -> Workers:
        return Workers(self.concurrency, self.cluster)

    @property
    def pgn_path(self) -> Path | None:
        return None if self.pgn is None else Path(self.pgn)


@dataclass(frozen=True, kw_only=True, repr=False)
class MatchSettings(GameSettings):
    """A match of two engines, a round robin of more, or a gauntlet of the first against the others.

    engines    from `engine(...)`, or text as for `--engine`
    games      of each pairing, rounded up to whole pairs
    gauntlet   only the first engine against each other one
    anchor     the engine whose rating is given in the table; the first at 0 by default
    sprt       a test of two engines that ends the match as soon as it is decided
    move_book  PGN, for meetings with an engine that cannot set up the positions of `book`
    """

    engines: Sequence[EngineSpec | str]
    games: int
    gauntlet: bool = False
    anchor: Anchor | None = None
    sprt: Sprt | None = None
    move_book: Path | str | None = None

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_number("games", self.games, 1)
        _require_type_or_none("sprt", self.sprt, Sprt, "Sprt(0, 2)")
        _require_type_or_none("anchor", self.anchor, Anchor, 'Anchor("name", 1500)')
        if isinstance(self.engines, str) or len(self.engines) < GAMES_PER_PAIR:
            raise SettingError("engines", f"must be two or more, got {self.engines!r}")
        for given in self.engines:
            _require_type("engines", given, (str, EngineSpec), 'text, or engine("stockfish")')
        if self.sprt is not None and len(self.engines) != GAMES_PER_PAIR:
            raise SettingError("sprt", f"takes two engines, got {len(self.engines)}")

    def contest(self) -> Match:
        engines = with_unique_names([_engine_spec(given) for given in self.engines])
        names = [spec.name for spec in engines]
        if self.anchor is not None and self.anchor.name not in names:
            reason = f"{self.anchor.name!r} is not playing: the engines are called"
            raise SettingError("anchor", f"{reason} {', '.join(names)}")
        rounds = -(-self.games // GAMES_PER_PAIR)
        plan = MatchPlan(
            engines=engines,
            book=self.openings(self.book, rounds),
            rules=self.rules(),
            rounds=rounds,
            seed=self.opening_seed,
            gauntlet=self.gauntlet,
            sprt=self.sprt,
            move_book=self.openings(self.move_book, rounds) if self.move_book else None,
            anchor=self.anchor,
            faults_apart=self.faults_apart,
        )
        return Match(plan, self.pgn_path, self.workers)


@dataclass(frozen=True, kw_only=True, repr=False)
class TuningSettings(GameSettings):
    """A tuning of the search's parameters by games (SPSA).

    iterations  how often the values move
    engine      a Kingcobra, this one by default
    tunables    the parameters, `select_tunables("reduce_*")`; all by default
    pairs       pairs of games for each iteration
    rate        the last shift for each game won more than lost, in perturbations
    step_scale  the last perturbation, in the tunable's own steps
    """

    iterations: int
    engine: EngineSpec | str = SELF
    tunables: Sequence[Tunable] = TUNABLES
    pairs: int = 1
    rate: float = DEFAULT_RATE
    step_scale: float = 1.0
    faults_apart: bool = True

    def __post_init__(self) -> None:
        super().__post_init__()
        _require_number("iterations", self.iterations, 1)
        _require_number("pairs", self.pairs, 1)
        if not self.tunables:
            raise SettingError("tunables", "are none: nothing to tune")

    def contest(self) -> Tuning:
        plan = TuningPlan(
            engine=_engine_spec(self.engine),
            tunables=tuple(self.tunables),
            schedule=GainSchedule(self.iterations, self.rate, self.step_scale),
            pairs=self.pairs,
            book=self.openings(self.book, self.iterations * self.pairs),
            rules=self.rules(),
            seed=self.seed,
            order=self.order,
            faults_apart=self.faults_apart,
        )
        pgn, files = self.pgn_path, self.result_files()
        assert pgn is not None
        for file in files:
            if file.exists() and not (self.resume or self.overwrite):
                raise StateError(f"{file} exists; --resume continues it, --overwrite replaces it")
        return Tuning(plan, pgn, files.path, self.workers)

    def result_files(self) -> ResultFiles:
        """SettingError without a PGN to name them after, or if it has the name of one of them."""
        pgn = self.pgn_path
        if pgn is None:
            raise SettingError("pgn", "is missing: the files of the tuning are named after it")
        files = ResultFiles.beside(pgn)
        if pgn in files:
            raise SettingError("pgn", f"{pgn}: {pgn.suffix} is for another of the files")
        return files


def _engine_spec(given: EngineSpec | str) -> EngineSpec:
    return parse_engine(given) if isinstance(given, str) else given


def _require_number(
    name: str, value: Any, least: int | None = None, kind: type[int] | type[float] = int
) -> None:
    is_number = isinstance(value, int) or (kind is float and isinstance(value, float))
    if isinstance(value, bool) or not is_number:
        what = "whole number" if kind is int else "number"
        raise SettingError(name, f"must be a {what}, got {value!r}")
    if least is not None and not value >= least:
        raise SettingError(name, f"must be at least {least}, got {value}")


def _require_type(name: str, value: Any, kinds: type | tuple[type, ...], example: str) -> None:
    if not isinstance(value, kinds):
        raise SettingError(name, f"must be given as {example}, got {value!r}")


def _require_type_or_none(name: str, value: Any, kind: type, example: str) -> None:
    if value is not None:
        _require_type(name, value, kind, example)

# SPDX-License-Identifier: GPL-3.0-or-later
"""A training run as a TOML file describes it. Every key has a default, but positions must come from
somewhere: files, a harvest, or both.

[network]
family = "pairwise"        # or "regions", "halfkp"
width = 256
warm_start = "old.nnue"    # optional; or "default"

[data]
train = ["harvest.kcp"]
validation = "some.kcp"    # optional: else a part of the training data
holdouts = ["strong.kcp"]  # optional: how far the network is from their labels at the end
max_score = 48000          # raw units; positions beyond are left out

[harvest]                  # optional: the cores play while the device learns
teacher = "teacher.nnue"   # or "default", or "classical"
students = ["old.nnue", "teacher"]  # optional: who plays while the teacher labels
nodes = 400
capacity = 50000000        # positions kept; then the oldest are replaced

[match]                    # optional: games at the end, inside compiled code
versus = "old.nnue"        # or "classical"
seconds = 60

[training]
seconds = 1200
batch = 16384
peak_rate = 1e-3

[loss]
result_weight = 0.0
"""

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.network.architectures import (
    ARCHITECTURES,
    MAX_WIDTH,
    REGIONS,
    SQUARED,
    WIDTH_STEP,
    Architecture,
    is_possible_width,
)
from kingcobra.errors import reason_of
from kingcobra.training.runs.loss import LossRule
from kingcobra.training.runs.schedule import Schedule
from kingcobra.training.selfplay.player import CLASSICAL, DEFAULT, TEACHER
from kingcobra.training.selfplay.settings import LONGEST_GAME, USUAL_PLIES, SelfPlaySettings

SHARES = frozenset(
    (
        "until",
        "chess960_share",
        "random_move_share",
        "book_share",
        "noisy_share",
        "game_share",
        "warm_up",
        "rounded",
        "result_weight",
    )
)
AT_LEAST_ONE = frozenset(
    (
        "batch",
        "nodes",
        "most_plies",
        "one_in",
        "capacity",
        "first_positions",
        "validation_positions",
    )
)
LARGEST = {"most_plies": LONGEST_GAME}
ABOVE_ZERO = frozenset(("epsilon", "power", "score_scale", "output_scale"))
FAMILIES = {"pairwise": SQUARED, "regions": REGIONS, "halfkp": ARCHITECTURES[0]}


class SettingsError(ValueError):
    """A run that cannot be made; the message names the key and what is wrong with it."""


@dataclass(frozen=True)
class NetworkSettings:
    """Which network is trained, and from where it starts."""

    family: str = "pairwise"
    width: int = 256
    warm_start: str = ""
    seed: int = 1

    def architecture(self) -> Architecture:
        """The architecture meant; SettingsError where there is none."""
        if self.family not in FAMILIES:
            known = ", ".join(FAMILIES)
            raise SettingsError(f"network.family {self.family!r}, expected one of {known}")
        if not is_possible_width(self.width):
            raise SettingsError(
                f"network.width {self.width}, expected a multiple of {WIDTH_STEP} up to {MAX_WIDTH}"
            )
        return FAMILIES[self.family].at_width(self.width)


@dataclass(frozen=True)
class DataSettings:
    """Which positions are used. `holdouts` are files that are only measured, at the end: the same
    ones for every run make runs comparable."""

    train: list[str] = field(default_factory=list)
    validation: str = ""
    validation_positions: int = 100_000
    max_score: int = 160_000
    holdouts: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class HarvestSettings:
    """How the cores make positions while the device learns; not at all without a teacher.

    `students`         who plays while the teacher labels, one for each thread in turn; may name
                       the teacher again. Nobody: the teacher plays.
    `threads`          zero: one for each CPU but one
    `capacity`         positions that are kept; then the oldest are replaced
    `first_positions`  learning begins when there are so many
    `until`            the share of the learning time after which the cores rest
    `most_plies`       where a game ends at the latest: few, and all positions are near a start
    """

    teacher: str = ""
    students: list[str] = field(default_factory=list)
    nodes: int = 400
    threads: int = 0
    capacity: int = 50_000_000
    first_positions: int = 500_000
    until: float = 1.0
    one_in: int = 4
    noisy_share: float = 0.0
    game_share: float = 0.0
    max_pawns: float = 15.0
    win_pawns: float = 10.0
    play_out_draws: bool = False
    most_plies: int = USUAL_PLIES
    chess960_share: float = 0.12
    random_move_share: float = 0.02
    book: str = ""
    book_share: float = 0.5
    seed: int = 1

    def players(self) -> SelfPlaySettings:
        """How games are played."""
        return SelfPlaySettings(
            soft_nodes=self.nodes,
            seed=self.seed,
            one_in=self.one_in,
            noisy_share=self.noisy_share,
            game_share=self.game_share,
            max_pawns=self.max_pawns,
            win_score=round(self.win_pawns * PAWN_UNITS),
            play_out_draws=self.play_out_draws,
            most_plies=self.most_plies,
            chess960_share=self.chess960_share,
            random_move_share=self.random_move_share,
            book_share=self.book_share,
        )


@dataclass(frozen=True)
class MatchSettings:
    """The match of the new network at the end; none without an opponent. Threads as for the
    harvest, but all CPUs."""

    versus: str = ""
    nodes: int = 2000
    seconds: float = 60.0
    threads: int = 0
    chess960_share: float = 0.0
    book: str = ""


@dataclass(frozen=True)
class TrainingSettings:
    """How long, how fast, how often something is told or kept.

    `epsilon`   Adam's: weights whose gradients are not much larger, those of rare inputs, learn
                more slowly, which keeps them from learning single positions by heart
    `compiled`  has PyTorch compile the step where the device is a GPU
    `captured`  has a GPU launch a compiled step as a whole, as a CUDA graph
    """

    seconds: float = 1200.0
    batch: int = 16_384
    peak_rate: float = 1e-3
    end_rate: float = 1e-5
    warm_up: float = 0.03
    epsilon: float = 1e-8
    rounded: float = 0.2
    report_seconds: float = 20.0
    checkpoint_seconds: float = 120.0
    device: str = "auto"
    compiled: bool = True
    captured: bool = True

    def schedule(self) -> Schedule:
        """The learning rate over the run."""
        return Schedule(self.peak_rate, self.end_rate, self.warm_up, self.rounded)


@dataclass(frozen=True)
class RunSettings:
    """All of a run."""

    network: NetworkSettings = field(default_factory=NetworkSettings)
    data: DataSettings = field(default_factory=DataSettings)
    harvest: HarvestSettings = field(default_factory=HarvestSettings)
    match: MatchSettings = field(default_factory=MatchSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    loss: LossRule = field(default_factory=LossRule)


_PARTS = {
    "network": NetworkSettings,
    "data": DataSettings,
    "harvest": HarvestSettings,
    "match": MatchSettings,
    "training": TrainingSettings,
    "loss": LossRule,
}


def read_settings(path: Path, train: Sequence[str] = ()) -> RunSettings:
    """The run that a file describes; SettingsError for anything that is none. Files are relative to
    the settings' folder, except those of `train`, which replace the file's own."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: {reason_of(error)}") from error
    try:
        return settings_from(content, path.parent, train)
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error


def settings_from(content: dict[str, Any], folder: Path, train: Sequence[str] = ()) -> RunSettings:
    """The run that tables of values describe, as `read_settings` does."""
    unknown = sorted(content.keys() - _PARTS.keys())
    if unknown:
        raise SettingsError(f"[{unknown[0]}] is unknown, expected {', '.join(_PARTS)}")
    parts = {name: _part(name, kind, content.get(name, {})) for name, kind in _PARTS.items()}
    settings = RunSettings(**parts)
    settings.network.architecture()
    if train:
        files = [str(Path(name).absolute()) for name in train]
        settings = replace(settings, data=replace(settings.data, train=files))
    if not settings.data.train and not settings.harvest.teacher:
        raise SettingsError("neither data.train nor harvest.teacher says where positions are from")
    return _located(settings, folder)


def _located(settings: RunSettings, folder: Path) -> RunSettings:
    """The same with files relative to the folder."""

    def place(name: str) -> str:
        return name if name in ("", CLASSICAL, DEFAULT) else str(folder / name)

    def place_student(name: str) -> str:
        return name if name == TEACHER else place(name)

    data, network, harvest, match = (
        settings.data,
        settings.network,
        settings.harvest,
        settings.match,
    )
    return replace(
        settings,
        network=replace(network, warm_start=place(network.warm_start)),
        data=replace(
            data,
            train=[place(name) for name in data.train],
            validation=place(data.validation),
            holdouts=[place(name) for name in data.holdouts],
        ),
        harvest=replace(
            harvest,
            teacher=place(harvest.teacher),
            students=[place_student(name) for name in harvest.students],
            book=place(harvest.book),
        ),
        match=replace(match, versus=place(match.versus), book=place(match.book)),
    )


def _part(name: str, kind: Any, values: Any) -> Any:
    if not isinstance(values, dict):
        raise SettingsError(f"{name} is {values!r}, expected a table [{name}]")
    known = {entry.name: entry for entry in fields(kind)}
    for key, value in values.items():
        if key not in known:
            raise SettingsError(f"{name}.{key} is unknown, expected {', '.join(known)}")
        default = getattr(kind(), key)
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        fits = is_number if isinstance(default, float) else isinstance(value, type(default))
        if not fits:
            raise SettingsError(f"{name}.{key} is {value!r}, expected {type(default).__name__}")
        if isinstance(value, list) and not all(isinstance(item, str) for item in value):
            raise SettingsError(f"{name}.{key} is {value!r}, expected a list of names")
        if is_number and value < 0:
            raise SettingsError(f"{name}.{key} is {value!r}, expected no negative number")
        if key in SHARES and value > 1:
            raise SettingsError(f"{name}.{key} is {value!r}, expected at most 1")
        if key in ABOVE_ZERO and not value > 0:
            raise SettingsError(f"{name}.{key} is {value!r}, expected a number above 0")
        if key in AT_LEAST_ONE and value < 1:
            raise SettingsError(f"{name}.{key} is {value!r}, expected at least 1")
        if value > LARGEST.get(key, value):
            raise SettingsError(f"{name}.{key} is {value!r}, expected at most {LARGEST[key]}")
    return kind(**values)

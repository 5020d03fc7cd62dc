# SPDX-License-Identifier: GPL-3.0-or-later
"""A training run as a TOML file describes it. Every key has a default but the files of data.

[network]
family = "pairwise"        # or "halfkp"
width = 256
warm_start = "old.nnue"    # optional

[data]
train = ["harvest.kcp"]
validation = "holdout.kcp" # optional: else a part of the training data
max_score = 48000          # raw units; positions beyond are left out

[training]
seconds = 1200
batch = 16384
peak_rate = 1e-3

[loss]
result_weight = 0.0
"""

import tomllib
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any

from kingcobra.core.network.architectures import (
    ARCHITECTURES,
    MAX_WIDTH,
    SQUARED,
    WIDTH_STEP,
    Architecture,
    is_possible_width,
)
from kingcobra.errors import reason_of
from kingcobra.training.runs.loss import LossRule
from kingcobra.training.runs.schedule import Schedule

FAMILIES = {"pairwise": SQUARED, "halfkp": ARCHITECTURES[0]}


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
    """Which positions are used."""

    train: list[str] = field(default_factory=list)
    validation: str = ""
    validation_positions: int = 100_000
    max_score: int = 160_000


@dataclass(frozen=True)
class TrainingSettings:
    """How long, how fast, how often something is told or kept."""

    seconds: float = 1200.0
    batch: int = 16_384
    peak_rate: float = 1e-3
    end_rate: float = 1e-5
    warm_up: float = 0.03
    rounded: float = 0.2
    report_seconds: float = 20.0
    checkpoint_seconds: float = 120.0
    device: str = "auto"

    def schedule(self) -> Schedule:
        """The learning rate over the run."""
        return Schedule(self.peak_rate, self.end_rate, self.warm_up, self.rounded)


@dataclass(frozen=True)
class RunSettings:
    """All of a run."""

    network: NetworkSettings = field(default_factory=NetworkSettings)
    data: DataSettings = field(default_factory=DataSettings)
    training: TrainingSettings = field(default_factory=TrainingSettings)
    loss: LossRule = field(default_factory=LossRule)


_PARTS = {
    "network": NetworkSettings,
    "data": DataSettings,
    "training": TrainingSettings,
    "loss": LossRule,
}


def read_settings(path: Path) -> RunSettings:
    """The run that a file describes; SettingsError for anything that is none. Files of data are
    relative to the settings' folder."""
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingsError(f"{path}: {reason_of(error)}") from error
    try:
        return settings_from(content, path.parent)
    except SettingsError as error:
        raise SettingsError(f"{path}: {error}") from error


def settings_from(content: dict[str, Any], folder: Path) -> RunSettings:
    """The run that tables of values describe."""
    unknown = sorted(content.keys() - _PARTS.keys())
    if unknown:
        raise SettingsError(f"[{unknown[0]}] is unknown, expected {', '.join(_PARTS)}")
    parts = {name: _part(name, kind, content.get(name, {})) for name, kind in _PARTS.items()}
    settings = RunSettings(**parts)
    settings.network.architecture()
    if not settings.data.train:
        raise SettingsError("data.train names no files")
    resolved = DataSettings(
        train=[str(folder / name) for name in settings.data.train],
        validation=str(folder / settings.data.validation) if settings.data.validation else "",
        validation_positions=settings.data.validation_positions,
        max_score=settings.data.max_score,
    )
    return RunSettings(settings.network, resolved, settings.training, settings.loss)


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
        if is_number and value < 0:
            raise SettingsError(f"{name}.{key} is {value!r}, expected no negative number")
    return kind(**values)

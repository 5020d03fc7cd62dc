# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run leaves beside its network: a line of figures for each report, and at the end
everything that somebody needs who asks how the network was made."""

import csv
import json
import platform
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import torch

from kingcobra.file_writing import draft_of
from kingcobra.training.data.comparison import Distance
from kingcobra.training.runs.final_match import MatchResult
from kingcobra.training.runs.settings import RunSettings
from kingcobra.training.runs.trainer import Metrics
from kingcobra.version import __version__


def metrics_line(metrics: Metrics) -> str:
    """How a run goes, for people."""
    millions = metrics.positions / 1e6
    per_second = millions / max(metrics.seconds, 1e-9)
    return (
        f"{metrics.seconds:.0f} s, {millions:.1f} M positions ({per_second:.2f} M/s),"
        f" rate {metrics.rate:.1e}, loss {metrics.training_loss:.6f}, validation"
        f" {metrics.validation_loss:.6f}, exported {metrics.exported_loss:.6f}, error"
        f" {metrics.exported_error:.0f} raw, dead {metrics.dead_share:.1%}"
    )


class MetricsFile:
    """A CSV file that grows line by line; a run that goes on appends to it."""

    def __init__(self, path: Path) -> None:
        is_new = not path.exists() or not path.stat().st_size
        self._file = path.open("a", newline="", encoding="utf-8")
        self._writer = csv.writer(self._file)
        if is_new:
            self._writer.writerow([field.name for field in fields(Metrics)])

    def append(self, metrics: Metrics) -> None:
        """Writes a line at once. May raise OSError."""
        self._writer.writerow([getattr(metrics, field.name) for field in fields(Metrics)])
        self._file.flush()

    def __enter__(self) -> "MetricsFile":
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()


def network_description(settings: RunSettings, origins: list[dict[str, Any]]) -> str:
    """What a network's file says of itself: who made it, and whose labels it learnt."""
    labels = "; ".join(json.dumps(origin, sort_keys=True) for origin in origins)
    return f"Kingcobra {__version__}, {settings.network.family} {settings.network.width}; {labels}"


@dataclass(frozen=True)
class RunReport:
    """All of it. Seconds are of the wall clock since the run began, losses those of validation:
    what rounding to integers costs is the difference of `exported_loss` and `validation_loss`."""

    settings: RunSettings
    labels: list[dict[str, Any]]
    device: str
    positions: int
    final: Metrics
    best_loss: float
    checked_positions: int
    holdouts: dict[str, list[Distance]]
    seconds: dict[str, float]
    match: MatchResult | None

    def write(self, path: Path) -> None:
        """Writes it as JSON, whole or not at all. May raise OSError."""
        content = asdict(self)
        content["quantisation_loss"] = self.final.exported_loss - self.final.validation_loss
        content["versions"] = {
            "kingcobra": __version__,
            "torch": torch.__version__,
            "python": platform.python_version(),
        }
        with draft_of(path) as draft:
            draft.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")

# SPDX-License-Identifier: GPL-3.0-or-later
"""The path of the parameters through a tuning: a CSV file, and a plot of it."""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from kingcobra.core.search.tunables import Tunable

ENDED = "ended"
FIRST_COLUMNS = (ENDED, "iteration", "losses", "draws", "wins")
PLOTTED_POINTS = 1000
COLUMNS_OF_PLOTS = 5
INCHES_PER_PLOT = (3.2, 2.2)
DOTS_PER_INCH = 100
LEAST_STEPS_SHOWN = 2


class PlotError(RuntimeError):
    """A plot that cannot be drawn."""


@dataclass(frozen=True)
class Waypoint:
    """The values when so many iterations had ended, which of them was the last to, and what its
    games were for plus. Of games played at once, later ones may end first."""

    ended: int
    iteration: int
    losses: int
    draws: int
    wins: int
    values: Mapping[str, float]


class PathFile:
    """One row for each iteration, in the order in which they ended and were learnt from."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._path = path
        self._names = list(names)
        self._file: TextIO | None = None
        self._writer: Any = None

    def begin(self) -> None:
        """An empty file but for the names of the columns."""
        self._file = self._path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow([*FIRST_COLUMNS, *self._names])
        self._file.flush()

    def add(self, point: Waypoint) -> None:
        """Written through at once, so that the file can be watched."""
        assert self._file is not None
        values = [f"{point.values[name]:.4f}" for name in self._names]
        self._writer.writerow(
            [point.ended, point.iteration, point.losses, point.draws, point.wins, *values]
        )
        self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def plot_path(csv_path: Path, png_path: Path, tunables: Sequence[Tunable]) -> None:
    """Every parameter's path in a small plot of its own, its default dashed. PlotError where
    matplotlib is not installed, or nothing has been played."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise PlotError("matplotlib is missing: pip install 'kingcobra[plot]'") from None
    paths = _read_path(csv_path, tunables)
    columns = min(COLUMNS_OF_PLOTS, len(tunables))
    rows = math.ceil(len(tunables) / columns)
    width, height = INCHES_PER_PLOT
    figure = Figure(figsize=(width * columns, height * rows), layout="constrained")
    FigureCanvasAgg(figure)
    for number, tunable in enumerate(tunables, start=1):
        axes = figure.add_subplot(rows, columns, number)
        ended, values = paths[tunable.name]
        axes.plot(ended, values, linewidth=1)
        axes.axhline(tunable.default, linestyle="--", linewidth=0.7, color="gray")
        axes.set_ylim(*_limits(tunable, values))
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_title(tunable.name, fontsize="small")
        axes.tick_params(labelsize="x-small")
    figure.supxlabel("iterations ended", fontsize="small")
    figure.savefig(png_path, dpi=DOTS_PER_INCH)


def _limits(tunable: Tunable, values: Sequence[float]) -> tuple[float, float]:
    """A few steps around the default at least, so that trembling does not look like moving."""
    room = LEAST_STEPS_SHOWN * tunable.step
    return min(tunable.default - room, *values), max(tunable.default + room, *values)


def _read_path(
    csv_path: Path, tunables: Sequence[Tunable]
) -> dict[str, tuple[list[int], list[float]]]:
    """Of each parameter: when how many iterations had ended it was where. Long paths are thinned
    out."""
    with csv_path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    if not rows:
        raise PlotError("no iteration has ended yet")
    every = math.ceil(len(rows) / PLOTTED_POINTS)
    chosen = sorted({*range(0, len(rows), every), len(rows) - 1})
    ended = [0, *(int(rows[number][ENDED]) for number in chosen)]
    return {
        tunable.name: (
            ended,
            [float(tunable.default), *(float(rows[number][tunable.name]) for number in chosen)],
        )
        for tunable in tunables
    }

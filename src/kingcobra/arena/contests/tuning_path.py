# SPDX-License-Identifier: GPL-3.0-or-later
"""The path of the parameters through a tuning: a CSV file, and a plot of it."""

import csv
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from kingcobra.errors import not_installed
from kingcobra.statistics.spsa import Parameter

ENDED = "ended"
FIRST_COLUMNS = (ENDED, "iteration", "losses", "draws", "wins")
PLOTTED_POINTS = 1000
COLUMNS_OF_PLOTS = 5
INCHES_PER_PLOT = (3.2, 2.2)
DOTS_PER_INCH = 100
LEAST_STEPS_SHOWN = 2


class PlotError(RuntimeError):
    """A plot that cannot be drawn, and why not."""


@dataclass(frozen=True)
class Waypoint:
    """The values after so many iterations, the number of the last one, and its results for plus.
    Iterations played at once may end in another order."""

    ended: int
    iteration: int
    losses: int
    draws: int
    wins: int
    values: Mapping[str, float]


class PathFile:
    """A CSV file with one row for each iteration, in the order in which they ended."""

    def __init__(self, path: Path, names: Sequence[str]) -> None:
        self._path = path
        self._names = list(names)
        self._file: TextIO | None = None
        self._writer: Any = None

    def begin(self) -> None:
        """Creates the file with the names of the columns."""
        self._file = self._path.open("w", encoding="utf-8", newline="")
        self._writer = csv.writer(self._file, lineterminator="\n")
        self._writer.writerow([*FIRST_COLUMNS, *self._names])
        self._file.flush()

    def add(self, point: Waypoint) -> None:
        """Appends a row, and flushes the file so that others can follow it."""
        assert self._file is not None
        values = [f"{point.values[name]:.4f}" for name in self._names]
        self._writer.writerow(
            [point.ended, point.iteration, point.losses, point.draws, point.wins, *values]
        )
        self._file.flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()


def plot_path(csv_path: Path, png_path: Path, tunables: Sequence[Parameter]) -> None:
    """The path of every parameter in a small plot of its own, its default dashed. PlotError if
    matplotlib is not installed or no iteration has ended."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
        from matplotlib.ticker import MaxNLocator
    except ImportError:
        raise PlotError(not_installed("matplotlib", "plot")) from None
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


def _limits(tunable: Parameter, values: Sequence[float]) -> tuple[float, float]:
    """At least a few steps around the default, so that noise does not look like movement."""
    room = LEAST_STEPS_SHOWN * tunable.step
    return min(tunable.default - room, *values), max(tunable.default + room, *values)


def _read_path(
    csv_path: Path, tunables: Sequence[Parameter]
) -> dict[str, tuple[list[int], list[float]]]:
    """For each parameter, the numbers of ended iterations and its values. Long paths are thinned
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

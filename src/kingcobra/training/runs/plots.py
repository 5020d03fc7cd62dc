# SPDX-License-Identifier: GPL-3.0-or-later
"""A run's history as a picture: losses, error, rate, and the signs of trouble."""

import csv
from pathlib import Path

from kingcobra.errors import not_installed

INCHES, DOTS_PER_INCH = (11.0, 7.0), 110
# What each plot shows: its title, the columns of the history, whether the axis is logarithmic.
PLOTS = (
    ("loss", ("training_loss", "validation_loss", "exported_loss"), True),
    ("error of the exported network, raw units", ("exported_error",), False),
    ("learning rate", ("rate",), True),
    ("dead neurons, saturated weights", ("dead_share", "saturated_share"), False),
)
COLUMNS = 2


class PlotError(Exception):
    """A picture that cannot be made; one line that says why."""


def plot_history(history: Path, picture: Path) -> None:
    """Draws the history of a run. PlotError if matplotlib is not installed or there is nothing to
    draw; may raise OSError."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg
        from matplotlib.figure import Figure
    except ImportError:
        raise PlotError(not_installed("matplotlib", "plot")) from None
    rows = read_history(history)
    figure = Figure(figsize=INCHES, layout="constrained")
    FigureCanvasAgg(figure)
    seconds = [row["seconds"] for row in rows]
    for number, (title, columns, is_logarithmic) in enumerate(PLOTS, start=1):
        axes = figure.add_subplot(-(-len(PLOTS) // COLUMNS), COLUMNS, number)
        for column in columns:
            axes.plot(seconds, [row[column] for row in rows], label=column.replace("_", " "))
        axes.set_title(title, fontsize="medium")
        if is_logarithmic:
            axes.set_yscale("log")
        axes.legend(fontsize="small")
    figure.supxlabel("seconds of learning", fontsize="medium")
    figure.savefig(picture, dpi=DOTS_PER_INCH)


def read_history(path: Path) -> list[dict[str, float]]:
    """The lines of a run's metrics. A last line that was cut off is left out. PlotError if there is
    none, or if the file is something else; may raise OSError."""
    wanted = {"seconds", *(column for _, columns, _ in PLOTS for column in columns)}
    rows: list[dict[str, float]] = []
    with path.open(encoding="utf-8", errors="replace", newline="") as file:
        reader = csv.DictReader(file)
        missing = sorted(wanted - set(reader.fieldnames or ()))
        if missing:
            raise PlotError(f"{path}: no column {missing[0]!r}, so not the metrics of a run")
        for row in reader:
            try:
                rows.append({name: float(row[name]) for name in wanted})
            except (TypeError, ValueError):
                continue
    if not rows:
        raise PlotError(f"{path}: no line yet")
    return rows

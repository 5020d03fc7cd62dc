# SPDX-License-Identifier: GPL-3.0-or-later
"""What `kingcobra screen --tune` shows and writes: a table, and beside its games the path of the
parameters, a plot of it, and the new defaults as a diff."""

import csv
from collections.abc import Iterator
from pathlib import Path

from kingcobra.arena.contests.tuned_files import ResultFiles
from kingcobra.arena.contests.tuning_path import ENDED
from kingcobra.training.selfplay.screening import PlayedScreening
from kingcobra.training.selfplay.tuning import (
    ITERATIONS,
    iteration_of,
    path_of,
    spsa_of,
    steps_moved,
    tuned_values,
)

HEADING = "parameter"
# Before the parameters. Half points are those of plus.
PATH_COLUMNS = (ENDED, "iteration", "half_points")


def table_of(played: PlayedScreening) -> list[str]:
    """The parameters, those first that moved by most of their steps."""
    values = tuned_values(played)
    if not values:
        return []
    width = max(len(HEADING), *(len(one.parameter.name) for one in values))
    lines = [
        f"iteration {len(played.pairs)} of {played.settings[ITERATIONS]}",
        f"{HEADING:<{width}}  {'start':>6}  {'now':>9}  {'mean':>9}  {'steps':>6}",
    ]
    for one in values:
        lines.append(
            f"{one.parameter.name:<{width}}  {one.parameter.default:>6}  {one.last:>9.2f}"
            f"  {one.mean:>9.2f}  {steps_moved(one):>+6.2f}"
        )
    return lines


def write_results(games: Path, played: PlayedScreening) -> Iterator[str]:
    """Writes FILE.csv, FILE.diff and FILE.png beside FILE.jsonl, and yields a line about each of
    the last two. DefaultsError where the defaults cannot be replaced; may raise OSError."""
    files = ResultFiles.beside(games)
    _write_path(files.path, played)
    defaults = {one.parameter.name: round(one.mean) for one in tuned_values(played)}
    yield from files.write(defaults, spsa_of(played.factors, played.settings).parameters)


def _write_path(path: Path, played: PlayedScreening) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*PATH_COLUMNS, *(factor.name for factor in played.factors)])
        for ended, (pair, values) in enumerate(path_of(played), start=1):
            numbers = [f"{value:.4f}" for value in values.values()]
            writer.writerow([ended, iteration_of(pair), pair.half_points, *numbers])

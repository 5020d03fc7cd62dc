# SPDX-License-Identifier: GPL-3.0-or-later
"""What is written at the end of a tuning: the new defaults as a diff, and a plot of their path."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kingcobra.arena.contests.defaults_diff import defaults_diff, root_of
from kingcobra.arena.contests.tuning_path import PlotError, plot_path
from kingcobra.core.search import tunables as tunables_module
from kingcobra.statistics.spsa import Parameter

PATH_SUFFIX, PLOT_SUFFIX, DIFF_SUFFIX = ".csv", ".png", ".diff"


class ResultFiles(NamedTuple):
    """What a tuning writes beside its games."""

    path: Path
    plot: Path
    diff: Path

    @classmethod
    def beside(cls, games: Path) -> "ResultFiles":
        return cls(*(games.with_suffix(end) for end in (PATH_SUFFIX, PLOT_SUFFIX, DIFF_SUFFIX)))

    def write(self, defaults: Mapping[str, int], parameters: Sequence[Parameter]) -> Iterator[str]:
        """Writes the diff, then the plot of a path that is there, and yields a line about each.
        DefaultsError where the defaults cannot be replaced; may raise OSError."""
        source = Path(tunables_module.__file__)
        text = defaults_diff(source, defaults)
        self.diff.write_text(text, encoding="utf-8")
        if text:
            apply = f"`patch -p1 -d {root_of(source)} < {self.diff}`"
            yield f"{self.diff}: the new defaults; {apply} applies them"
        else:
            yield f"{self.diff} is empty: no default has changed"
        # Last: Matplotlib takes long to start, and if that is interrupted the diff is there.
        try:
            plot_path(self.path, self.plot, parameters)
            yield f"{self.plot}: the path of every parameter, from {self.path}"
        except PlotError as error:
            yield f"no plot of {self.path}: {error}"

# SPDX-License-Identifier: GPL-3.0-or-later
"""What a file of labelled positions holds, in figures."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.training.data.packed import (
    BLACK_TO_MOVE,
    DRAW,
    LOSS,
    RESULT_MASK,
    RESULT_SHIFT,
    UNKNOWN,
    WIN,
)

RESULT_NAMES = {WIN: "won", DRAW: "drawn", LOSS: "lost", UNKNOWN: "unknown"}
MOST_MEN = 32


class DataSummary:
    """Counts that grow block by block."""

    def __init__(self) -> None:
        self.positions = 0
        self.blocks = 0
        self.origins: list[dict[str, Any]] = []
        self._black = 0
        self._results = np.zeros(RESULT_MASK + 1, np.int64)
        self._men = np.zeros(MOST_MEN + 1, np.int64)
        self._score_sum = self._score_squares = 0.0

    def add(self, origin: dict[str, Any], records: NDArray[Any]) -> None:
        """Counts a block."""
        self.blocks += 1
        self.positions += len(records)
        if origin not in self.origins:
            self.origins.append(origin)
        self._black += int((records["flags"] & BLACK_TO_MOVE).sum())
        results = records["flags"] >> RESULT_SHIFT & RESULT_MASK
        self._results += np.bincount(results, minlength=len(self._results))
        men = np.minimum(np.bitwise_count(records["occupancy"]), MOST_MEN)
        self._men += np.bincount(men, minlength=len(self._men))
        scores = records["score"].astype(np.float64)
        self._score_sum += float(scores.sum())
        self._score_squares += float((scores * scores).sum())

    def as_dict(self) -> dict[str, Any]:
        """All figures. Scores are raw integers of the movers."""
        count = max(self.positions, 1)
        mean = self._score_sum / count
        return {
            "positions": self.positions,
            "blocks": self.blocks,
            "black_to_move": self._black / count,
            "results": {name: int(self._results[result]) for result, name in RESULT_NAMES.items()},
            "mean_men": float((self._men * np.arange(len(self._men))).sum()) / count,
            "mean_score": mean,
            "score_spread": max(self._score_squares / count - mean * mean, 0.0) ** 0.5,
            "origins": self.origins,
        }

    def text(self) -> str:
        """The same for people."""
        found = self.as_dict()
        results = ", ".join(f"{count} {name}" for name, count in found["results"].items())
        lines = [
            f"  {found['positions']} positions in {found['blocks']} blocks,"
            f" Black to move in {found['black_to_move']:.1%}",
            f"  results of the movers: {results}",
            f"  {found['mean_men']:.1f} men on average",
            f"  scores {found['mean_score']:.0f} ± {found['score_spread']:.0f} raw",
            *(f"  labels: {origin}" for origin in found["origins"]),
        ]
        return "\n".join(lines)

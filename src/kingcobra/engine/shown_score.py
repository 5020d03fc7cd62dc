# SPDX-License-Identifier: GPL-3.0-or-later
"""A score as people see it: centipawns, or moves to mate."""

from typing import NamedTuple

from kingcobra.core.search.scores import MATE, MATE_BAND, TABLE_BAND, TABLE_WIN
from kingcobra.networks.scale import Scale

# A win by the tables, as many plies away as are missing from it.
TABLE_WIN_CP = 20_000


class ShownScore(NamedTuple):
    """One of the two; the other is None. Mates are in moves, negative when being mated."""

    centipawns: int | None
    mate: int | None


def shown_score(score: int, scale: Scale) -> ShownScore:
    """A score in internal units, as the scale of its evaluation shows it."""
    if score >= MATE_BAND:
        return ShownScore(None, (MATE - score + 1) // 2)
    if score <= -MATE_BAND:
        return ShownScore(None, -((MATE + score) // 2))
    if abs(score) >= TABLE_BAND:
        plies = TABLE_WIN - abs(score)
        return ShownScore((TABLE_WIN_CP - plies) * (1 if score > 0 else -1), None)
    return ShownScore(scale.centipawns(score), None)

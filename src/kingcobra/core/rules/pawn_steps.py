# SPDX-License-Identifier: GPL-3.0-or-later
"""The steps of pawns, whole sets of them at once, as White's or Black's pawns go."""

from kingcobra.core.rules.basics import NORTH, WHITE
from kingcobra.core.rules.bitboards import (
    NOT_FILE_A,
    NOT_FILE_H,
    ONE_RANK,
    ONE_RANK_AND_A_FILE,
    ONE_RANK_LESS_A_FILE,
    RANK_3,
    RANK_6,
)
from kingcobra.kernel.compiled import compiled


@compiled
def forward(us):
    """The difference between the squares of a push."""
    return NORTH if us == WHITE else -NORTH


@compiled
def pushed(us, pawns):
    """Where these pawns stand after one step forward."""
    return pawns << ONE_RANK if us == WHITE else pawns >> ONE_RANK


@compiled
def pushed_again(us, singles):
    """Where pawns that have just left their first rank stand after a second step."""
    return pushed(us, singles & (RANK_3 if us == WHITE else RANK_6))


@compiled
def attacked_west(us, pawns):
    """What these pawns attack towards the file a."""
    pawns &= NOT_FILE_A
    return pawns << ONE_RANK_LESS_A_FILE if us == WHITE else pawns >> ONE_RANK_AND_A_FILE


@compiled
def attacked_east(us, pawns):
    """What these pawns attack towards the file h."""
    pawns &= NOT_FILE_H
    return pawns << ONE_RANK_AND_A_FILE if us == WHITE else pawns >> ONE_RANK_LESS_A_FILE


@compiled
def attacked(us, pawns):
    """All that these pawns attack."""
    return attacked_west(us, pawns) | attacked_east(us, pawns)

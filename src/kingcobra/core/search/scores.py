# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores in internal units, from the mover's side, with bands reserved at both ends.

0 … EVALUATION_LIMIT     what evaluations may say
TABLE_WIN - ply          won by the tablebases
MATE - ply               mate in that many plies
"""

from kingcobra.core.rules.basics import FIFTY_MOVES_PLIES
from kingcobra.kernel.compiled import compiled

MAX_PLY = 246

DRAW = 0
MATE = 32_000
MATE_BAND = MATE - MAX_PLY
TABLE_WIN = MATE_BAND - 1
TABLE_BAND = TABLE_WIN - MAX_PLY
EVALUATION_LIMIT = TABLE_BAND - 1
INFINITE = MATE + 1
NO_SCORE = MATE + 2


@compiled
def mated_in(ply):
    """The score of being mated `ply` plies from the root."""
    return ply - MATE


@compiled
def mating_in(ply):
    """The score of giving mate `ply` plies from the root."""
    return MATE - ply


@compiled
def is_decided(score):
    """Whether a score is a mate or a tablebase result rather than an estimate."""
    return score >= TABLE_BAND or score <= -TABLE_BAND


@compiled
def is_win(score):
    """Whether a score is a proven win."""
    return score >= TABLE_BAND


@compiled
def is_loss(score):
    """Whether a score is a proven loss."""
    return score <= -TABLE_BAND


@compiled
def to_table(score, ply):
    """A score as the hash table keeps it: a mate counts from the node, not from the root."""
    if score >= TABLE_BAND:
        return score + ply
    if score <= -TABLE_BAND:
        return score - ply
    return score


@compiled
def from_table(score, ply, fifty_plies):
    """The reverse of to_table. A win that the fifty-move rule overtakes is only an estimate."""
    if score == NO_SCORE:
        return NO_SCORE
    if score >= TABLE_BAND:
        start = MATE if score >= MATE_BAND else TABLE_WIN
        if start - score > FIFTY_MOVES_PLIES - fifty_plies:
            return EVALUATION_LIMIT
        return score - ply
    if score <= -TABLE_BAND:
        start = MATE if score <= -MATE_BAND else TABLE_WIN
        if start + score > FIFTY_MOVES_PLIES - fifty_plies:
            return -EVALUATION_LIMIT
        return score + ply
    return score

# SPDX-License-Identifier: GPL-3.0-or-later
"""Chances and accuracy by Lichess's public rules (https://lichess.org/page/accuracy): the chance to
win that a score gives, how accurate a move was, how accurate a player was in a game."""

import math
from collections.abc import Sequence
from statistics import fmean, pstdev

from kingcobra.analysis.score import MOST_CP
from kingcobra.networks.scale import PERMILLE, WinDrawLoss

PERCENT = 100.0
# Fitted by Lichess to games of its players rated 2300: chances grow with the logistic function.
CHANCES_PER_CP = 0.00368208
# What White is worth before the first move.
START_CP = 15
# Accuracy falls exponentially with the points of win % that a move loses. The last number is a
# bonus for the uncertainty of evaluations; the published page omits it.
ACCURACY_FACTOR = 103.1668100711649
ACCURACY_DECAY = 0.04354415386753951
ACCURACY_OFFSET = -3.166924740191411 + 1.0
# A move weighs as much as chances vary around it: in a window of moves, whose size depends on the
# length of the game.
MOVES_PER_WINDOW_STEP = 10
LEAST_WINDOW, MOST_WINDOW = 2, 8
LEAST_WEIGHT, MOST_WEIGHT = 0.5, 12.0
# Worse moves count as this much in the harmonic mean, which would be 0 otherwise.
LEAST_HARMONIC = 1.0


def win_percent(white_cp: float) -> float:
    """White's chances, 50 for an even position."""
    bounded = max(-MOST_CP, min(white_cp, MOST_CP))
    return PERCENT / (1 + math.exp(-CHANCES_PER_CP * bounded))


def expected_percent(white: WinDrawLoss) -> float:
    """The same by expected results: wins, and half of the draws."""
    return PERCENT * (white.win + white.draw / 2) / PERMILLE


def move_accuracy(before: float, after: float) -> float:
    """How accurate a move was that changed its player's win % so; 0 to 100."""
    if after >= before:
        return PERCENT
    raw = ACCURACY_FACTOR * math.exp(-ACCURACY_DECAY * (before - after)) + ACCURACY_OFFSET
    return max(0.0, min(raw, PERCENT))


def move_accuracies(white_percents: Sequence[float], white_begins: bool = True) -> list[float]:
    """The accuracy of each move, from White's win % before the first move and after each."""
    accuracies = []
    for ply in range(len(white_percents) - 1):
        before, after = white_percents[ply : ply + 2]
        if white_moves(ply, white_begins):
            accuracies.append(move_accuracy(before, after))
        else:
            accuracies.append(move_accuracy(PERCENT - before, PERCENT - after))
    return accuracies


def white_moves(ply: int, white_begins: bool) -> bool:
    """Whether White makes the move after so many plies."""
    return (ply % 2 == 0) == white_begins


def game_accuracies(
    white_percents: Sequence[float], white_begins: bool = True
) -> tuple[float | None, float | None]:
    """White's and Black's accuracy in a game, from White's win % before the first move and after
    each; None for a side without moves. The mean of two means: one weighted by how volatile the
    game was around each move, and the harmonic one, which lowers the effect of good moves."""
    accuracies = move_accuracies(white_percents, white_begins)
    weights = _weights(white_percents)
    sides: list[float | None] = []
    for wanted in (True, False):
        plies = [ply for ply in range(len(accuracies)) if white_moves(ply, white_begins) == wanted]
        sides.append(_combined([accuracies[ply] for ply in plies], [weights[ply] for ply in plies]))
    return sides[0], sides[1]


def _weights(white_percents: Sequence[float]) -> list[float]:
    """A weight for each move: the standard deviation in the window that ends with it, at the start
    of the game in the first window."""
    moves = len(white_percents) - 1
    window = max(LEAST_WINDOW, min(moves // MOVES_PER_WINDOW_STEP, MOST_WINDOW))
    weights = []
    for ply in range(moves):
        first = max(ply + 2 - window, 0)
        spread = pstdev(white_percents[first : first + window])
        weights.append(max(LEAST_WEIGHT, min(spread, MOST_WEIGHT)))
    return weights


def _combined(accuracies: list[float], weights: list[float]) -> float | None:
    if not accuracies:
        return None
    weighted = math.fsum(a * w for a, w in zip(accuracies, weights, strict=True)) / math.fsum(
        weights
    )
    harmonic = len(accuracies) / math.fsum(1 / max(a, LEAST_HARMONIC) for a in accuracies)
    return fmean((weighted, harmonic))

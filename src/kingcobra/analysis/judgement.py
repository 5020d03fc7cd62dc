# SPDX-License-Identifier: GPL-3.0-or-later
"""Inaccuracies, mistakes and blunders by Lichess's public rules: a loss of 5, 10 or 15 points of
win %, and rules of their own for mates."""

from enum import Enum
from typing import NamedTuple

from kingcobra.analysis.score import Score

# Numeric annotation glyphs of the PGN standard.
NAG_MISTAKE, NAG_BLUNDER, NAG_DUBIOUS = 2, 4, 6
# Bounds in centipawns for mates: who was lost anyway has lost little, who still wins, too.
HOPELESS_CP, BAD_CP = 999, 700
MATE_CREATED = "Checkmate is now unavoidable"
MATE_LOST = "Lost forced checkmate sequence"


class Judgement(Enum):
    """How bad a move was."""

    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"

    @property
    def nag(self) -> int:
        """Its glyph in PGN: `?!`, `?` or `??`."""
        return _NAGS[self]

    @property
    def glyph(self) -> str:
        """As people write it behind a move."""
        return _GLYPHS[self]


_NAGS = {
    Judgement.INACCURACY: NAG_DUBIOUS,
    Judgement.MISTAKE: NAG_MISTAKE,
    Judgement.BLUNDER: NAG_BLUNDER,
}
_GLYPHS = {Judgement.INACCURACY: "?!", Judgement.MISTAKE: "?", Judgement.BLUNDER: "??"}
# Points of win % that a move loses, the worst first.
_LOSSES = ((15.0, Judgement.BLUNDER), (10.0, Judgement.MISTAKE), (5.0, Judgement.INACCURACY))


class Verdict(NamedTuple):
    """A judgement, and the words for it."""

    judgement: Judgement
    words: str


class Standing(NamedTuple):
    """A position as it is judged: its score, and White's win %."""

    score: Score
    white_percent: float


def judge(before: Standing, after: Standing, mover_is_white: bool) -> Verdict | None:
    """What is to be said of a move; None if nothing."""
    if before.score.is_mate or after.score.is_mate:
        return _judge_mates(before.score, after.score, 1 if mover_is_white else -1)
    gain = after.white_percent - before.white_percent
    loss = -gain if mover_is_white else gain
    for bound, judgement in _LOSSES:
        if loss >= bound:
            return Verdict(judgement, judgement.value.capitalize())
    return None


def _judge_mates(before: Score, after: Score, mover: int) -> Verdict | None:
    """A mate was allowed, or given away. A mate that only takes longer is not judged."""
    had_mate = before.mate_winner == mover
    is_mated = after.mate_winner == -mover
    if had_mate and after.mate_winner != mover:
        now_cp = 0 if after.white_cp is None else mover * after.white_cp
        return Verdict(_graded(now_cp), MATE_LOST)
    if is_mated and not before.is_mate:
        before_cp = 0 if before.white_cp is None else mover * before.white_cp
        return Verdict(_graded(-before_cp), MATE_CREATED)
    return None


def _graded(one_sided_cp: int) -> Judgement:
    """The more one-sided the game is without the mate, the less the mate matters."""
    if one_sided_cp > HOPELESS_CP:
        return Judgement.INACCURACY
    if one_sided_cp > BAD_CP:
        return Judgement.MISTAKE
    return Judgement.BLUNDER

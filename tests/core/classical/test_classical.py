# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation: fair to both colours, the same with and without its memory, the sum
that its terms and weights say, and small in endings that cannot be won."""

import chess
import numpy as np
import pytest
from hypothesis import given, settings

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.classical import terms, weights
from kingcobra.core.classical.breakdown_counts import winning_parts_of
from kingcobra.core.classical.drawish import ALL_PARTS, counting_units
from kingcobra.core.objects import CLASSICAL_TRACE
from kingcobra.kernel.build import Builder
from tests.core.classical.classical_evaluator import ClassicalEvaluator
from tests.core.rules.positions import CHESS960, STANDARD
from tests.core.rules.reference import any_starts, moves_to_choose, standard_starts, walk

FULL_PHASE = 24
PHASES = {chess.KNIGHT: 1, chess.BISHOP: 1, chess.ROOK: 2, chess.QUEEN: 4}


@pytest.fixture(scope="module")
def tracer():
    return Builder(CLASSICAL_TRACE, lambda _text: None).obtain()


def value_from_terms(tracer, board):
    """The value for the side to move, from counts of terms and their weights, in plain Python."""
    counts = np.zeros(terms.WEIGHTS_IN_ALL, np.int16)
    phase = tracer.trace_terms(board.address, counts.ctypes.data)
    middlegame = int(counts.astype(np.int64) @ np.array(weights.MIDDLEGAME, np.int64))
    endgame = int(counts.astype(np.int64) @ np.array(weights.ENDGAME, np.int64))
    white = (middlegame * phase + endgame * (FULL_PHASE - phase)) // FULL_PHASE
    strong = np.int64(white < 0)
    white = counting_units(white, winning_parts_of(np.int64(board.address), strong))
    return white if board.record.side == 0 else -white, phase


@settings(max_examples=60)
@given(start=any_starts(), choices=moves_to_choose(60))
def test_terms_times_weights_are_the_evaluation(core, tracer, start, choices):
    evaluator = ClassicalEvaluator(core)
    for board, reference in walk(core, start, choices):
        value, phase = value_from_terms(tracer, board)
        assert evaluator.value(board) == value
        men = reference.piece_map().values()
        expected = sum(PHASES.get(piece.piece_type, 0) for piece in men)
        assert phase == min(expected, FULL_PHASE)


@settings(max_examples=60)
@given(start=standard_starts(), choices=moves_to_choose(60))
def test_memory_changes_nothing(core, start, choices):
    fresh, remembering = ClassicalEvaluator(core), ClassicalEvaluator(core)
    for board, _reference in walk(core, start, choices):
        fresh.forget()
        assert remembering.value(board) == fresh.value(board)
        assert remembering.value(board) == fresh.value(board)


# Rounding towards minus infinity may differ by one between the colours.
ROUNDING = 1


@settings(max_examples=60)
@given(start=standard_starts(), choices=moves_to_choose(60))
def test_colours_are_equal(core, start, choices):
    evaluator = ClassicalEvaluator(core)
    for board, reference in walk(core, start, choices):
        mirrored = PositionHandle(core, reference.mirror().fen())
        assert abs(evaluator.value(board) - evaluator.value(mirrored)) <= ROUNDING


@pytest.mark.parametrize("fen", STANDARD)
def test_passing_the_move_costs_the_tempo_twice(core, fen):
    """The evaluation is the position's, less the right to move, unless only a part of it counts."""
    evaluator = ClassicalEvaluator(core)
    reference = chess.Board(fen)
    if reference.is_check():
        return
    other = reference.copy()
    other.push(chess.Move.null())
    here, there = (PositionHandle(core, some.fen()) for some in (reference, other))
    if any(winning_parts_of(np.int64(here.address), side) < ALL_PARTS for side in (0, 1)):
        return
    tempo = terms.OFFSETS["tempo"]
    bounds = sorted((weights.MIDDLEGAME[tempo], weights.ENDGAME[tempo]))
    both = evaluator.value(here) + evaluator.value(there)
    assert 2 * bounds[0] - ROUNDING <= both <= 2 * bounds[1] + ROUNDING


def test_more_is_better(core):
    evaluator = ClassicalEvaluator(core)
    values = [
        evaluator.value(PositionHandle(core, f"4k3/pppppppp/8/8/8/8/PPPPPPPP/{pieces}K3 w - - 0 1"))
        for pieces in ("4", "1N2", "1R2", "1Q2")
    ]
    assert values == sorted(set(values))


@pytest.mark.parametrize("fen", CHESS960)
def test_chess960(core, fen):
    assert abs(ClassicalEvaluator(core).value(PositionHandle(core, fen, chess960=True))) < 10_000


# --- endings that are hard to win ---------------------------------------------------------------

DRAWN = [
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/1N2K3 w - - 0 1",
    # Bishops of one colour, and a knight against a bishop.
    "4k3/8/8/8/8/4B3/3B4/2B1K3 w - - 0 1",
    "2b1k3/8/8/8/8/8/8/1N2K3 w - - 0 1",
    # Two knights cannot force mate, against whatever piece.
    "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
    "4k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1",
    # A minor piece does not win against pawns.
    "4k3/7p/8/8/8/8/8/1N2K3 w - - 0 1",
    # Rook's pawns, the enemy king in the corner where they promote, a bishop of the other colour.
    "k7/8/8/P7/8/8/8/2B1K3 w - - 0 1",
    "7k/8/8/7P/8/7P/8/4KB2 w - - 0 1",
    "k7/8/8/P7/8/8/8/4K3 w - - 0 1",
]
NEARLY_DRAWN = [
    # Rook against bishop and against knight, and a minor piece more on top of rooks.
    "4k3/8/8/3b4/8/8/8/R3K3 w - - 0 1",
    "4k3/8/8/3n4/8/8/8/R3K3 w - - 0 1",
    "r3k3/8/8/8/8/8/3B4/R3K3 w - - 0 1",
]
WON = [
    "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
    "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1",
    "4k3/8/8/8/8/8/8/1N2KB2 w - - 0 1",
    "r3k3/8/8/8/8/8/8/Q3K3 w - - 0 1",
    # The bishop controls the corner; the king is too far away; another pawn helps.
    "k7/8/8/P7/8/8/8/4KB2 w - - 0 1",
    "8/8/8/P7/8/8/8/2B1K2k w - - 0 1",
    "k7/8/8/P7/8/8/1P6/2B1K3 w - - 0 1",
]
NEARLY_DRAWN_UNITS, WON_UNITS = 100, 250


def values(core, fens):
    """The values of positions for White, and of their mirrors for Black."""
    evaluator = ClassicalEvaluator(core)
    for fen in fens:
        for board in (chess.Board(fen), chess.Board(fen).mirror()):
            yield evaluator.value(PositionHandle(core, board.fen()))


def test_dead_draws_are_worth_nothing(core):
    assert set(values(core, DRAWN)) == {0}


def test_endings_that_are_hard_to_win_are_worth_little(core):
    assert all(0 < value < NEARLY_DRAWN_UNITS for value in values(core, NEARLY_DRAWN))


def test_endings_that_are_won_keep_their_worth(core):
    assert all(value > WON_UNITS for value in values(core, WON))

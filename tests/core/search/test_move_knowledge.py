# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of moves, learnt and not: rules of histories and of promotions, in plain Python."""

from types import SimpleNamespace

import numpy as np
import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import (
    BISHOP,
    KNIGHT,
    NO_MOVE,
    PROMOTION,
    QUEEN,
    ROOK,
    move_kind,
    move_promotion,
    plain_move,
)
from kingcobra.core.search.histories import (
    VICTIMS,
    fade_history,
    forget_siblings,
    malus_at,
    note_killer,
    threat_index,
)
from kingcobra.core.search.layout import (
    COLOURS,
    FROM_TO,
    PIECE_TO,
    QUIET_PLACES,
    SearchWorker,
    StackEntry,
)
from kingcobra.core.search.ordering import is_underpromotion, material_gain, noisy_score
from kingcobra.core.search.tunables import DEFAULTS

# A pawn on a7 that promotes on a8 or takes a knight on b8.
TWO_PROMOTIONS = "1n6/P6k/8/8/8/8/8/7K w - - 0 1"


@pytest.fixture
def worker():
    record = SearchWorker()
    for name, value in DEFAULTS.items():
        setattr(record.params, name, value)
    return record


@pytest.fixture
def promotions(core):
    handle = PositionHandle(core, TWO_PROMOTIONS)
    moves = [move for move in handle.moves() if move_kind(move) == PROMOTION]
    assert len(moves) == 8
    return handle.record, moves


@pytest.mark.parametrize(("kept", "left"), [(100, 1000), (75, 750), (30, 300)])
def test_the_next_search_keeps_a_part(worker, kept, left):
    worker.params.history_kept = kept
    worker.quiet_history[7], worker.quiet_history[QUIET_PLACES - 1] = 1000, 1000
    worker.pawn_history[7] = 1000
    fade_history(worker)
    assert worker.quiet_history[7] == worker.quiet_history[QUIET_PLACES - 1] == left
    assert worker.pawn_history[7] == 1000


def test_leaving_and_entering_attacked_squares_are_learnt_apart():
    move = plain_move(8, 16)
    maps = [np.uint64(0), np.uint64(1 << 16), np.uint64(1 << 8), np.uint64(1 << 8 | 1 << 16)]
    places = [threat_index(attacked, move) for attacked in maps]
    assert places == [state * COLOURS * FROM_TO for state in range(4)]
    assert places[-1] + COLOURS * FROM_TO == QUIET_PLACES


def test_the_more_moves_were_tried_the_less_each_is_blamed(worker):
    blame = [malus_at(worker.params, 6, tried) for tried in (0, 1, 5, 200)]
    assert blame == sorted(blame, reverse=True)
    assert blame[0] > blame[1] > blame[2] > blame[3] == 0


def test_the_two_latest_killers_are_kept():
    entry = StackEntry()
    for move in (11, 12, 12, 13):
        note_killer(entry, move)
    assert list(entry.killers) == [13, 12]
    entry.cutoffs = 3
    forget_siblings(entry)
    assert list(entry.killers) == [NO_MOVE, NO_MOVE]
    assert entry.cutoffs == 0


def test_rook_and_bishop_come_after_all_other_promotions(promotions):
    position, moves = promotions
    worker = SimpleNamespace(position=position, noisy_history=[0] * (PIECE_TO * VICTIMS))
    moves.sort(key=lambda move: noisy_score(worker, move), reverse=True)
    assert {move_promotion(move) for move in moves[:4]} == {QUEEN, KNIGHT}
    assert {move_promotion(move) for move in moves[4:]} == {ROOK, BISHOP}
    assert [is_underpromotion(move) for move in moves] == [False] * 4 + [True] * 4


def test_a_promotion_wins_material_with_and_without_a_capture(promotions):
    position, moves = promotions
    gains = {move: material_gain(position, move) for move in moves}
    assert min(gains.values()) > 0
    assert len({gains[move] for move in moves if move_promotion(move) == QUEEN}) == 2

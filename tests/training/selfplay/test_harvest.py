# SPDX-License-Identifier: GPL-3.0-or-later
"""Harvested positions: legal, quiet, and labelled with the teacher's own integers."""

from dataclasses import replace

import chess
import numpy as np
import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.evaluator import Evaluator, StaticEvaluator
from kingcobra.networks import plain
from kingcobra.training.data.games import fen_of
from kingcobra.training.data.packed import RESULT_MASK, RESULT_SHIFT, UNKNOWN
from kingcobra.training.selfplay.player import CLASSICAL_RAW_PER_PAWN, Teacher
from kingcobra.training.selfplay.settings import SelfPlaySettings
from tests.core.rules.exchange_twin import exchange_value
from tests.training.selfplay.playing import harvested

SETTINGS = SelfPlaySettings(soft_nodes=60, one_in=4, chess960_share=0.5, most_plies=60)
PAWN_CP = 100


@pytest.fixture(scope="module")
def records(objects, teacher):
    found = harvested(objects, SETTINGS, teacher, games=4)
    assert len(found) > 200
    return found


def check_network_labels(network, found):
    for record in found:
        evaluation = plain.evaluate(network, plain.men_of_fen(fen_of(record)))
        bucket = evaluation.bucket
        assert record["score"] == evaluation.psqt[bucket] + evaluation.positional[bucket]


def test_labels_are_the_raw_integers_of_the_twin(records, network):
    check_network_labels(network, records)


def test_positions_are_legal_and_quiet(records):
    for record in records:
        board = chess.Board(fen_of(record))
        assert board.is_valid()
        assert not board.is_check()
        for move in board.legal_moves:
            if board.is_capture(move) or move.promotion:
                assert exchange_value(board, move) < PAWN_CP, (board.fen(), move)


def is_noisy(board):
    return any(
        exchange_value(board, move) >= PAWN_CP
        for move in board.legal_moves
        if board.is_capture(move) or move.promotion
    )


def test_all_evaluated_positions_can_be_kept(objects, teacher):
    """Beside the quiet positions the noisy ones; none is in check."""
    settings = replace(SETTINGS, noisy_share=1.0, one_in=1, random_move_share=0)
    everything = harvested(objects, settings, teacher, games=1)
    boards = [chess.Board(fen_of(record)) for record in everything]
    assert not any(board.is_check() for board in boards)
    noisy = [is_noisy(board) for board in boards]
    assert 0.1 * len(noisy) < sum(noisy) < 0.9 * len(noisy)
    assert settings.origin()["noisy_share"] == 1.0
    assert "noisy_share" not in SETTINGS.origin()


def test_a_share_of_the_noisy_positions_can_be_kept(objects, teacher):
    def counted(share):
        """Noisy positions and quiet ones of the same game."""
        settings = replace(SETTINGS, noisy_share=share, one_in=1)
        found = harvested(objects, settings, teacher, games=1)
        noisy = sum(is_noisy(chess.Board(fen_of(record))) for record in found)
        return noisy, len(found) - noisy

    none, quarter, every = counted(0.0), counted(0.25), counted(1.0)
    assert none[0] == 0 < none[1] == quarter[1] == every[1]
    assert 0.15 * every[0] < quarter[0] < 0.35 * every[0]


def test_positions_on_the_board_can_be_kept_too(objects, teacher, network):
    """Nearly nothing of the tree is kept, so that what comes with the share was on the board."""
    rare = replace(SETTINGS, one_in=1_000_000, random_move_share=0)
    both = replace(rare, game_share=1.0)
    tree = harvested(objects, rare, teacher, games=4)
    found = harvested(objects, both, teacher, games=4)
    assert len(found) > 10 * len(tree)
    check_network_labels(network, found)
    # Plies follow each other, but for those in check and noisy ones.
    steps = np.diff(found["game_ply"].astype(int))
    assert (steps == 1).sum() > len(found) // 2
    assert rare.origin().keys() ^ both.origin().keys() == {"game_share"}


def test_positions_come_from_the_tree_and_differ(records):
    places = {record.tobytes()[:24] for record in records}
    assert len(places) > len(records) // 2
    assert len(set(records["score"])) > len(records) // 2
    assert set(records["flags"] >> RESULT_SHIFT & RESULT_MASK) == {UNKNOWN}
    assert {0, 1} == set(records["flags"] & 1)
    assert records["game_ply"].max() > records["game_ply"].min() > 0


def test_labels_beyond_the_limit_are_dropped(objects, teacher, records):
    pawns = 1.0
    limit = pawns * teacher.raw_per_pawn
    assert np.abs(records["score"]).max() > limit
    tight = SelfPlaySettings(soft_nodes=60, one_in=1, max_pawns=pawns, most_plies=40)
    found = harvested(objects, tight, teacher, games=2)
    assert len(found)
    assert np.abs(found["score"]).max() <= limit


def test_one_in_says_how_many_are_looked_at(objects):
    def count(one_in):
        settings = SelfPlaySettings(soft_nodes=100, one_in=one_in, random_move_share=0)
        return len(harvested(objects, settings, Teacher(), games=6))

    assert 2 * count(16) < count(4) < count(1)


def check_classical_labels(objects, found):
    evaluator = StaticEvaluator(Evaluator(objects.core))
    assert len(found)
    for record in found:
        fen = fen_of(record).split()
        fen[4] = "0"  # so that the static evaluation is not damped
        board = PositionHandle(objects.core, " ".join(fen), chess960=True)
        assert record["score"] == evaluator.value(board) * CLASSICAL_RAW_PER_PAWN // PAWN_CP


def test_the_classical_teacher_labels_with_its_own_value(objects):
    found = harvested(objects, SelfPlaySettings(soft_nodes=60), Teacher(), games=2)
    check_classical_labels(objects, found)


def test_the_same_seed_gives_the_same_bytes(objects, teacher, records):
    again = harvested(objects, SETTINGS, teacher, games=4)
    assert again.tobytes() == records.tobytes()
    other = SelfPlaySettings(
        soft_nodes=60, one_in=4, chess960_share=0.5, most_plies=60, seed=SETTINGS.seed + 1
    )
    assert harvested(objects, other, teacher, games=4).tobytes() != records.tobytes()


# --- a student plays, the teacher labels ------------------------------------------------------


def test_a_teacher_labels_what_a_student_visits(objects, teacher, records, network):
    found = harvested(objects, SETTINGS, teacher, games=4, student=Teacher())
    assert len(found) > 200
    assert found.tobytes() != records.tobytes()
    check_network_labels(network, found)


def test_the_student_alone_decides_what_is_visited(objects, teacher):
    """With no limit on labels the positions do not depend on who labels them."""
    settings = replace(SETTINGS, max_pawns=1e6)
    own = harvested(objects, settings, Teacher(), games=2)
    labelled = harvested(objects, settings, teacher, games=2, student=Teacher())
    assert own.tobytes() != labelled.tobytes()
    for name in own.dtype.names:
        assert name == "score" or (own[name] == labelled[name]).all()


def test_the_classical_evaluation_labels_what_a_network_visits(objects, teacher):
    found = harvested(objects, SETTINGS, Teacher(), games=2, student=teacher)
    check_classical_labels(objects, found)


def test_a_student_that_is_the_teacher_changes_nothing(objects, teacher, records):
    again = harvested(objects, SETTINGS, teacher, games=4, student=teacher)
    assert again.tobytes() == records.tobytes()

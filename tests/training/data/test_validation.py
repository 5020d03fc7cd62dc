# SPDX-License-Identifier: GPL-3.0-or-later
"""Which packed positions cannot be positions, by number."""

import chess
import numpy as np
import pytest

from kingcobra.training.data import validation
from kingcobra.training.data.packed import (
    RECORD,
    as_words,
    boards_of,
    men_of,
    packed_boards,
    packed_fen,
)
from kingcobra.training.data.validation import faults_of
from tests.training.model.test_exactness import random_fens


@pytest.fixture(scope="module")
def records():
    return np.array([packed_fen(fen) for fen in random_fens(60, seed=11)])


def test_boards_are_those_of_the_slow_way(records):
    boards = boards_of(records)
    assert [tuple(board) for board in boards.tolist()] == [
        men for men, _ in men_of(as_words(records))
    ]
    again = packed_boards(boards)
    assert (again["occupancy"] == records["occupancy"]).all()
    assert (again["men"] == records["men"]).all()


def test_sound_positions_have_no_faults(records):
    assert list(faults_of(records)) == []
    assert list(faults_of(np.zeros(0, RECORD))) == []


def start(**changes):
    """The start position as a record; `board` puts other pieces on some squares."""
    board = np.array(boards_of(np.array([packed_fen(chess.STARTING_FEN)])))
    for square, piece in changes.get("board", {}).items():
        board[0, square] = piece
    record = packed_boards(board)
    if "occupancy" in changes:
        record["occupancy"] = changes["occupancy"]
    return record[0]


WHITE_PAWN, WHITE_QUEEN, BLACK_PAWN = 1, 5, 9
FAULTY = [
    (start(board={chess.E1: 0}), "White has 0 kings"),
    (start(board={chess.D8: 14}), "Black has 2 kings"),
    (start(board={chess.A7: WHITE_QUEEN}), "White has more than 16 men"),
    (start(board={chess.A2: BLACK_PAWN}), "Black has more than 16 men"),
    (start(board={chess.A1: WHITE_PAWN}), "a pawn on the first or last rank"),
    (start(board={chess.H8: BLACK_PAWN}), "a pawn on the first or last rank"),
    (start(board={chess.A2: 7}), "a man of no kind"),
    (start(board={chess.A7: 8}), "a man of no kind"),
    (start(board={chess.H7: 0, chess.H8: 0}, occupancy=2**64 - 1), "more than 32 men"),
]


@pytest.mark.parametrize(("record", "fault"), FAULTY)
def test_each_fault_has_its_name(record, fault):
    assert list(faults_of(np.array([record]))) == [f"record 0: {fault}"]


def test_an_occupied_square_without_a_man():
    record = packed_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
    record["occupancy"] |= np.uint64(1 << chess.H5)  # the last man's place is empty
    assert [fault.partition(": ")[2] for fault in faults_of(np.array([record]))]


def test_faults_are_named_by_their_number(records, monkeypatch):
    monkeypatch.setattr(validation, "CHUNK_RECORDS", 16)
    mixed = records.copy()
    mixed[37] = FAULTY[0][0]
    mixed[59] = FAULTY[-1][0]
    assert list(faults_of(mixed, 100)) == [
        "record 137: White has 0 kings",
        "record 159: more than 32 men",
    ]

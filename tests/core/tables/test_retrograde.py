# SPDX-License-Identifier: GPL-3.0-or-later
"""All positions of three men against retrograde analysis: python-chess and Kingcobra might share a
mistake, but not with this."""

import ctypes

import numpy as np
import pytest

from kingcobra.core.rules.basics import BLACK, KING, NO_SQUARE, PAWN, QUEEN, ROOK, WHITE, piece_of
from kingcobra.core.rules.layout import Position, Setup
from kingcobra.core.tables.layout import DRAW, DTZ, LOSS, WDL, WIN
from tests.core.tables.reference import BothProbers
from tests.core.tables.retrograde import Bools, Distances, Solved, solve

MEN = {"Q": QUEEN, "R": ROOK, "P": PAWN}


def setups(solved: Solved, possible: Bools, side: int) -> "ctypes.Array[Setup]":
    """The possible positions with that side to move."""
    places = np.argwhere(possible)
    records = (Setup * len(places))()
    view = np.frombuffer(records, np.dtype(Setup))
    row = np.arange(len(places))
    men = (piece_of(WHITE, KING), piece_of(BLACK, KING), piece_of(WHITE, MEN[solved.man]))
    for axis, man in enumerate(men):
        view["board"][row, places[:, axis]] = man
    view["side"] = side
    view["castling_rook"] = NO_SQUARE
    view["en_passant"] = NO_SQUARE
    return records


def probed(both: BothProbers, records: "ctypes.Array[Setup]", kind: int) -> Distances:
    position = Position()
    answers = np.empty(len(records), np.int64)
    answered = both.core.probe_many(
        both.prober.address,
        ctypes.addressof(position),
        ctypes.addressof(records),
        len(records),
        kind,
        answers.ctypes.data,
    )
    assert answered == len(records)
    return answers


@pytest.mark.parametrize("man", MEN)
def test_all_positions(few_tables: BothProbers, man: str) -> None:
    solved = solve(man)
    cases = (
        (WHITE, solved.white_possible, solved.white_distance, WIN),
        (BLACK, solved.black_possible, -solved.black_distance, LOSS),
    )
    for side, possible, distances, decided in cases:
        records = setups(solved, possible, side)
        expected = distances[possible]
        results = np.where(expected == 0, DRAW, decided)
        assert np.array_equal(probed(few_tables, records, WDL), results)
        assert np.array_equal(probed(few_tables, records, DTZ), expected)

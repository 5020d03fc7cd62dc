# SPDX-License-Identifier: GPL-3.0-or-later
"""Lopsided positions: how they are counted, and how far evaluations are from their labels."""

import math

import numpy as np
import pytest

import kingcobra
from benchmarks import lopsided
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.exit_codes import EXIT_OK, EXIT_USAGE
from kingcobra.training.data.blocks import write_block
from kingcobra.training.data.expectations import LOGISTIC_PAWNS
from kingcobra.training.data.game_positions import USUAL_RAW_PER_PAWN
from kingcobra.training.data.packed import boards_of, packed_fen

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KNIGHT_FOR_PAWN = "4k3/4p3/8/8/8/8/8/4K1N1 {} - - 0 1"
QUEEN_UP = "4k3/8/8/8/8/8/8/3QK3 {} - - 0 1"
# Units of the balance: a knight counts 375, a pawn 100, a queen 1220.
FENS = {
    START: 0,
    KNIGHT_FOR_PAWN.format("w"): 275,
    KNIGHT_FOR_PAWN.format("b"): 275,
    QUEEN_UP.format("w"): 1220,
    QUEEN_UP.format("b"): 1220,
}


def file_of(path, scores):
    """Positions labelled with these scores, in pawns."""
    records = np.array(
        [packed_fen(fen, round(pawns * USUAL_RAW_PER_PAWN)) for fen, pawns in scores.items()]
    )
    with path.open("wb") as file:
        write_block(file, {}, records)
    return path


def rows(text):
    """The numbers of each line, by its range."""
    return {line.split()[0]: line.split()[1:] for line in text.splitlines()[1:]}


def test_the_balance_is_that_of_the_search():
    boards = boards_of(np.array([packed_fen(fen) for fen in FENS]))
    assert lopsided.lopsidedness(boards).tolist() == list(FENS.values())


def test_an_evaluation_that_agrees_misses_nothing(tmp_path, capsys):
    values = kingcobra.evaluate(list(FENS), network="", unit="raw") / PAWN_UNITS
    path = file_of(tmp_path / "agree.kcp", dict(zip(FENS, values, strict=True)))
    assert lopsided.main([str(path), "--small", "", "--network", ""]) == EXIT_OK
    found = rows(capsys.readouterr().out)
    assert [float(number) for number in found["0-99"][1:4]] == [0, 0, 0]
    assert found["200-299"][0] == found["1000-1499"][0] == "40.00%"
    assert found["300-459"][:2] == ["0.00%", "–"]


def test_a_miss_is_a_difference_of_expected_scores(tmp_path, capsys):
    value = int(kingcobra.evaluate([KNIGHT_FOR_PAWN.format("w")], network="", unit="raw")[0])
    path = file_of(tmp_path / "even.kcp", {KNIGHT_FOR_PAWN.format("w"): 0.0})
    assert lopsided.main([str(path), "--small", "", "--network", ""]) == EXIT_OK
    missed = 100 / (1 + math.exp(-value / PAWN_UNITS / LOGISTIC_PAWNS)) - 50
    found = rows(capsys.readouterr().out)
    assert float(found["200-299"][1]) == pytest.approx(abs(missed), abs=0.01)


def test_a_file_without_positions_is_named(tmp_path, capsys):
    path = tmp_path / "empty.kcp"
    path.write_bytes(b"")
    assert lopsided.main([str(path), "--small", "", "--network", ""]) == EXIT_USAGE
    assert "empty.kcp: no positions" in capsys.readouterr().err

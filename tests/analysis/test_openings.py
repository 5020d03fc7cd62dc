# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of openings, and the tool that makes their file."""

import chess
import pytest

from kingcobra.analysis.openings import (
    DATA_FILE,
    format_table,
    opening_of,
    opening_table,
    parse_table,
    table_from_moves,
)
from kingcobra.tools import opening_names

MOST_FILE_BYTES = 100_000


def named(moves):
    board = chess.Board()
    boards = [board.copy()]
    for san in moves.split():
        board.push_san(san)
        boards.append(board.copy())
    return opening_of(boards)


@pytest.mark.parametrize(
    ("moves", "eco", "name", "ply"),
    [
        ("e4 e5 Nf3 Nc6 Bb5", "C60", "Ruy Lopez", 5),
        (
            "e4 c5 Nf3 d6 d4 cxd4 Nxd4 Nf6 Nc3 a6 a4",
            "B90",
            "Sicilian Defense: Najdorf Variation",
            10,
        ),
        # By another order of moves.
        ("c4 e6 d4 d5", "D30", "Queen's Gambit Declined", 4),
    ],
)
def test_games_have_names(moves, eco, name, ply):
    found = named(moves)
    assert found is not None
    assert found.opening.eco == eco
    assert found.opening.name.startswith(name)
    assert found.ply == ply


def test_the_start_has_no_name():
    assert named("") is None


def test_the_file_is_small_and_complete():
    assert DATA_FILE.stat().st_size < MOST_FILE_BYTES
    assert len(opening_table()) > 3500


def test_a_table_survives_its_text():
    table = opening_table()
    assert parse_table(format_table(table).splitlines()) == table


def test_the_first_name_of_a_position_counts():
    table = table_from_moves([("A00", "One", "1. e4 e5"), ("A01", "Two", "1. e4 e5")])
    assert [opening.name for opening in table.values()] == ["One"]


def test_the_tool_makes_the_file(tmp_path, monkeypatch, capsys):
    (tmp_path / "a.tsv").write_text("eco\tname\tpgn\nB00\tKing's Pawn\t1. e4\n")
    file = tmp_path / "openings.tsv.gz"
    monkeypatch.setattr(opening_names, "DATA_FILE", file)
    assert opening_names.main([str(tmp_path)]) == 0
    first = file.read_bytes()
    assert opening_names.main([str(tmp_path)]) == 0
    assert file.read_bytes() == first
    assert "1 positions" in capsys.readouterr().out


@pytest.mark.parametrize("content", [None, "a\tb\n", "eco\tname\tpgn\nA00\tBad\t1. e5\n"])
def test_the_tool_names_what_is_wrong(tmp_path, monkeypatch, capsys, content):
    monkeypatch.setattr(opening_names, "DATA_FILE", tmp_path / "openings.tsv.gz")
    if content is not None:
        (tmp_path / "a.tsv").write_text(content)
    assert opening_names.main([str(tmp_path)]) == 1
    assert capsys.readouterr().err.startswith("opening names: ")

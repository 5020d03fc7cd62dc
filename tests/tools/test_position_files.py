# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions from files of several kinds."""

from kingcobra.tools.position_files import is_fen, read_lines

FEN = "4k3/8/8/8/8/8/4P3/4K3 w - - 12 34"
EPD = "4k3/8/8/8/8/8/4P3/4K3 w - -"


def fens(text):
    return [line.fen for line in read_lines(text.splitlines())]


def test_fens_stay_as_they_are():
    assert fens(f"{FEN}\n{EPD}\n") == [FEN, EPD]


def test_operations_of_an_epd_are_left_out():
    assert fens(f'{EPD} bm e4; id "a pawn";\n{EPD} hmvc 3; fmvn 7;') == [EPD, EPD]


def test_the_first_column_of_a_table():
    assert fens(f"fen\tbucket\n{FEN}\t0\n") == [FEN]


def test_comments_and_empty_lines_keep_their_numbers():
    lines = list(read_lines(["# a comment", "", FEN, "   ", "nonsense"]))
    assert lines == [(3, FEN, ""), (5, "nonsense", "")]


def test_what_is_meant_as_a_position():
    assert all(is_fen(text) for text in (FEN, EPD, f"  {EPD}", "8/8 b"))
    assert not any(is_fen(text) for text in ("", "-", "w", "a/b/c.epd", "my own/file.epd", "a b/c"))

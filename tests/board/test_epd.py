# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of positions, split."""

import pytest

from kingcobra.board.epd import position_lines, split_line

PLACE = "4k3/8/8/8/8/8/4P3/4K3 w - -"


@pytest.mark.parametrize(
    ("text", "fen", "operations"),
    [
        (PLACE, PLACE, ""),
        (f"{PLACE} 12 34", f"{PLACE} 12 34", ""),
        (f"{PLACE} 12", f"{PLACE} 12", ""),
        (f"  {PLACE}  bm e4; id 3;", PLACE, "bm e4; id 3"),
        (f"{PLACE} 7 31 bm e4;", f"{PLACE} 7 31", "bm e4"),
        (f"{PLACE} 0 1 ;D1 20 ;D2 400", f"{PLACE} 0 1", "D1 20 ;D2 400"),
        (f"{PLACE} 0 1; a remark", f"{PLACE} 0 1", "a remark"),
        (f"{PLACE} - bm e4;", PLACE, "- bm e4"),
        (f"{PLACE}; a remark", PLACE, "a remark"),
        ("rubbish", "rubbish", ""),
        ("a b c", "a b c", ""),
        ("a\tb\tc\td\tbm x", "a b c d", "bm x"),
    ],
)
def test_a_line_is_a_position_and_operations(text, fen, operations):
    line = split_line(text)
    assert (line.fen, line.operations) == (fen, operations)


def test_missing_fields_have_their_defaults():
    assert split_line(f"{PLACE} bm e4;").whole_fen == f"{PLACE} 0 1"
    assert split_line(f"{PLACE} 9").whole_fen == f"{PLACE} 9 1"
    assert split_line("8/8/8/8/8/8/8/8").whole_fen == "8/8/8/8/8/8/8/8 w - - 0 1"


def test_comments_and_empty_lines_keep_their_numbers():
    lines = ["# a comment", "", PLACE, "  ; another", "nonsense"]
    assert [(line.number, line.fen) for line in position_lines(lines)] == [
        (3, PLACE),
        (5, "nonsense"),
    ]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Numbers read from text, and text quoted in messages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.text_values import QUOTED_CHARACTERS, parse_integer, quoted


@given(st.integers(), st.integers(), st.integers())
def test_every_integer_in_range_is_read(value, end, other_end):
    low, high = sorted((end, other_end))
    expected = value if low <= value <= high else None
    assert parse_integer(str(value), low, high) == expected


@pytest.mark.parametrize(
    "text", ["", "-", "+", "x", "1x", "1.5", "1e3", " 1", "1 ", "--1", "٣", "²"]
)
def test_anything_else_is_not_a_number(text):
    assert parse_integer(text, -9, 9) is None


def test_a_sign_needs_a_negative_range():
    assert [parse_integer(text, -9, 9) for text in ("+5", "-5")] == [5, -5]
    assert [parse_integer(text, 0, 9) for text in ("+5", "-5", "-0")] == [None, None, None]


def test_leading_zeros_do_not_count():
    assert parse_integer("0" * 10_000 + "7", 0, 9) == 7
    assert parse_integer("9" * 10_000, 0, 9) is None
    assert parse_integer("000", 0, 9) == 0


def test_long_text_is_shortened():
    assert quoted("abc") == "'abc'"
    text = quoted("x" * 1000)
    assert text == f"'{'x' * QUOTED_CHARACTERS}…' (1000 characters)"

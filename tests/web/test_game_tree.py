# SPDX-License-Identifier: GPL-3.0-or-later
"""Games as trees of numbered moves."""

import pytest

from kingcobra.web.errors import WebError
from kingcobra.web.game_tree import ROOT, GameTree, game_of_pgn


def test_moves_keep_their_numbers():
    tree = GameTree()
    first = tree.play(ROOT, "e4")
    other = tree.play(ROOT, "d4")
    answer = tree.play(first, "e5")
    assert (first, other, answer) == (1, 2, 3)
    assert tree.play(ROOT, "e2e4") == first
    assert tree.remove(other) == ROOT
    assert tree.line(answer) == [first, answer]
    with pytest.raises(WebError, match="no longer"):
        tree.board(other)


def test_removing_a_move_removes_what_follows():
    tree, _warnings = game_of_pgn("1. e4 e5 (1... c5 2. Nf3 d6) 2. Nf3 Nc6 *")
    c5 = next(move["id"] for move in tree.as_json() if move["san"] == "c5")
    tree.remove(c5)
    assert [move["san"] for move in tree.as_json()] == ["e4", "e5", "Nf3", "Nc6"]
    assert tree.remove(1) == ROOT
    assert tree.as_json() == []
    with pytest.raises(WebError, match="no move to take back"):
        tree.remove(ROOT)


def test_parents_come_first():
    tree, _warnings = game_of_pgn("1. e4 (1. d4 d5 (1... Nf6)) e5 (1... c5) *")
    seen = {ROOT}
    for move in tree.as_json():
        assert move["parent"] in seen
        seen.add(move["id"])
    assert len(seen) == 7


def test_comments_are_shown_without_what_is_for_programs():
    tree, _warnings = game_of_pgn("1. e4 {[%eval 0.3] best [%clk 0:01:00] by test} *")
    assert tree.as_json()[0]["comment"] == "best by test"
    assert "[%eval 0.3]" in tree.pgn()


@pytest.mark.parametrize("text", ["", "hello", "1. e5 *", "1. e4 e5 2. Ke3 *"])
def test_a_bad_game_is_refused_in_words(text):
    with pytest.raises(WebError, match=r"^PGN: "):
        game_of_pgn(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("1. e5 *", "PGN: 1. e5 is not a legal move"),
        ("1. e4 Ke5 *", "PGN: 1… Ke5 is not a legal move"),
        ("1. Nf3 a6 2. d4 b6 3. Nd2 *", "PGN: 3. Nd2 can be several moves"),
    ],
)
def test_a_move_that_cannot_be_played_is_named_with_its_number(text, words):
    with pytest.raises(WebError) as raised:
        game_of_pgn(text)
    assert str(raised.value) == words


def test_null_moves_of_variations_are_left_out():
    tree, remarks = game_of_pgn("1. e4 e5 (1... c5 2. -- d6 3. Nf3) 2. Nf3 *")
    assert [move["san"] for move in tree.as_json()] == ["e4", "e5", "Nf3", "c5"]
    assert remarks == ["null moves are left out, and what follows them"]


def test_a_broken_variation_is_named():
    _tree, (remark,) = game_of_pgn("1. e4 e5 (1... Ke4) 2. Nf3 *")
    assert remark.startswith("a variation is broken: 1… Ke4 is not a legal move; the variations")


def test_deeply_nested_variations_are_no_trouble():
    depth = 300
    text = "1. e4 " + "(1. d4 " * depth + ")" * depth + " *"
    tree, _warnings = game_of_pgn(text)
    assert tree.as_json()
    assert tree.pgn()

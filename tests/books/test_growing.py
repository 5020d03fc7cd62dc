# SPDX-License-Identifier: GPL-3.0-or-later
"""Drop-out expansion on trees whose values are known, and the file it is resumed from."""

import chess
import pytest

from kingcobra.board.polyglot import BookEntry
from kingcobra.books.games import book_code
from kingcobra.books.growing import (
    FULL_WEIGHT,
    Expansion,
    GrowingTree,
    GrowthRules,
    ScoredMove,
    position_text,
)
from kingcobra.books.growth_file import GrowthFile
from kingcobra.engine.opening_book import BookError

START = position_text(chess.Board())
SETTINGS = {"nodes": 100}


def after(*moves):
    board = chess.Board()
    for move in moves:
        board.push_uci(move)
    return position_text(board)


def expansion(position, **moves):
    return Expansion(position, tuple(ScoredMove(uci, cp) for uci, cp in moves.items()))


@pytest.fixture
def tree():
    tree = GrowingTree(GrowthRules(cp_per_ply=10), [START])
    tree.add(expansion(START, e2e4=30, d2d4=25, a2a4=-40))
    return tree


def test_the_first_position_is_the_root():
    assert GrowingTree(GrowthRules(), [START]).next_positions(5) == [START]


def test_good_moves_are_followed_before_bad_ones(tree):
    assert tree.next_positions(3) == [after("e2e4"), after("d2d4"), after("a2a4")]
    tree.add(expansion(after("e2e4"), e7e5=-30))
    tree.back_up()
    # Two plies of the best line cost less than one ply that loses 70 centipawns.
    assert tree.next_positions(3) == [after("d2d4"), after("e2e4", "e7e5"), after("a2a4")]


def test_values_are_backed_up_and_change_what_is_next(tree):
    tree.add(expansion(after("e2e4"), e7e5=50))
    tree.back_up()
    assert tree.next_positions(1) == [after("d2d4")]
    weights = {entry.move_code: entry.weight for entry in tree.entries() if entry.weight}
    best = book_code(chess.Board(), chess.Move.from_uci("d2d4"))
    assert weights[best] == FULL_WEIGHT
    assert book_code(chess.Board(), chess.Move.from_uci("e2e4")) not in weights


def test_transpositions_are_one_position(tree):
    tree.add(expansion(after("e2e4"), e7e5=-30))
    tree.add(expansion(after("e2e4", "e7e5"), g1f3=30))
    other = after("g1f3", "e7e5", "e2e4")
    assert other == after("e2e4", "e7e5", "g1f3")
    assert tree.next_positions(9).count(other) == 1


def test_cycles_come_to_an_end():
    tree = GrowingTree(GrowthRules(), [START])
    way = ["g1f3", "g8f6", "f3g1", "f6g8"]
    for ply, move in enumerate(way):
        tree.add(expansion(after(*way[:ply]), **{move: 1}))
    tree.back_up()
    assert tree.next_positions(9) == []
    assert list(tree.entries())


def test_lines_end_at_the_greatest_ply(tree):
    tree.rules = GrowthRules(max_ply=0)
    assert tree.next_positions(9) == []


def test_the_file_brings_everything_back(tmp_path):
    path = tmp_path / "growth"
    file = GrowthFile(path, SETTINGS)
    written = [expansion(START, e2e4=30), expansion(after("e2e4"))]
    for item in written:
        file.append(item)
    file.close()
    assert GrowthFile(path, SETTINGS).expansions == written


def test_a_line_cut_short_is_skipped_and_the_next_one_is_whole(tmp_path):
    path = tmp_path / "growth"
    file = GrowthFile(path, SETTINGS)
    file.append(expansion(START, e2e4=30))
    file.append(expansion(after("e2e4"), e7e5=1))
    file.close()
    path.write_bytes(path.read_bytes()[:-9])
    resumed = GrowthFile(path, SETTINGS)
    assert (len(resumed.expansions), resumed.skipped_lines) == (1, 1)
    resumed.append(expansion(after("e2e4"), e7e5=1))
    resumed.close()
    assert len(GrowthFile(path, SETTINGS).expansions) == 2


@pytest.mark.parametrize("content", ["nonsense\n", "{}\n", "[1]\n"])
def test_a_foreign_file_is_refused(tmp_path, content):
    path = tmp_path / "growth"
    path.write_text(content)
    with pytest.raises(BookError, match="not the file"):
        GrowthFile(path, SETTINGS)


def test_other_settings_are_refused(tmp_path):
    path = tmp_path / "growth"
    GrowthFile(path, SETTINGS).close()
    with pytest.raises(BookError, match="other settings"):
        GrowthFile(path, {"nodes": 200})


def test_entries_are_in_the_order_of_a_book(tree):
    tree.add(expansion(after("e2e4"), e7e5=-30, c7c5=-31))
    entries = list(tree.entries())
    assert entries == sorted(entries, key=lambda entry: (entry.key, -entry.weight))
    assert all(isinstance(entry, BookEntry) for entry in entries)

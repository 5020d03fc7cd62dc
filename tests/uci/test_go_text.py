# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of `go` and `bench`: limits from text, and one message for each error."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.layout import MAX_PERFT_DEPTH
from kingcobra.core.search.scores import MAX_PLY
from kingcobra.engine.limits import SearchLimits
from kingcobra.uci.bench import BenchPosition, parse_go_form, parse_task
from kingcobra.uci.go import GO_WORDS, parse_go
from kingcobra.uci.protocol import UciError

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
START = BenchPosition(START_FEN, False)
SECOND_FEN = "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1"


@pytest.fixture(scope="module")
def board(core):
    return PositionHandle(core)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", {}),
        ("infinite", {"infinite": True}),
        ("ponder", {"ponder": True}),
        ("ponder infinite", {"ponder": True, "infinite": True}),
        ("depth 8", {"depth": 8}),
        ("depth +8", {"depth": 8}),
        ("nodes 5000", {"nodes": 5000}),
        ("mate 3", {"mate": 3}),
        ("movetime 250", {"movetime_ms": 250}),
        ("movestogo 12", {"movestogo": 12}),
        ("wtime 1000 btime 2000", {"clock_ms": 1000}),
        ("wtime -5", {"clock_ms": -5}),
        ("winc 10 binc 20", {"increment_ms": 10}),
        ("btime 5", {}),
        ("depth 3 nodes 9 movetime 7", {"depth": 3, "nodes": 9, "movetime_ms": 7}),
        # An infinite search keeps no other limit.
        ("infinite depth 3 nodes 9 mate 2 movetime 7 wtime 5 winc 1", {"infinite": True}),
        # A limit of nothing still owes a move.
        ("depth 0", {"depth": 1}),
        ("depth -4", {"depth": 1}),
        ("nodes 0", {"nodes": 1}),
        ("movetime 0", {"movetime_ms": 1}),
        ("movetime -100", {"movetime_ms": 1}),
        ("movestogo -1", {}),
        # Nothing is deeper than the stack.
        ("depth 100000", {"depth": MAX_PLY - 1}),
    ],
)
def test_limits(board, text, expected):
    command = parse_go(text.split(), board)
    assert command == (SearchLimits(**expected), None, [], [])


def test_the_clock_is_that_of_the_side_to_move(core):
    black = PositionHandle(core, START_FEN.replace(" w ", " b "))
    command = parse_go(["wtime", "1", "winc", "2", "btime", "3", "binc", "4"], black)
    assert command.limits == SearchLimits(clock_ms=3, increment_ms=4)


@pytest.mark.parametrize("depth", [0, 4])
def test_perft(board, depth):
    assert parse_go(["perft", str(depth)], board) == (SearchLimits(), depth, [], [])


@pytest.mark.parametrize(
    ("text", "moves", "expected", "errors"),
    [
        ("searchmoves e2e4 d2d4", ["e2e4", "d2d4"], {}, 0),
        ("searchmoves d2d4 e2e4 d2d4", ["d2d4", "e2e4"], {}, 0),
        ("searchmoves e2e4 depth 3", ["e2e4"], {"depth": 3}, 0),
        ("searchmoves e2e4 infinite", ["e2e4"], {"infinite": True}, 0),
        ("searchmoves e2e4 e9e9 ponder", ["e2e4"], {"ponder": True}, 1),
        ("searchmoves e2e5", [], {}, 2),
        ("searchmoves", [], {}, 1),
    ],
)
def test_searchmoves_become_moves(board, text, moves, expected, errors):
    command = parse_go(text.split(), board)
    root_moves = tuple(board.parse_move(move) for move in moves)
    assert command.limits == SearchLimits(root_moves=root_moves, **expected)
    assert (len(command.move_errors), command.word_errors) == (errors, [])


@pytest.mark.parametrize("word", sorted(GO_WORDS - {"searchmoves", "ponder", "infinite", "perft"}))
@pytest.mark.parametrize(
    "number", ["", "x", "1.5", "1e3", "0x10", "--1", "-+1", "+-1", "-", "+", "٣", "9" * 19]
)
def test_bad_numbers_are_named_and_the_rest_is_obeyed(board, word, number):
    other = "nodes 77" if word != "nodes" else "depth 7"
    command = parse_go([word, *number.split(), *other.split()], board)
    (error,) = command.word_errors
    assert error.startswith(word)
    assert number in error
    assert command.limits == parse_go(other.split(), board).limits


@pytest.mark.parametrize(
    "depth", ["-1", str(MAX_PERFT_DEPTH + 1), "x", "1.5", "٣", "9" * 19, "depth"]
)
def test_a_perft_of_no_depth_is_an_error(board, depth):
    with pytest.raises(UciError, match=rf"^perft '{depth}', .* 0 to {MAX_PERFT_DEPTH}$"):
        parse_go(["depth", "3", "perft", depth], board)
    with pytest.raises(UciError, match=r"^perft has no depth"):
        parse_go(["depth", "3", "perft"], board)


def test_unknown_words_are_named_one_by_one(board):
    command = parse_go(["please", "depth", "3", "now"], board)
    assert command.limits == SearchLimits(depth=3)
    assert [text.split()[0] for text in command.word_errors] == ["'please':", "'now':"]


@given(st.lists(st.one_of(st.sampled_from(sorted(GO_WORDS)), st.text(min_size=1, max_size=5))))
def test_any_words_give_limits(board, words):
    try:
        command = parse_go(words, board)
    except UciError:
        assert "perft" in words
        return
    assert not any(text.startswith("go") for text in (*command.word_errors, *command.move_errors))
    limits = command.limits
    assert limits.depth in range(MAX_PLY)
    assert min(limits.nodes, limits.mate, limits.movetime_ms, limits.movestogo) >= 0
    assert set(limits.root_moves) <= set(board.moves())


# --- bench ------------------------------------------------------------------------------------


def test_bench_without_words(board):
    task = parse_task([], board)
    assert (task.hash_mb, task.threads, task.limits.search) == (16, 1, SearchLimits(depth=13))
    assert len(task.positions) == 50
    assert any(position.chess960 for position in task.positions)


def test_bench_with_all_its_words(board, tmp_path):
    path = tmp_path / "positions"
    path.write_text(f"{START_FEN}\n\n  {SECOND_FEN}\n")
    task = parse_task(["32", "2", "500", str(path), "nodes"], board)
    assert (task.hash_mb, task.threads, task.limits.search) == (32, 2, SearchLimits(nodes=500))
    assert task.positions == (START, BenchPosition(SECOND_FEN, False))
    assert parse_task(["1", "1", "4", "current"], board).positions == (START,)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("x", "'x'"),
        ("0", "'0'"),
        ("-1", "'-1'"),
        ("9" * 5000, "hash"),
        ("16 0", "'0'"),
        ("16 100000", "threads"),
        ("16 1 x", "'x'"),
        ("16 1 4 default sideways", "'sideways'"),
        ("16 1 4 /no/such/file", "'/no/such/file'"),
        ("16 1 4 default depth more", "'more'"),
    ],
)
def test_a_bad_bench_is_named(board, text, named):
    with pytest.raises(UciError) as caught:
        parse_task(text.split(), board)
    assert named in str(caught.value)
    assert len(str(caught.value)) < 200


def test_an_infinite_bench_ends(board):
    assert parse_go_form(["infinite"], board).limits == SearchLimits(depth=10)
    assert parse_go_form(["nodes", "5"], board).limits == SearchLimits(nodes=5)
    with pytest.raises(UciError, match="'x'"):
        parse_go_form(["depth", "x"], board)

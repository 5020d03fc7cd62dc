# SPDX-License-Identifier: GPL-3.0-or-later
"""The words of `go` and `bench`: limits from text, and one complaint for what is wrong."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.core.rules.basics import BLACK, WHITE
from kingcobra.core.rules.layout import MAX_PERFT_DEPTH
from kingcobra.core.search.scores import MAX_PLY
from kingcobra.engine.limits import GoLimits
from kingcobra.uci.bench import go_form_limits, parse_task
from kingcobra.uci.go import GO_WORDS, parse_go
from kingcobra.uci.protocol import UciError

NONE = {WHITE: 0, BLACK: 0}
START = ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", False)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", GoLimits()),
        ("infinite", GoLimits(infinite=True)),
        ("ponder", GoLimits(ponder=True)),
        ("depth 8", GoLimits(depth=8)),
        ("depth +8", GoLimits(depth=8)),
        ("nodes 5000", GoLimits(nodes=5000)),
        ("mate 3", GoLimits(mate=3)),
        ("movetime 250", GoLimits(movetime_ms=250)),
        ("perft 4", GoLimits(perft=4)),
        ("perft 0", GoLimits(perft=0)),
        ("movestogo 12", GoLimits(movestogo=12)),
        ("wtime 1000 btime 2000", GoLimits(clock_ms={WHITE: 1000, BLACK: 2000})),
        ("btime -5", GoLimits(clock_ms={BLACK: -5})),
        ("winc 10 binc 20", GoLimits(increment_ms={WHITE: 10, BLACK: 20})),
        ("searchmoves e2e4 d2d4", GoLimits(searchmoves=["e2e4", "d2d4"])),
        ("searchmoves e2e4 depth 3", GoLimits(searchmoves=["e2e4"], depth=3)),
        ("searchmoves e2e4 infinite", GoLimits(searchmoves=["e2e4"], infinite=True)),
        ("searchmoves e2e4 e9e9 ponder", GoLimits(searchmoves=["e2e4", "e9e9"], ponder=True)),
        ("searchmoves", GoLimits(searchmoves=[])),
        ("depth 3 nodes 9 movetime 7", GoLimits(depth=3, nodes=9, movetime_ms=7)),
        # A limit of nothing still owes a move.
        ("depth 0", GoLimits(depth=1)),
        ("depth -4", GoLimits(depth=1)),
        ("nodes 0", GoLimits(nodes=1)),
        ("movetime 0", GoLimits(movetime_ms=1)),
        ("movetime -100", GoLimits(movetime_ms=1)),
        ("movestogo -1", GoLimits()),
        # Nothing is deeper than the stack.
        ("depth 100000", GoLimits(depth=MAX_PLY - 1)),
    ],
)
def test_limits(text, expected):
    assert parse_go(text.split()) == (expected, [])


@pytest.mark.parametrize("word", sorted(GO_WORDS - {"searchmoves", "ponder", "infinite", "perft"}))
@pytest.mark.parametrize(
    "number", ["", "x", "1.5", "1e3", "0x10", "--1", "-+1", "+-1", "-", "+", "٣", "9" * 19]
)
def test_bad_numbers_are_named_and_the_rest_is_obeyed(word, number):
    other = "nodes 77" if word != "nodes" else "depth 7"
    limits, complaints = parse_go([word, *number.split(), *other.split()])
    (complaint,) = complaints
    assert complaint.startswith(f"go: {word} ")
    assert complaint.endswith("ignored")
    assert number in complaint
    assert limits == parse_go(other.split())[0]


@pytest.mark.parametrize(
    "depth", ["-1", str(MAX_PERFT_DEPTH + 1), "x", "1.5", "٣", "9" * 19, "depth"]
)
def test_a_perft_of_no_depth_is_an_error(depth):
    with pytest.raises(UciError, match=rf"^go: perft '{depth}', .* 0 to {MAX_PERFT_DEPTH}$"):
        parse_go(["depth", "3", "perft", depth])
    with pytest.raises(UciError, match="go: perft has no depth"):
        parse_go(["depth", "3", "perft"])


def test_unknown_words_are_named_one_by_one():
    limits, complaints = parse_go(["please", "depth", "3", "now"])
    assert limits == GoLimits(depth=3)
    assert [text.split()[1] for text in complaints] == ["'please'", "'now'"]


@given(st.lists(st.one_of(st.sampled_from(sorted(GO_WORDS)), st.text(min_size=1, max_size=5))))
def test_any_words_give_limits(words):
    try:
        limits, complaints = parse_go(words)
    except UciError:
        assert "perft" in words
        return
    assert all(text.startswith("go: ") for text in complaints)
    assert limits.depth in range(MAX_PLY)
    assert set(limits.clock_ms) <= {WHITE, BLACK}
    assert limits.increment_ms.keys() == NONE.keys()


# --- bench ------------------------------------------------------------------------------------


def test_bench_without_words():
    task = parse_task([], START)
    assert (task.hash_mb, task.threads, task.limits) == (16, 1, GoLimits(depth=13))
    assert len(task.positions) == 50
    assert sum(chess960 for _fen, chess960 in task.positions) > 0


def test_bench_with_all_its_words(tmp_path):
    path = tmp_path / "positions"
    path.write_text(f"{START[0]}\n\n  8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\n")
    task = parse_task(["32", "2", "500", str(path), "nodes"], START)
    assert (task.hash_mb, task.threads, task.limits) == (32, 2, GoLimits(nodes=500))
    assert task.positions == (START, ("8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", False))
    assert parse_task(["1", "1", "4", "current"], START).positions == (START,)


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("x", "'x'"),
        ("0", "'0'"),
        ("-1", "'-1'"),
        ("9" * 5000, "Hash"),
        ("16 0", "'0'"),
        ("16 100000", "Threads"),
        ("16 1 x", "'x'"),
        ("16 1 4 default sideways", "'sideways'"),
        ("16 1 4 /no/such/file", "'/no/such/file'"),
        ("16 1 4 default depth more", "'more'"),
    ],
)
def test_a_bad_bench_is_named(text, named):
    with pytest.raises(UciError) as caught:
        parse_task(text.split(), START)
    assert named in str(caught.value)
    assert len(str(caught.value)) < 200


def test_an_endless_bench_ends():
    assert go_form_limits(["infinite"]) == GoLimits(depth=10)
    assert go_form_limits(["nodes", "5"]) == GoLimits(nodes=5)
    with pytest.raises(UciError, match="'x'"):
        go_form_limits(["depth", "x"])

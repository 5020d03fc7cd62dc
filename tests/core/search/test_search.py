# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled search: reproducible, exact in its limits, truthful in its lines."""

import subprocess
import sys

import chess
import pytest

from kingcobra.core.search.layout import EXACT
from kingcobra.core.search.scores import MATE, MATE_BAND
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.uci.bench_positions import CHESS960, STANDARD
from tests.core.search.mates import read_mates
from tests.core.search.searches import require_sound, search
from tests.engine_process import CLASSICAL

START = chess.STARTING_FEN
KIWIPETE = STANDARD[1]
SOME = STANDARD[:12:3]
DEPTH = 9


# --- reproducible -----------------------------------------------------------------------------


def counts(engine):
    engine.new_game()
    return [search(engine, fen, depth=DEPTH).nodes for fen in SOME]


def test_a_new_game_searches_the_same_tree(engine):
    first = counts(engine)
    assert counts(engine) == first
    assert len(set(first)) == len(first)


def test_another_engine_and_another_process_search_the_same_tree(engine):
    expected = counts(engine)
    assert counts(SearchEngine(engine.core)) == expected
    lines = [line for fen in SOME for line in (f"position fen {fen}", f"go depth {DEPTH}")]
    # Each go waits for the one before it: it stops what is still under way.
    process = subprocess.Popen(
        [sys.executable, "-m", "kingcobra"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    nodes = []
    with process:
        process.stdin.write(f"{CLASSICAL}\n")
        for position, go in zip(lines[::2], lines[1::2], strict=True):
            process.stdin.write(f"{position}\n{go}\n")
            process.stdin.flush()
            for line in process.stdout:
                if " pv " in line:
                    last = int(line.split(" nodes ")[1].split()[0])
                if line.startswith("bestmove"):
                    break
            nodes.append(last)
        process.stdin.close()
    assert nodes == expected


def test_what_was_learnt_changes_the_tree_and_is_forgotten(engine):
    first = search(engine, KIWIPETE, depth=DEPTH).nodes
    assert search(engine, KIWIPETE, depth=DEPTH).nodes != first
    engine.clear_hash()
    assert search(engine, KIWIPETE, depth=DEPTH).nodes == first


@pytest.mark.parametrize("nodes", [999, 1000, 1023, 1024, 1025, 12_345, 200_000])
def test_nodes_are_exact(engine, nodes):
    found = search(engine, KIWIPETE, nodes=nodes)
    assert found.nodes == nodes
    assert found.best
    require_sound(KIWIPETE, found)


def test_the_table_fills_and_is_emptied(engine):
    size = engine.table.size
    search(engine, KIWIPETE, nodes=50_000)
    full = engine.hashfull_permille()
    engine.clear_hash()
    search(engine, KIWIPETE, nodes=1)
    assert engine.hashfull_permille() < full
    assert engine.table.size == size


# --- truthful ---------------------------------------------------------------------------------


@pytest.mark.parametrize("number", range(len(STANDARD)))
def test_lines_are_legal(engine, number):
    found = search(engine, STANDARD[number], nodes=20_000)
    require_sound(STANDARD[number], found)
    assert [line.depth for line in found.lines] == sorted(line.depth for line in found.lines)


@pytest.mark.parametrize("fen", CHESS960)
def test_lines_are_legal_in_chess960(engine, fen):
    require_sound(fen, search(engine, fen, chess960=True, nodes=20_000), chess960=True)


MATES = [
    # Position and its mate in moves, negative when the side to move is mated.
    ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 1),
    ("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 0 1", 1),
    ("7k/8/5K2/8/8/8/8/R7 w - - 0 1", 2),
    ("6k1/5ppp/8/8/8/8/8/R3R1K1 w - - 0 1", 1),
    ("k7/8/1K6/8/8/8/8/7R b - - 0 1", -1),
    ("3k4/8/3K4/8/8/8/8/6R1 b - - 0 1", -2),
    ("8/8/8/8/8/2k5/1q6/K7 w - - 0 1", 0),
]


ENOUGH_FOR_A_SHORT_MATE = 50_000


def exact_mates(found):
    """Mates in moves of the lines that claim one exactly."""
    return [
        (MATE - line.score + 1) // 2 if line.score > 0 else -((MATE + line.score) // 2)
        for line in found.lines
        if line.bound == EXACT and abs(line.score) >= MATE_BAND
    ]


@pytest.mark.parametrize(("fen", "mate"), [pair for pair in MATES if pair[1]])
def test_short_mates(engine, fen, mate):
    """Within nodes, not plies: the search may reduce what does not matter, and go deeper sooner."""
    found = search(engine, fen, nodes=ENOUGH_FOR_A_SHORT_MATE)
    require_sound(fen, found)
    assert exact_mates(found)[-1] == mate


@pytest.mark.parametrize("fen", [fen for fen, mate in MATES if not mate])
def test_no_move_no_line(engine, fen):
    found = search(engine, fen, depth=5)
    assert (found.lines, found.best, found.nodes) == ([], [], 0)


MOST_MOVES, MOST_NODES, EVERY = 3, 400_000, 4


def test_mates_of_the_collection(engine):
    """What it claims is true; and nearly all short mates are found within the nodes."""
    mates = read_mates(most_moves=MOST_MOVES)[::EVERY]
    assert len(mates) > 10
    found_in_time = 0
    for fen, mate in mates:
        engine.new_game()
        found = search(engine, fen, nodes=MOST_NODES, mate=abs(mate))
        require_sound(fen, found)
        found_in_time += exact_mates(found)[-1:] == [mate]
    assert found_in_time >= len(mates) * 0.8


# --- several lines and several threads --------------------------------------------------------


@pytest.mark.parametrize("lines", [2, 5, 500])
def test_several_lines_come_best_first(engine, lines):
    engine.settings.lines = lines
    found = search(engine, KIWIPETE, depth=5)
    require_sound(KIWIPETE, found)
    expected = min(lines, chess.Board(KIWIPETE).legal_moves.count())
    last = found.lines[-expected:]
    assert [line.number for line in last] == list(range(1, expected + 1))
    assert len({line.moves[0] for line in last}) == expected
    scores = [line.score for line in last]
    assert scores == sorted(scores, reverse=True)
    assert last[0].moves[0] == found.best[0]


def test_the_first_of_several_lines_mates(engine):
    engine.settings.lines = 3
    fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
    found = search(engine, fen, depth=5)
    require_sound(fen, found)
    assert found.best == ["a1a8"]


@pytest.mark.parametrize("threads", [2, 5])
def test_several_threads_agree_on_something_legal(engine, threads):
    engine.set_threads(threads)
    for fen in SOME:
        found = search(engine, fen, depth=DEPTH)
        require_sound(fen, found)
        assert chess.Move.from_uci(found.best[0]) in chess.Board(fen).legal_moves
        assert all(worker.record.nodes > 0 for worker in engine._threads.members[:1])
    fen = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
    assert search(engine, fen, depth=8).best == ["a1a8"]


# --- draws ------------------------------------------------------------------------------------


def test_a_perpetual_check_saves_a_lost_game(engine):
    """Qe8+ Kh7 Qh5+ Kg8 and again; every other move loses."""
    fen = "6k1/6p1/8/7Q/8/8/qr6/6K1 w - - 0 1"
    found = search(engine, fen, depth=10)
    require_sound(fen, found)
    assert found.score == 0
    assert found.best[0] == "h5e8"


@pytest.mark.parametrize(
    "fen",
    [
        "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K1B2/8/8 w - - 0 1",
        # The fiftieth move has been made.
        "8/8/4k3/8/8/3K4/3Q4/8 w - - 99 80",
        # Two knights cannot force mate.
        "8/8/4k3/8/8/3K1NN1/8/8 w - - 0 1",
        "8/8/4k3/8/8/3K1nn1/8/8 w - - 0 1",
    ],
)
def test_dead_draws_are_worth_exactly_nothing(engine, fen):
    found = search(engine, fen, depth=6)
    assert found.score == 0
    assert {line.score for line in found.lines} == {0}


def test_mate_comes_before_the_fiftieth_move(engine):
    fen = "7k/8/6K1/8/8/8/8/R7 w - - 99 80"
    found = search(engine, fen, depth=6)
    assert found.score == MATE - 1
    require_sound(fen, found)

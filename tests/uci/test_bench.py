# SPDX-License-Identifier: GPL-3.0-or-later
"""`bench`: its two forms, its kinds of limits, and that nothing of it stays."""

import signal

import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.network.architectures import SQUARED
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.networks.file import write_network
from kingcobra.uci.bench import (
    DEFAULTS,
    INFINITE_BENCH_DEPTH,
    LIMIT_TYPES,
    BenchPosition,
    parse_go_form,
    parse_task,
)
from kingcobra.uci.protocol import UciError
from tests.core.network.random_networks import random_network
from tests.core.search.searches import search

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
INTERRUPTED = 130


def searched(engine):
    """The sum that a bench tells at its end."""
    engine.wait_for_error("Nodes/second")
    (line,) = [line for line in engine.errors if line.startswith("Nodes searched")]
    return int(line.split()[-1])


@pytest.fixture
def positions(tmp_path):
    path = tmp_path / "positions"
    path.write_text(f"{START}\n{KIWIPETE}\n")
    return path


@pytest.mark.parametrize(
    ("limit", "kind"),
    [("3", "depth"), ("2000", "nodes"), ("20", "movetime"), ("1", "mate")],
)
def test_limits_of_a_search(engine, positions, limit, kind):
    if kind == "mate":
        positions.write_text("7k/8/6K1/8/8/8/8/R7 w - - 0 1\n")
    engine.send(f"bench 1 1 {limit} {positions} {kind}")
    total = searched(engine)
    assert total == 4000 if kind == "nodes" else total > 0


def test_perft(engine, positions):
    engine.send(f"bench 1 1 3 {positions} perft")
    assert searched(engine) == 8902 + 97862
    engine.ask()
    assert [line for line in engine.output if line.startswith("Nodes searched")] == [
        "Nodes searched: 8902",
        "Nodes searched: 97862",
    ]


def test_a_perft_can_be_stopped(engine):
    engine.send("bench 1 1 20 current perft")
    engine.wait_for("Position: 1/1")
    engine.send("stop")
    assert searched(engine) == 0


@pytest.mark.parametrize("limit", ["_", "13", "nonsense"])
def test_eval(engine, positions, limit):
    engine.send(f"bench 1 1 {limit} {positions} eval")
    assert searched(engine) == 0
    engine.ask()
    assert sum(line.startswith("Final evaluation: ") for line in engine.output) == 2


def test_eval_is_that_of_the_network_in_use(engine, positions, tmp_path):
    path = tmp_path / "nn-1.nnue"
    write_network(random_network(SQUARED.at_width(64), 1), path)
    engine.send(f"setoption name EvalFile value {path}", f"bench 1 1 _ {positions} eval")
    assert searched(engine) == 0
    engine.ask()
    assert sum(line.startswith(f"{path.name}: ") for line in engine.output) == 2


def test_perft_with_the_words_of_go(engine):
    engine.send(f"position fen {KIWIPETE}", "bench perft 3")
    line = engine.wait_for("bench nodes")[-1]
    assert line.startswith("bench nodes 97862 negamax_nodes 97862 quiescence_nodes 0 time(s) ")


def test_infinite_goes_on_until_stop(engine):
    engine.send("bench 1 1 _ current infinite")
    engine.wait_for("info depth 8")
    engine.ask()
    assert engine.errors == []
    engine.send("stop")
    assert searched(engine) > 0


def test_infinite_ends_with_the_input(engine):
    engine.send("bench 1 1 _ current infinite")
    assert engine.end() == 0
    assert searched(engine) >= 0


def test_infinite_on_the_command_line_goes_on_until_interrupted(core, start_engine):
    assert core
    engine = start_engine("bench", "1", "1", "_", "current", "infinite")
    engine.wait_for("info depth 8")
    engine.process.send_signal(signal.SIGINT)
    assert engine.wait() == INTERRUPTED
    assert searched(engine) > 0


# --- what is refused --------------------------------------------------------------------------


HASH = "expected a number from 1 to 33554432, or limits as for go"
REFUSED = {
    "0": f"hash '0', {HASH}",
    "foo": f"hash 'foo', {HASH}",
    "1 0": "threads '0', expected a number from 1 to 1024",
    "1 x": "threads 'x', expected a number from 1 to 1024",
    "1 1 x": "depth 'x': not a number",
    "16 1 x current depth": "depth 'x': not a number",
    "16 1 x current nodes": "nodes 'x': not a number",
    "1 1 x current perft": "perft 'x', expected a depth from 0 to 64",
    "1 1 1 /no/such/file": "cannot read '/no/such/file': No such file or directory;"
    " expected default, current or a file",
    "1 1 1 default dpeth": "limit type 'dpeth', known: " + ", ".join(LIMIT_TYPES),
    "1 1 1 1 1 1": "'1' is one word too many",
    "depth": "depth: the number is missing",
    "depth x": "depth 'x': not a number",
    "depth 3 quickly": "'quickly': unknown word",
    "perft x": "perft 'x', expected a depth from 0 to 64",
}


@pytest.mark.parametrize("words", REFUSED)
def test_what_is_wrong_is_named_in_one_line(engine, words):
    """Nothing is said of options or of `go`, which the user has not typed."""
    assert engine.ask(f"bench {words}") == [f"info string error: bench: {REFUSED[words]}"]


def test_every_kind_of_limit_is_taken(core):
    current = PositionHandle(core)
    for kind in LIMIT_TYPES:
        task = parse_task(["1", "1", "1", "current", kind], current)
        assert task.positions == (BenchPosition(START, False),)
    with pytest.raises(UciError, match="known: depth"):
        parse_task([*DEFAULTS[:4], "searchmoves"], current)


# --- nothing stays ----------------------------------------------------------------------------


def test_bench_leaves_the_game_as_it_was(engine):
    """The same search after a bench has the nodes of one without it: threads, table, its contents,
    its age and the histories are those of before."""

    def second_search(*between):
        engine.send("ucinewgame", f"position fen {KIWIPETE}", "go depth 7")
        engine.wait_for("bestmove")
        for command in between:
            engine.send(command)
            engine.wait_for_error("Nodes/second")
            engine.ask()
        engine.send("go depth 9")
        lines = [line for line in engine.wait_for("bestmove") if " pv " in line]
        # Bounds are reported where the machine is slow.
        return [line.split(" nps ")[0] for line in lines if "bound " not in line]

    engine.send("setoption name Hash value 2")
    undisturbed = second_search()
    assert second_search("bench 1 3 3") == undisturbed


def test_the_form_with_limits_depends_on_the_position_alone(engine):
    """Not on what earlier searches have left in the table and in the histories."""

    def nodes():
        engine.send("bench depth 7")
        return engine.wait_for("bench nodes")[-1].split()[2]

    engine.send(f"position fen {KIWIPETE}")
    fresh = nodes()
    engine.send("go depth 9")
    engine.wait_for("bestmove")
    assert nodes() == fresh
    engine.send("position startpos moves e2e4", "go depth 5")
    engine.wait_for("bestmove")
    engine.send(f"position fen {KIWIPETE}")
    assert nodes() == fresh


def test_a_bench_that_was_stopped_says_so(engine):
    engine.send("bench 1 1 60", "stop")
    engine.wait_for_error("Nodes/second")
    assert any(line.startswith("Stopped early") for line in engine.errors)
    engine.send("bench depth 200", "stop")
    assert engine.wait_for("bench nodes")[-2] == "info string bench stopped"
    engine.send("bench depth 1")
    assert not any("stopped" in line for line in engine.wait_for("bench nodes"))


def test_what_is_lent_comes_back(core):
    engine = SearchEngine(core)
    engine.set_threads(2)
    search(engine, KIWIPETE, depth=5)
    table, threads = engine.table, engine._threads.members
    full = engine.hashfull_permille()
    restore = engine.lend(3, 1)
    assert len(engine._threads.members) == 3
    assert engine.hashfull_permille() == 0
    search(engine, KIWIPETE, depth=5)
    assert engine.table is not table
    restore()
    assert engine.table is table
    assert engine._threads.members is threads
    assert engine.hashfull_permille() == full


def test_what_cannot_be_lent_changes_nothing(core):
    engine = SearchEngine(core)
    table, threads = engine.table, engine._threads.members
    with pytest.raises(OutOfMemory):
        engine.lend(1, 33_554_432)
    assert engine.table is table
    assert engine._threads.members is threads


def test_fullness_is_known_at_any_time(core):
    """Also before the first search, and while the table of the last one is gone."""
    engine = SearchEngine(core)
    assert engine.hashfull_permille() == 0
    search(engine, KIWIPETE, nodes=50_000)
    assert engine.hashfull_permille() > 0
    engine.set_hash_mb(1)
    assert engine.hashfull_permille() == 0
    search(engine, KIWIPETE, nodes=50_000)
    assert engine.hashfull_permille() > 0
    engine.clear_hash()
    assert engine.hashfull_permille() == 0


@pytest.mark.parametrize(
    "words", ["ponder", "infinite", "btime 1000", "movestogo 3", "ponder depth 2"]
)
def test_the_go_form_always_ends_by_itself(core, words):
    """Else nothing but `stop` would end it: commands behind a bench wait for its end."""
    limits = parse_go_form(words.split(), PositionHandle(core)).limits
    assert not limits.infinite
    assert not limits.ponder
    assert limits.depth == (2 if "depth" in words else INFINITE_BENCH_DEPTH)

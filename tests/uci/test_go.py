# SPDX-License-Identifier: GPL-3.0-or-later
"""`go` with a real engine: limits, endless searches, and what is printed when."""

import signal
import time

import chess
import pytest

from kingcobra.uci.go import CLOCKS, INCREMENTS, NUMBERS

START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
MATE_IN_ONE = "7k/8/6K1/8/8/8/8/R7 w - - 0 1"
CHECKMATE = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"
STALEMATE = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"
# Long enough that an engine that answers without being asked has done so.
A_WHILE_S = 0.3
INTERRUPTED = 130


def searched(engine, *commands):
    """All lines up to and with the bestmove that the commands bring about."""
    engine.send(*commands)
    return engine.wait_for("bestmove")


def best_move(lines):
    return lines[-1].split()[1]


def field(line, name):
    words = line.split()
    return words[words.index(name) + 1]


def value(lines, name):
    """A number of the last line that has a pv."""
    return int(field([line for line in lines if " pv " in line][-1], name))


def require_silence(engine):
    """Nothing is said for a while."""
    count = len(engine.output)
    time.sleep(A_WHILE_S)
    bestmoves = [line for line in engine.output[count:] if line.startswith("bestmove")]
    assert bestmoves == []


# --- limits -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limits",
    [
        "depth 5",
        "depth 0",
        "nodes 1",
        "nodes 0",
        "nodes 5000",
        "movetime 30",
        "movetime 0",
        "movetime -10",
        "wtime 1000 btime 1000",
        "wtime 0 btime 0",
        "wtime -1000 btime -1000 winc -5",
        "wtime 1 btime 1 movestogo 1",
        "wtime 100 winc 10 movestogo 0",
        "depth 3 nodes 1000000 movetime 100000 wtime 100000",
        "mate 1 depth 4",
        "searchmoves a2a3 h2h3 depth 4",
        "depth 4 searchmoves a2a3 h2h3 nodes 3000",
        "depth -5 nodes -5 movetime 50",
        "mate 0 depth 3",
        "mate -3 nodes 100",
        "movestogo 5 depth 2",
        "winc 1000 binc 1000 depth 3",
        "btime 10 depth 3",
        "wtime -1 winc -1 btime -1 binc -1 movestogo -1",
    ],
)
def test_every_limit_ends_in_a_legal_move(engine, limits):
    lines = searched(engine, f"go {limits}")
    assert chess.Move.from_uci(best_move(lines)) in chess.Board().legal_moves
    assert sum(line.startswith("bestmove") for line in lines) == 1
    assert not any("error" in line for line in lines)


@pytest.mark.parametrize("clock", ["movetime 999999999999999999", "wtime 999999999999999999"])
def test_absurd_times_are_long_ones(engine, clock):
    engine.send(f"go {clock}")
    require_silence(engine)
    assert searched(engine, "stop")


def test_depth_is_reached_and_not_passed(engine):
    lines = searched(engine, "go depth 6")
    # A slow machine reports bounds, too.
    depths = [
        int(field(line, "depth")) for line in lines if " pv " in line and "bound " not in line
    ]
    assert depths == [1, 2, 3, 4, 5, 6]
    assert value(searched(engine, "ucinewgame", "go nodes 1000000 depth 3"), "depth") == 3


def test_bad_words_are_named_and_the_rest_is_obeyed(engine):
    lines = searched(engine, "go depth x nodes 200 quickly")
    errors = [line for line in lines if line.startswith("info string error: ")]
    assert ["depth 'x'" in errors[0], "'quickly'" in errors[1], len(errors)] == [True, True, 2]
    assert best_move(lines) != "(none)"


@pytest.mark.parametrize("rest", ["", " ponder", " depth 2", " x"])
def test_a_missing_or_bad_number_is_named_and_the_rest_is_obeyed(engine, rest):
    for word in (*CLOCKS, *INCREMENTS, *NUMBERS):
        engine.send(f"go nodes 500 {word}{rest}", "ponderhit")
        lines = engine.wait_for("bestmove")
        (error,) = [line for line in lines if line.startswith("info string error: ")]
        assert error.startswith(f"info string error: go: ignoring {word}")
        assert chess.Move.from_uci(best_move(lines)) in chess.Board().legal_moves


@pytest.mark.parametrize("depth", ["-1", "x", "65", "99999999999999999999", "1.5", "٣", ""])
def test_bad_perft_depths_are_named_and_nothing_is_searched(engine, depth):
    (error,) = engine.ask(f"go perft {depth}")
    assert error.startswith("info string error: go: perft ")
    assert depth in error
    assert engine.ask("stop") == []


def test_fields_come_in_their_order(engine):
    line = [line for line in searched(engine, "go depth 4") if " pv " in line][-1]
    names = ["depth", "seldepth", "multipv", "score", "nodes"]
    names += ["nps", "hashfull", "tbhits", "time", "pv"]
    words = line.split()
    assert [word for word in words if word in names] == names


def test_effort_and_load_are_told_every_second(engine):
    engine.send("go infinite")
    lines = [engine.wait_for("info nodes ")[-1] for _ in range(2)]
    searched(engine, "stop")
    first, second = ([int(field(line, name)) for name in ("nodes", "time")] for line in lines)
    assert 0 < first[0] < second[0]
    assert first[1] < second[1]
    for line in lines:
        assert line.split()[1::2] == ["nodes", "nps", "hashfull", "tbhits", "time", "cpuload"]
    loads = [int(field(line, "cpuload")) for line in lines]
    assert all(0 <= load <= 1000 for load in loads)
    assert max(loads) > 0


def test_the_current_move_is_told_after_three_seconds(engine):
    engine.send("setoption name MultiPV value 20", "go infinite")
    lines = []
    while not any(" currmove " in line for line in lines):
        lines = engine.wait_for("info depth ")
    lines += searched(engine, "stop")
    moves = [line.split() for line in lines if " currmove " in line]
    for words in moves:
        assert words[:2] == ["info", "depth"]
        assert words[3] == "currmove"
        assert words[5] == "currmovenumber"
        assert chess.Move.from_uci(words[4]) in chess.Board().legal_moves
        assert 1 <= int(words[6]) <= 20


def test_no_mate_is_said(engine):
    lines = searched(engine, "go mate 1")
    assert lines[-2] == "info string no mate in 1"
    assert best_move(lines) != "(none)"
    lines = searched(engine, f"position fen {MATE_IN_ONE}", "go mate 1")
    assert not any("no mate" in line for line in lines)
    assert lines[-1] == "bestmove a1a8"


def test_ponder_move_is_the_second_of_the_line(engine):
    lines = searched(engine, "go depth 6")
    pv = [line for line in lines if " pv " in line][-1].split(" pv ")[1].split()
    assert lines[-1] == f"bestmove {pv[0]} ponder {pv[1]}"


# --- the end of the game ----------------------------------------------------------------------


@pytest.mark.parametrize(("fen", "score"), [(CHECKMATE, "mate 0"), (STALEMATE, "cp 0")])
@pytest.mark.parametrize("limits", ["depth 5", "movetime 10", "nodes 1", ""])
def test_no_legal_move(engine, fen, score, limits):
    lines = searched(engine, f"position fen {fen}", f"go {limits}")
    assert lines == [*lines[:-2], f"info depth 0 score {score}", "bestmove (none)"]


def test_no_legal_move_infinitely(engine):
    engine.send(f"position fen {CHECKMATE}", "go infinite")
    require_silence(engine)
    assert best_move(searched(engine, "stop")) == "(none)"


def test_searchmoves(engine):
    lines = searched(engine, "go searchmoves a2a3 depth 5")
    assert best_move(lines) == "a2a3"
    assert all(line.split(" pv ")[1].startswith("a2a3") for line in lines if " pv " in line)
    assert not any("error" in line for line in lines)


def errors_in(lines, command="go"):
    start = f"info string error: {command}: ignoring searchmoves"
    return [line.removeprefix(start) for line in lines if line.startswith(start)]


@pytest.mark.parametrize("command", ["go", "bench"])
def test_bad_searchmoves_are_named_and_the_others_searched(engine, command):
    engine.send(f"{command} searchmoves x h2h3 e2e5 h2h3 depth 3")
    lines = engine.wait_for("bestmove" if command == "go" else "bench nodes")
    expected = [" 'x': illegal move", " 'e2e5': illegal move"]
    assert errors_in(lines, command) == expected
    assert all(line.split(" pv ")[1].startswith("h2h3") for line in lines if " pv " in line)


@pytest.mark.parametrize("moves", ["", "e2e5 a7a6"])
def test_searchmoves_that_leave_nothing_restrict_nothing(engine, moves):
    lines = searched(engine, f"go searchmoves {moves} depth 3")
    *ignored, last = errors_in(lines)
    assert len(ignored) == len(moves.split())
    assert last == ": no legal move"
    assert chess.Move.from_uci(best_move(lines)) in chess.Board().legal_moves


# --- endless searches -------------------------------------------------------------------------


@pytest.mark.parametrize("how", ["infinite", "ponder wtime 10 btime 10", "ponder movetime 1"])
@pytest.mark.parametrize("fen", [START, MATE_IN_ONE])
def test_endless_searches_wait_for_stop(engine, how, fen):
    engine.send(f"position fen {fen}", f"go {how}")
    require_silence(engine)
    engine.ask()
    lines = searched(engine, "stop")
    assert chess.Move.from_uci(best_move(lines)) in chess.Board(fen).legal_moves


@pytest.mark.parametrize("limits", ["depth 3", "nodes 50", "mate 1", "movetime 5"])
def test_infinite_outranks_every_limit(engine, limits):
    engine.send(f"go infinite {limits}")
    require_silence(engine)
    searched(engine, "stop")


@pytest.mark.parametrize("limits", ["depth 3", "nodes 50", "mate 1", "movetime 5", "wtime 50"])
def test_ponderhit_lets_a_search_answer(engine, limits):
    engine.send(f"position fen {MATE_IN_ONE}", f"go ponder {limits}")
    require_silence(engine)
    assert best_move(searched(engine, "ponderhit")) == "a1a8"


@pytest.mark.parametrize("how", ["infinite", "ponder infinite"])
def test_ponderhit_does_not_end_what_is_infinite(engine, how):
    engine.send(f"position fen {MATE_IN_ONE}", f"go {how}")
    engine.wait_for("info depth 3")
    engine.send("ponderhit")
    require_silence(engine)
    assert best_move(searched(engine, "stop")) == "a1a8"


def test_a_second_go_stops_the_first_and_both_answer(engine):
    lines = searched(engine, "go infinite", f"position fen {MATE_IN_ONE}", "go depth 4")
    assert chess.Move.from_uci(best_move(lines)) in chess.Board().legal_moves
    assert best_move(engine.wait_for("bestmove")) == "a1a8"


def test_stop_and_ponderhit_say_nothing_when_idle(engine):
    assert engine.ask("stop", "ponderhit", "stop") == []
    searched(engine, "go depth 2")
    assert engine.ask("stop", "ponderhit") == []


def test_the_game_goes_on_while_a_search_runs(engine):
    engine.send("go infinite", "position startpos moves e2e4")
    assert engine.fen().split()[1] == "b"
    assert chess.Move.from_uci(best_move(searched(engine, "stop"))) in chess.Board().legal_moves


# --- leaving ----------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["go infinite", "go ponder", "go ponder wtime 1"])
def test_the_end_of_the_input_ends_an_endless_search(engine, command):
    engine.send(command)
    assert engine.end() == 0
    assert sum(line.startswith("bestmove") for line in engine.output) == 1


def test_the_end_of_the_input_lets_a_search_finish(engine):
    engine.send("go depth 7")
    assert engine.end() == 0
    assert any(line.startswith("info depth 7 ") for line in engine.output)
    assert engine.output[-1].startswith("bestmove")


@pytest.mark.parametrize("words", [["go"], ["go", "infinite"], ["go", "searchmoves", "e2e4"]])
def test_on_the_command_line_an_endless_search_goes_on_until_interrupted(core, start_engine, words):
    assert core
    engine = start_engine(*words)
    engine.wait_for("info depth 6")
    require_silence(engine)
    engine.process.send_signal(signal.SIGINT)
    assert engine.wait() == INTERRUPTED
    assert engine.output[-1].startswith("bestmove")


def test_quit_ends_a_search(engine):
    engine.send("go infinite", "quit")
    assert engine.wait() == 0


# --- options while a search runs --------------------------------------------------------------


@pytest.mark.parametrize(
    "option",
    ["Hash value 1", "Clear Hash", "Threads value 3", "MultiPV value 3", "UCI_Chess960 value true"],
)
def test_an_option_set_during_a_search_waits_for_its_end(engine, option):
    engine.send("setoption name Threads value 2", "go infinite")
    infos = [line for line in engine.ask(f"setoption name {option}") if "info string opt" in line]
    assert len(infos) == 1
    assert infos[0].startswith(f"info string option {option.split(' value ')[0]} will be set when")
    searched(engine, "stop")
    assert best_move(searched(engine, "go depth 4")) != "(none)"


def test_an_option_that_waited_is_set(engine):
    engine.send("go infinite", "setoption name MultiPV value 3", "setoption name MultiPV value x")
    lines = searched(engine, "go depth 2")
    assert sum("info string error: option MultiPV: 'x'" in line for line in lines) == 1
    lines = engine.wait_for("bestmove")
    assert [field(line, "multipv") for line in lines if " pv " in line][-3:] == ["1", "2", "3"]


def test_an_option_that_waited_for_a_limited_search_is_set(engine):
    searched(engine, "go movetime 200", "setoption name MultiPV value 2")
    lines = searched(engine, "go depth 1")
    assert [field(line, "multipv") for line in lines if " pv " in line] == ["1", "2"]


def test_ucinewgame_stops_a_search(engine):
    engine.send("setoption name Threads value 2", "go infinite")
    assert searched(engine, "ucinewgame")
    lines = searched(engine, "go depth 4")
    assert max(value([line], "depth") for line in lines if " pv " in line) == 4


# --- bench ------------------------------------------------------------------------------------


def test_bench_of_the_current_position(engine):
    engine.send(f"position fen {KIWIPETE}", "bench depth 3")
    line = engine.wait_for("bench nodes")[-1]
    numbers = {name: int(field(line, name)) for name in ("nodes", "negamax_nodes")}
    assert numbers["nodes"] == numbers["negamax_nodes"] + int(field(line, "quiescence_nodes"))
    assert line.split()[-2] == "nps"


def test_bench_can_be_stopped(engine):
    engine.send("bench 1 1 60")
    engine.wait_for("Position: 1/50")
    engine.send("stop")
    engine.wait_for_error("Nodes searched")
    assert not any(line.startswith("Position: 50/50") for line in engine.output)
    engine.send("bench depth 200", "stop")
    engine.wait_for("bench nodes")


def test_bench_leaves_out_what_cannot_be_played(engine, tmp_path):
    path = tmp_path / "positions"
    path.write_text(f"{START}\nnonsense\n{KIWIPETE}\n")
    engine.send(f"bench 1 1 2 {path}")
    engine.wait_for_error("Nodes/second")
    engine.ask()
    assert sum("info string error: " in line for line in engine.output) == 1
    assert sum(line.startswith("Position: ") for line in engine.output) == 2

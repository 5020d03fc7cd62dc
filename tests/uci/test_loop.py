# SPDX-License-Identifier: GPL-3.0-or-later
"""A session with a real engine: commands, running jobs, and the end."""

import os
import re
import signal
import subprocess
import sys
import threading
import time

import chess
import pytest

from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.exit_codes import EXIT_FAILED
from kingcobra.kernel.mode import OBJECT, current_mode
from kingcobra.uci.commands.table import COMMANDS
from kingcobra.uci.loop import UciLoop
from kingcobra.uci.options import OPTIONS
from kingcobra.uci.streams import Output
from kingcobra.version import AUTHORS, __version__
from tests.engine_process import PATIENCE_S

START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# A depth that no machine finishes.
ENDLESS = 20
INTERRUPTED = 130


def test_banner_is_the_first_line(engine):
    assert engine.output[0] == f"Kingcobra {__version__} by {AUTHORS}"


def test_uci_says_who_it_is_and_lists_the_options(engine):
    lines = engine.ask("uci")
    assert lines[0] == f"id name Kingcobra {__version__}"
    assert lines[1] == f"id author {AUTHORS}"
    assert lines[2:-1] == [option.declaration() for option in OPTIONS]
    assert lines[-1] == "uciok"
    assert "option name Hash type spin default 16 min 1 max 33554432" in lines
    assert "option name UCI_Chess960 type check default false" in lines


# None of these is needed to play, and each costs every start some milliseconds.
NOT_AT_THE_START = ("numba", "numpy", "dataclasses", "hashlib", "subprocess", "argparse", "chess")


@pytest.mark.usefixtures("core")
@pytest.mark.skipif(current_mode() != OBJECT, reason="other modes need NumPy or Numba to play")
def test_a_game_needs_no_heavy_imports():
    program = (
        "import os, sys; from kingcobra.uci.loop import UciLoop;"
        "from kingcobra.uci.streams import Output;"
        "UciLoop(Output(os.open(os.devnull, os.O_WRONLY))).run(['uci', 'isready', 'go depth 1']);"
        "print(*sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S
    )
    loaded = set(result.stdout.split())
    assert "kingcobra.engine.search_engine" in loaded
    assert loaded.isdisjoint(NOT_AT_THE_START)


def test_perft_lists_the_moves_and_their_sum(engine):
    engine.send("go perft 3")
    lines = [line for line in engine.wait_for("Nodes searched: 8902") if line]
    counts = dict(line.split(": ") for line in lines[:-1])
    assert len(counts) == 20
    assert counts["e2e4"] == "600"
    assert sum(map(int, counts.values())) == 8902


def test_perft_of_depth_0_is_the_position_itself(engine):
    engine.send("go perft 0")
    assert [line for line in engine.wait_for("Nodes searched") if line] == ["Nodes searched: 1"]
    engine.send("bench perft 0")
    assert engine.wait_for("bench nodes")[-1].startswith("bench nodes 1 ")


def test_perft_of_depth_1_and_of_a_finished_game(engine):
    engine.send("go perft 1")
    lines = [line for line in engine.wait_for("Nodes searched: 20") if line]
    assert len(lines) == 21
    assert all(line.endswith(": 1") for line in lines[:-1])
    engine.send("position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert engine.perft(4) == 0


def test_isready_is_answered_while_a_perft_runs(engine):
    engine.send(f"go perft {ENDLESS}")
    assert engine.ask() == []
    assert engine.ask("d") == []
    engine.send("stop")
    assert engine.wait_for("info string perft stopped")
    assert engine.wait_for("Fen: ")


def test_stop_ends_a_perft_and_the_next_one_counts_rightly(engine):
    engine.send(f"go perft {ENDLESS}", "stop")
    assert "Nodes searched" not in "".join(engine.wait_for("info string perft stopped"))
    assert engine.perft(3) == 8902
    assert engine.ask("stop", "stop") == []


def test_another_go_waits_for_the_end_of_a_perft(engine):
    engine.send("go perft 3", f"position fen {KIWIPETE}", "go perft 2", "go depth 1")
    assert engine.wait_for("Nodes searched: 8902")
    assert engine.wait_for("Nodes searched: 2039")
    assert engine.wait_for("bestmove")


def test_a_stopped_perft_lets_the_engine_quit(engine):
    engine.send(f"go perft {ENDLESS}", "stop", "quit")
    assert engine.wait() == 0
    assert engine.output[-1] == "info string perft stopped"


def test_nothing_is_obeyed_after_quit(engine):
    engine.send("quit", "d", "isready")
    assert engine.wait() == 0
    assert not any(line.startswith("Fen") for line in engine.output)


def test_end_of_input_lets_a_perft_finish(engine):
    engine.send("go perft 5")
    assert engine.end() == 0
    assert "Nodes searched: 4865609" in engine.output


def test_last_line_may_lack_its_end(engine):
    engine.send(b"go perft 2")
    assert engine.end() == 0
    assert "Nodes searched: 400" in engine.output


def test_interrupt_leaves_without_a_word(engine):
    engine.send(f"go perft {ENDLESS}")
    engine.ask()
    engine.process.send_signal(signal.SIGINT)
    assert engine.wait() == INTERRUPTED
    assert engine.errors == []


@pytest.fixture
def engine_without_reader(core):
    """Starts an engine whose output nobody reads once the banner is out; kills what stays."""
    assert core
    started = []

    def start(typed):
        process = subprocess.Popen(
            [sys.executable, "-m", "kingcobra"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        started.append(process)
        process.stdout.readline()
        process.stdout.close()
        process.stdin.write(typed)
        process.stdin.flush()
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        process.stdin.close()
        process.stderr.close()


@pytest.mark.parametrize("typed", [b"uci\n", b"go perft 20\nisready\n"])
def test_a_reader_who_has_gone_is_no_error(engine_without_reader, typed):
    process = engine_without_reader(typed)
    assert process.wait(PATIENCE_S) == 0
    assert process.stderr.read() == b""


def test_perft_ends_with_its_reader(core, monkeypatch):
    """Nothing is typed that would wake the loop: the line that nobody reads must do it."""
    assert core
    reader, writer = os.pipe()

    def divide(counter, _depth):
        os.close(reader)
        yield from [(move, 1) for move in counter._root_moves[:1]]
        while not counter.stopped:
            time.sleep(0.01)

    monkeypatch.setattr(LeafCounter, "divide", divide)
    loop = UciLoop(Output(writer))
    session = threading.Thread(target=loop.run, args=(["go perft 5"],), daemon=True)
    session.start()
    session.join(PATIENCE_S)
    os.close(writer)
    assert not session.is_alive()


# --- text as people and programs type it ------------------------------------------------------


@pytest.mark.parametrize(
    "line",
    [
        b"  d  \n",
        b"\td\t\n",
        b"d\r\n",
        b"\r\n\n   \n d\r\n",
        b"d and more words\n",
    ],
)
def test_blanks_tabs_and_carriage_returns(engine, line):
    assert f"Fen: {START}" in engine.ask(line)


def test_blanks_inside_a_command(engine):
    engine.send("\tposition\t startpos   moves\te2e4 \t e7e5\r")
    assert engine.fen().startswith("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w")


@pytest.mark.parametrize("word", ["UCI", "D", "IsReady", "Quit", "POSITION", "xyzzy", "go1"])
def test_commands_are_case_sensitive(engine, word):
    (line,) = engine.ask(f"{word} startpos")
    assert line == f"info string unknown command '{word}'; 'help' lists all commands"


@pytest.mark.parametrize(
    "noise",
    [
        b"x" * 10_000,
        b"position fen " + b"8/" * 5_000,
        b"position startpos moves " + b"q" * 10_000,
        b"position " + b"noise " * 2_000,
        b"setoption name " + b"a" * 10_000,
        b"bench " + b"9" * 10_000,
        b"\xff\xfe\x80\x00" * 2_500,
        b"position fen \xff\xfe",
        b"position startpos moves \xc3\x28",
        bytes(range(33, 256)),
    ],
    ids=range(10),
)
def test_noise_is_one_short_line(engine, noise):
    lines = engine.ask(noise + b"\n")
    assert len(lines) == 1
    assert lines[0].startswith("info string ")
    assert len(lines[0]) < 200
    assert engine.fen() == START


def test_help_names_every_command(engine):
    text = "\n".join(engine.ask("help"))
    for name in ("uci", "isready", "ucinewgame", "setoption", "position", "go", "stop", "d"):
        assert re.search(rf"^  {name}\b", text, re.MULTILINE)


@pytest.mark.usefixtures("core")
def test_what_stands_before_quit_is_obeyed():
    """A script may end with `quit` and need not wait for the core."""
    script = "uci\nisready\nposition startpos moves e2e4\nd\nquit\n"
    result = subprocess.run(
        [sys.executable, "-m", "kingcobra"],
        input=script,
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE_S,
    )
    lines = result.stdout.splitlines()
    assert lines.index("uciok") < lines.index("readyok")
    assert "Fen: rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" in lines


@pytest.mark.parametrize(
    "broken",
    [
        "kingcobra.uci.search_printer.SearchPrinter.closing_text",
        "kingcobra.engine.search_engine.SearchEngine.search",
    ],
)
def test_a_fault_in_go_is_one_line_and_a_move(monkeypatch, core, broken):
    def fail(*_arguments):
        raise ZeroDivisionError("provoked")

    assert core
    said = []
    output = Output()
    monkeypatch.setattr(output, "send", said.append)
    monkeypatch.setattr(broken, fail)
    assert UciLoop(output).run(["go depth 1"]) == 0
    fault, answer = said[-1].splitlines()
    assert fault == "info string error: internal, in 'go': ZeroDivisionError: provoked"
    assert chess.Move.from_uci(answer.removeprefix("bestmove ")) in chess.Board().legal_moves


def test_a_fault_of_ours_is_one_line_and_the_game_goes_on(monkeypatch, core):
    def broken(_session, _text):
        raise ZeroDivisionError("provoked")

    assert core
    said = []
    output = Output()
    monkeypatch.setattr(output, "send", said.append)
    monkeypatch.setitem(COMMANDS, "flip", broken)
    assert UciLoop(output).run(["flip", "isready"]) == EXIT_FAILED
    assert said[1:] == [
        "info string error: internal, in 'flip': ZeroDivisionError: provoked",
        "readyok",
    ]

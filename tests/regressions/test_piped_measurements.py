# SPDX-License-Identifier: GPL-3.0-or-later
"""`printf 'bench 16 1 4\\nquit\\n' | kingcobra` once printed `Nodes searched : 1`: what came behind
a measurement cut it short."""

import os
import subprocess
import sys

import pytest

from kingcobra.uci.loop import UciLoop
from kingcobra.uci.streams import Output
from tests.processes import PATIENCE_S

PERFT_4 = 197_281


@pytest.fixture
def pipe(core):
    """Runs an engine on a script; its stdout and stderr."""
    assert core

    def run(*lines: str) -> tuple[str, str]:
        result = subprocess.run(
            [sys.executable, "-m", "kingcobra"],
            input="\n".join(lines) + "\n",
            capture_output=True,
            text=True,
            check=True,
            timeout=PATIENCE_S,
        )
        return result.stdout, result.stderr

    return run


def nodes_of(summary: str) -> int:
    (line,) = [line for line in summary.splitlines() if line.startswith("Nodes searched")]
    return int(line.split(":")[1])


def test_bench_and_quit(pipe):
    _, alone = pipe("bench 16 1 4")
    out, followed = pipe("bench 16 1 4", "quit")
    assert nodes_of(followed) == nodes_of(alone) > 1
    assert "Position: 50/50" in out


def test_bench_and_other_commands(pipe):
    _, alone = pipe("bench 16 1 2")
    out, followed = pipe(
        "bench 16 1 2", "setoption name Hash value 1", "ucinewgame", "go depth 1", "d", "quit"
    )
    assert nodes_of(followed) == nodes_of(alone)
    assert out.index("Position: 50/50") < min(out.index("bestmove"), out.index("Fen: "))


@pytest.mark.parametrize("command", ["go perft 4", "bench perft 4"])
def test_perft_and_quit(pipe, command):
    out, _ = pipe(command, "quit")
    assert str(PERFT_4) in out
    assert "stopped" not in out


def test_measurements_one_after_the_other(pipe):
    out, summary = pipe("go perft 4", "bench 1 1 3 current perft", "go perft 2", "quit")
    assert out.index(f"Nodes searched: {PERFT_4}") < out.index("Nodes searched: 8902")
    assert out.index("Nodes searched: 8902") < out.index("Nodes searched: 400")
    assert nodes_of(summary) == 8902


def test_speedtest_and_quit(pipe):
    _, summary = pipe("speedtest 1 1 1", "quit")
    assert "Position 72/72" in summary


def test_stop_ends_all_work_asked_for_before_it(pipe):
    out, _ = pipe("go perft 20", "go perft 19", "go infinite", "stop", "go perft 2", "quit")
    assert out.count("info string perft stopped") == 2
    assert out.index("bestmove") < out.index("Nodes searched: 400")


def test_stop_interrupts_and_isready_is_answered(pipe):
    out, _ = pipe("go perft 20", "d", "isready", "stop", "quit")
    assert out.index("readyok") < out.index("info string perft stopped") < out.index("Fen: ")


@pytest.mark.parametrize("last", ["quit", "d"])
def test_an_endless_bench_ends_with_quit_or_the_input(pipe, last):
    _, summary = pipe("bench 1 1 _ current infinite", last)
    assert "Nodes/second" in summary


def test_a_refused_bench_holds_nothing(pipe):
    out, _ = pipe("bench nonsense", "d", "quit")
    assert out.index("error: ") < out.index("Fen: ")


@pytest.mark.parametrize(
    ("lines", "leaves"),
    [
        (["go depth 1", "quit"], True),
        (["bench", "quit"], False),
        (["go perft 3", "d", "quit"], False),
        (["quit", "bench"], True),
    ],
)
def test_quit_waits_for_a_compilation_only_behind_a_measurement(lines, leaves):
    loop = UciLoop(Output(os.open(os.devnull, os.O_WRONLY)))
    loop._on_compiling("compiling")
    for line in lines:
        loop._on_line(line, received_ns=0)
    assert loop._session.quitting == leaves

# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands in any order, garbage among them: no crash, no hang, as many answers as searches."""

import random

import pytest

LINES = 40
FENS = (
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
    "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "4k3/8/8/8/8/8/8/8 w - - 0 1",
)
LIMITS = (
    *("infinite", "ponder", "depth 3", "depth 200", "nodes 500", "nodes x", "movetime 5", "mate 2"),
    *("wtime 50 btime 50", "wtime 0", "winc 10", "movestogo 3", "searchmoves e2e4 a2a3", "depth"),
    *("searchmoves", "nonsense", "wtime -1 btime 999999999999999999"),
)
OTHERS = (
    *("stop", "ponderhit", "isready", "uci", "d", "flip", "ucinewgame", "help", "", "xyzzy"),
    *("position startpos", "position startpos moves e2e4 e7e5", "position", "bench depth 2"),
    *("setoption name Hash value 1", "setoption name Hash value 8", "setoption name Clear Hash"),
    *("setoption name Threads value 2", "setoption name Threads value 1", "setoption name MultiPV"),
    *("setoption name MultiPV value 3", "setoption name UCI_Chess960 value true", "go perft 2"),
    *("setoption name UCI_Chess960 value false", "setoption name late_base value 1", "go perft 0"),
    *("debug on", "debug off", "debug", "register later", "eval", "compiler", "license"),
    *("setoption name NumaPolicy value 0", "setoption name NumaPolicy value 0:", "speedtest x"),
    *("setoption name UCI_AnalyseMode value true", "setoption name UCI_Opponent value GM"),
    *(
        "setoption name Debug Log File value <empty>",
        "bench 1 1 2 current perft",
        "speedtest 1 1 1",
    ),
    *("bench 1 2 _ current infinite", "bench 1 1 _ current eval", "bench infinite"),
    *("setoption name Skill Level value 3", "setoption name UCI_LimitStrength value true"),
    *("setoption name nodestime value 50", "setoption name UCI_ShowWDL value true"),
    *(
        "setoption name UCI_ShowCurrLine value true",
        "setoption name UCI_ShowRefutations value true",
    ),
    *(f"setoption name UCI_SetPositionValue value {text}" for text in (f"90 {FENS[0]}", "x")),
    *("setoption name UCI_SetPositionValue value clearall", "setoption name EvalFile value none"),
    *("setoption name Evaluation value hybrid", "export_net", "export_net a b", "bench perft 2"),
    *("setoption name Ponder value true", "bench 1 1 1", "bench x", "go perft 9", "\x00\x7f"),
)


def script(seed):
    """Random lines."""
    chooser = random.Random(seed)
    lines = []
    for _ in range(LINES):
        kind = chooser.random()
        if kind < 0.3:
            lines.append("go " + " ".join(chooser.sample(LIMITS, chooser.randint(0, 3))))
        elif kind < 0.45:
            lines.append(f"position fen {chooser.choice(FENS)}")
        else:
            lines.append(chooser.choice(OTHERS))
    return lines


def searches_in(lines):
    return sum(line.startswith("go") and "perft" not in line for line in lines)


def require_answers(start_engine, folder, seed):
    lines = script(seed)
    engine = start_engine(folder=folder)
    for line in lines:
        engine.send(line)
        if line == "isready":
            engine.wait_for("readyok")
    engine.send("stop")
    assert engine.end() == 0
    answers = [line for line in engine.output if line.startswith("bestmove")]
    assert len(answers) == searches_in(lines), lines


@pytest.mark.parametrize("seed", range(12))
def test_a_random_script(core, start_engine, tmp_path, seed):
    assert core
    require_answers(start_engine, tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(12, 1000))
def test_many_random_scripts(core, start_engine, tmp_path, seed):
    assert core
    require_answers(start_engine, tmp_path, seed)

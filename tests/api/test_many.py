# SPDX-License-Identifier: GPL-3.0-or-later
"""Many positions at once: the same table from any number of workers, errors by position."""

import math
import os
import signal
import subprocess
import sys

import chess
import chess.variant
import numpy as np
import pytest
from chess.engine import Limit

import kingcobra
from kingcobra.api import many
from kingcobra.api.many_chunks import analysing
from tests.processes import PATIENCE_S, all_gone, children_of

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
FEW_NODES = Limit(nodes=500)


def a_game(plies: int) -> list[str]:
    """Positions of a short game."""
    board, fens = chess.Board(), []
    for _ in range(plies):
        fens.append(board.fen())
        board.push(sorted(board.legal_moves, key=chess.Move.uci)[-1])
    return fens


def same(one, two):
    """Whether two tables agree; NaN agrees with NaN."""
    for name, column in one.items():
        if name != "time":
            np.testing.assert_array_equal(column, two[name], err_msg=name)


def test_each_row_is_what_an_engine_finds_alone():
    fens = a_game(6)
    table = kingcobra.analyse_many(fens, FEW_NODES)
    for row, fen in enumerate(fens):
        with kingcobra.Engine(hash_mb=many.DEFAULT_HASH_MB) as engine:
            info = engine.analyse(fen, FEW_NODES)
        assert table["cp"][row] == info["score"].relative.score()
        assert table["pv"][row] == " ".join(map(str, info["pv"]))
        assert table["best"][row] == str(info["pv"][0])
        chances = (table["win"][row], table["draw"][row], table["loss"][row])
        assert chances == tuple(info["wdl"].relative)
        assert table["nodes"][row] == info["nodes"]
        assert table["depth"][row] == info["depth"]


def test_processes_give_the_same_table_in_the_same_order():
    fens = [*a_game(9), "nonsense", BACK_RANK]
    told = []
    alone = kingcobra.analyse_many(fens, FEW_NODES)
    table = kingcobra.analyse_many(
        fens, FEW_NODES, jobs=2, progress=lambda done, total: told.append((done, total))
    )
    same(alone, table)
    assert [done for done, _total in told] == sorted(done for done, _total in told)
    assert told[-1] == (len(fens), len(fens))


def test_boards_of_every_kind_and_errors_by_position():
    positions = [
        chess.Board(BACK_RANK),
        kingcobra.Board(BACK_RANK),
        chess.Board("1r4kr/8/8/8/8/8/8/1R4KR w KQkq - 0 1", chess960=True),
        chess.variant.AtomicBoard(),
        7,
        "8/8/8/8/8/8/8/8 w - - 0 1",
        chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"),
    ]
    table = kingcobra.analyse_many(positions, FEW_NODES)
    assert table["mate"][:2].tolist() == [1.0, 1.0]
    assert np.isnan(table["cp"][:2]).all()
    assert table["error"][:3].tolist() == ["", "", ""]
    assert "variant 'atomic'" in table["error"][3]
    assert "7 (int)" in table["error"][4]
    assert "0 kings" in table["error"][5]
    assert (table["mate"][6], table["best"][6]) == (0.0, "")


def test_scores_of_white():
    up = ["4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", "4k3/8/8/8/8/8/8/4KQ2 b - - 0 1"]
    mover = kingcobra.analyse_many(up, Limit(depth=5))
    white = kingcobra.analyse_many(up, Limit(depth=5), view="white")
    assert mover["cp"][0] > 300 > -300 > mover["cp"][1]
    assert white["cp"].tolist() == [mover["cp"][0], -mover["cp"][1]]
    assert white["win"][1] == mover["loss"][1]


def test_types_of_the_columns():
    table = kingcobra.analyse_many([BACK_RANK], FEW_NODES)
    kinds = {name: column.dtype.kind for name, column in table.items()}
    assert {name for name, kind in kinds.items() if kind == "U"} == {"best", "pv", "error"}
    assert {name for name, kind in kinds.items() if kind == "f"} == {"cp", "mate", "time"}
    assert all(column.shape == (1,) for column in table.values())
    assert len(kingcobra.analyse_many([], FEW_NODES)["cp"]) == 0


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_tables_are_taken_as_they_are(library):
    frames = pytest.importorskip(library)
    frame = frames.DataFrame(kingcobra.analyse_many([BACK_RANK, "8/8"], FEW_NODES))
    assert frame.shape == (2, 12)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"jobs": 0}, "jobs 0, expected a number from 1"),
        ({"limit": Limit()}, "never ends"),
        ({"network": "missing.nnue"}, "missing.nnue: not found"),
        ({"network": "missing.nnue", "jobs": 2}, "missing.nnue: not found"),
        ({"options": {"Hsah": 1}}, "unknown option 'Hsah'"),
    ],
)
def test_errors_of_the_call(arguments, message):
    given = {"limit": FEW_NODES} | arguments
    with pytest.raises(kingcobra.EngineError, match=message):
        kingcobra.analyse_many([BACK_RANK, BACK_RANK], **given)


@pytest.mark.parametrize("single", [BACK_RANK, chess.Board(), 7])
def test_one_position_is_not_several(single):
    with pytest.raises(TypeError, match="expected several positions"):
        kingcobra.analyse_many(single, FEW_NODES)


def test_a_wrong_view():
    with pytest.raises(ValueError, match="view 'black', expected one of mover, white"):
        kingcobra.analyse_many([BACK_RANK], FEW_NODES, view="black")


def fragile(settings):
    """What a worker does that is killed by one of the positions."""
    serve = analysing(settings)

    def analyse(chunk):
        if any(text.fen == "kill" for text in chunk.positions):
            os.kill(os.getpid(), signal.SIGKILL)
        return serve(chunk)

    return analyse


def test_a_crash_costs_one_position(monkeypatch):
    monkeypatch.setattr(many, "analysing", fragile)
    monkeypatch.setattr(many, "CHUNKS_PER_WORKER", 1)
    fens = [BACK_RANK] * 7 + ["kill"] + [BACK_RANK]
    table = kingcobra.analyse_many(fens, FEW_NODES, jobs=2)
    assert table["error"][7] == many.CRASHED
    assert table["mate"].tolist().count(1.0) == 8
    assert math.isnan(table["mate"][7])


def test_an_error_in_the_callback_ends_the_workers():
    def fail(_done, _total):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        kingcobra.analyse_many([BACK_RANK] * 4, FEW_NODES, jobs=2, progress=fail)


MANY = """
import kingcobra
from chess.engine import Limit
def say(done, total):
    print("analysing", flush=True) if done == 1 else None
easy, hard = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", kingcobra.Board().fen()
try:
    kingcobra.analyse_many([easy, hard, hard], Limit({limit}), jobs=2, progress=say)
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""
# Reached at once in a position with a mate, never in others.
HOURS = "mate=50, time=3600"


def start_many() -> tuple[subprocess.Popen, list[int]]:
    """A program whose workers search for hours, and these workers."""
    process = subprocess.Popen(
        [sys.executable, "-c", MANY.format(limit=HOURS)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "analysing\n"
    return process, children_of(process.pid)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_ctrl_c_ends_the_workers():
    process, workers = start_many()
    process.send_signal(signal.SIGINT)
    output, _errors = process.communicate(timeout=PATIENCE_S)
    assert (output, process.returncode) == ("interrupted\n", 0)
    assert len(workers) == 2
    assert all_gone(workers)


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_workers_end_with_their_parent():
    process, workers = start_many()
    process.kill()
    process.wait()
    assert len(workers) == 2
    assert all_gone(workers)


@pytest.mark.slow
def test_a_cluster_gives_the_same_table():
    ray = pytest.importorskip("ray")
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    try:
        fens = a_game(8)
        alone = kingcobra.analyse_many(fens, FEW_NODES)
        same(alone, kingcobra.analyse_many(fens, FEW_NODES, jobs=2, cluster="auto"))
        same(alone, kingcobra.analyse_many(fens, FEW_NODES, cluster="auto"))
    finally:
        ray.shutdown()

# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.Engine beyond what python-chess documents: boards of every kind, errors that name the
value, several engines at once, interruptions."""

import asyncio
import gc
import os
import signal
import subprocess
import sys
import threading
import weakref

import chess
import chess.engine
import chess.variant
import numpy as np
import pytest
from chess.engine import INFO_ALL, Cp, Limit, Mate, PovScore

import kingcobra
from kingcobra.kernel.system.cpu import cpu_by_c_library
from tests.kernel.linking.samples import NEEDS_ELF
from tests.processes import PATIENCE_S

BACK_RANK = "6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
FEW_NODES = Limit(nodes=500)
ENGINES = 4


@pytest.fixture(scope="module")
def engine():
    with kingcobra.Engine(hash_mb=1) as engine:
        yield engine


# --- values in --------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [chess.Board, kingcobra.Board, str])
def test_boards_of_every_kind(engine, kind):
    info = engine.analyse(kind(BACK_RANK), FEW_NODES)
    assert info["score"] == PovScore(Mate(1), chess.WHITE)
    assert engine.play(kind(BACK_RANK), FEW_NODES).move == chess.Move.from_uci("a1a8")


def test_a_board_is_not_changed_and_may_be_changed_meanwhile(engine):
    board = kingcobra.Board()
    with engine.analysis(board) as analysis:
        board.push("e4")
        analysis.get()
    assert analysis.wait().move in chess.Board().legal_moves
    assert board.fen().startswith("rnbqkbnr/pppppppp/8/8/4P3/8/")


def test_numbers_of_numpy_are_numbers(engine):
    limit = Limit(nodes=np.int64(500), depth=np.int16(4))
    assert len(engine.analyse(chess.Board(), limit, multipv=np.int64(2))) == 2


def test_moves_as_text(engine):
    assert engine.play(chess.Board(), FEW_NODES, root_moves=["a2a3"]).move.uci() == "a2a3"


def test_the_past_is_known_for_our_boards_too(engine):
    board = kingcobra.Board("7k/8/8/8/8/8/q7/7K b - - 0 1")
    for text in ("a2b2", "h1g1", "b2a2", "g1h1", "a2b2", "h1g1", "b2a2"):
        board.push(text)
    info = engine.analyse(board, Limit(depth=1), root_moves=["g1h1"])
    assert info["score"].relative == Cp(0)


def test_a_null_move_cuts_the_past(engine):
    board = chess.Board("7k/8/8/8/8/8/q7/7K b - - 0 1")
    for text in ("a2b2", "h1g1", "b2a2", "0000"):
        board.push_uci(text)
    assert engine.analyse(board, FEW_NODES)["pv"][0] in board.legal_moves


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda e: e.analyse("8/8 w", FEW_NODES), kingcobra.FenError, "2 ranks"),
        (lambda e: e.analyse(chess.Board(None), FEW_NODES), kingcobra.FenError, "0 kings"),
        (lambda e: e.analyse(42, FEW_NODES), TypeError, r"board 42 \(int\)"),
        (
            lambda e: e.analyse(chess.variant.AtomicBoard(), FEW_NODES),
            kingcobra.EngineError,
            "variant 'atomic'",
        ),
        (lambda e: e.analyse(chess.Board(), 5), TypeError, r"limit 5 \(int\)"),
        (lambda e: e.analyse(chess.Board(), Limit()), kingcobra.EngineError, "never ends"),
        (
            lambda e: e.play(chess.Board(), Limit(black_clock=1)),
            kingcobra.EngineError,
            r"Limit\(black_clock=1\) never ends",
        ),
        (
            lambda e: e.analyse(chess.Board(), Limit(nodes="many")),
            kingcobra.EngineError,
            "limit nodes 'many'",
        ),
        (
            lambda e: e.analyse(chess.Board(), Limit(time=float("nan"))),
            kingcobra.EngineError,
            "limit time nan",
        ),
        (
            lambda e: e.analyse(chess.Board(), Limit(time=10**400)),
            kingcobra.EngineError,
            "limit time 1000.*, expected seconds",
        ),
        (
            lambda e: e.analyse(chess.Board(), FEW_NODES, multipv="2"),
            kingcobra.EngineError,
            "multipv '2'",
        ),
        (
            lambda e: e.analyse(chess.Board(), FEW_NODES, root_moves="e2e4"),
            TypeError,
            "root_moves 'e2e4'",
        ),
        (
            lambda e: e.analyse(chess.Board(), FEW_NODES, root_moves=[None]),
            TypeError,
            "move None",
        ),
        (lambda e: e.configure([("Hash", 1)]), TypeError, "options .*expected a mapping"),
        (lambda e: e.configure({3: 1}), kingcobra.EngineError, "unknown option '3'"),
        (
            lambda e: e.analyse(chess.Board(), FEW_NODES, multipv=0),
            kingcobra.EngineError,
            "multipv 0, expected a number from 1 to 500",
        ),
        (
            lambda e: e.analyse(chess.Board(), FEW_NODES, root_moves=["e2e5"]),
            kingcobra.EngineError,
            "root_moves: illegal move 'e2e5'",
        ),
        (
            lambda e: e.analyse(chess.Board(), FEW_NODES, root_moves=[]),
            kingcobra.EngineError,
            "root_moves has no move",
        ),
        (
            lambda e: e.configure({"EvalFile": "missing.nnue"}),
            kingcobra.EngineError,
            "option EvalFile: missing.nnue: not found",
        ),
        (
            lambda e: e.configure({"Skill Level": "strong"}),
            kingcobra.EngineError,
            "option Skill Level: 'strong', expected a number from 0 to 20",
        ),
        (
            lambda e: e.configure({"OwnBook": 3}),
            kingcobra.EngineError,
            "option OwnBook: '3', expected true or false",
        ),
        (
            lambda e: e.analyse(chess.Board(), FEW_NODES, options={"Hsah": 1}),
            kingcobra.EngineError,
            "unknown option 'Hsah'",
        ),
    ],
)
def test_errors_name_the_value_and_leave_the_engine_usable(engine, call, error, message):
    with pytest.raises(error, match=message):
        call(engine)
    assert engine.play(BACK_RANK, FEW_NODES).move == chess.Move.from_uci("a1a8")


def test_errors_are_of_both_families():
    assert issubclass(kingcobra.EngineError, chess.engine.EngineError)
    assert issubclass(kingcobra.EngineError, kingcobra.KingcobraError)
    for error in (kingcobra.FenError, kingcobra.MoveError, kingcobra.TablebaseError):
        assert issubclass(error, kingcobra.KingcobraError)
    assert issubclass(kingcobra.EngineTerminatedError, chess.engine.EngineTerminatedError)
    with pytest.raises(kingcobra.EngineError, match="Threads: '0'"):
        kingcobra.Engine(threads=0)


# --- values out -------------------------------------------------------------------------------


def test_on_info_is_called_from_the_calling_thread(engine):
    heard = []
    result = engine.play(
        chess.Board(), FEW_NODES, on_info=lambda info: heard.append((info, threading.get_ident()))
    )
    assert result.info == {}
    assert {thread for _info, thread in heard} == {threading.get_ident()}
    lines = [info["pv"] for info, _thread in heard if "pv" in info]
    assert lines[-1][0] == result.move


def test_an_error_in_on_info_ends_the_search(engine):
    def fail(_info):
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        engine.play(chess.Board(), Limit(depth=200), on_info=fail)
    assert engine.play(BACK_RANK, FEW_NODES).move == chess.Move.from_uci("a1a8")


def test_a_draw_is_accepted_when_nothing_is_better(engine):
    dead = chess.Board("7k/8/8/8/8/8/8/7K w - - 0 1")
    assert engine.play(dead, FEW_NODES, draw_offered=True).draw_offered
    assert not engine.play(dead, FEW_NODES).draw_offered
    assert not engine.play(BACK_RANK, FEW_NODES, draw_offered=True).draw_offered


def test_the_book_answers_in_games_only(engine):
    engine.configure({"OwnBook": True, "Best Book Move": True})
    played = engine.play(chess.Board(), FEW_NODES, info=INFO_ALL)
    assert played.info == {}
    assert played.move in chess.Board().legal_moves
    assert engine.analyse(chess.Board(), FEW_NODES)["nodes"] > 0
    engine.configure({"OwnBook": False})
    assert engine.play(chess.Board(), FEW_NODES, info=INFO_ALL).info["nodes"] > 0


def test_weaker_play_in_games_only(engine):
    weak = {"Skill Level": 0}
    strong = engine.analyse(KIWIPETE, Limit(nodes=3000), game="full")
    analysed = engine.analyse(KIWIPETE, Limit(nodes=3000), game="weak", options=weak)
    assert analysed["pv"] == strong["pv"]
    moves = {engine.play(KIWIPETE, Limit(depth=2), options=weak).move for _ in range(30)}
    assert len(moves) > 1


def test_a_new_game_forgets(engine):
    first = engine.analyse(KIWIPETE, Limit(depth=7), game=1)
    again = engine.analyse(KIWIPETE, Limit(depth=7), game=1)
    fresh = engine.analyse(KIWIPETE, Limit(depth=7), game=2)
    assert again["nodes"] < first["nodes"]
    assert fresh["nodes"] == first["nodes"]


def test_ponderhit_goes_on_with_the_search(engine, monkeypatch):
    hits = []
    inner = engine._session._engine
    monkeypatch.setattr(inner, "ponderhit", lambda: hits.append(1) or type(inner).ponderhit(inner))
    board = chess.Board(KIWIPETE)
    first = engine.play(board, Limit(depth=3), ponder=True, game="p")
    board.push(first.move)
    board.push(first.ponder)
    second = engine.play(board, Limit(depth=3), ponder=True, game="p", info=INFO_ALL)
    assert second.move in board.legal_moves
    assert second.info["depth"] >= 3
    assert hits == [1]
    board.push(second.move)
    board.push(next(move for move in board.legal_moves if move != second.ponder))
    assert engine.play(board, Limit(depth=3), game="p").move in board.legal_moves
    assert hits == [1]


def test_evaluate_is_of_the_side_to_move(engine):
    up = "4k3/8/8/8/8/8/8/4KQ2 {} - - 0 1"
    white, black = (engine.evaluate(up.format(side)) for side in "wb")
    assert white.turn == chess.WHITE
    assert black.turn == chess.BLACK
    assert white.relative > Cp(200)
    assert black.white() > Cp(200)


# --- several at once --------------------------------------------------------------------------


def _analyses(count: int, nodes: int) -> list[tuple]:
    """What one fresh engine finds in positions of a game, one after another."""
    board, found = chess.Board(), []
    with kingcobra.Engine(hash_mb=1) as engine:
        for _ in range(count):
            info = engine.analyse(board, Limit(nodes=nodes))
            found.append((info["score"], info["nodes"], info["pv"]))
            board.push(info["pv"][0])
            if board.is_game_over():
                board = chess.Board()
    return found


def _in_threads(count: int, nodes: int) -> list[list[tuple]]:
    results: list[list[tuple]] = [[] for _ in range(ENGINES)]

    def work(number: int) -> None:
        results[number] = _analyses(count, nodes)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(ENGINES)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results


@pytest.mark.parametrize(
    ("count", "nodes"), [(10, 500), pytest.param(200, 10_000, marks=pytest.mark.slow)]
)
def test_engines_in_threads_find_what_each_finds_alone(count, nodes):
    assert _in_threads(count, nodes) == [_analyses(count, nodes)] * ENGINES


def test_calls_of_one_engine_wait_for_each_other(engine):
    """A limit of nodes is reached although another thread asks, too."""
    nodes: list[int] = []

    def work() -> None:
        for _ in range(5):
            nodes.append(engine.analyse(KIWIPETE, Limit(nodes=2000))["nodes"])

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(nodes) == 15
    assert min(nodes) >= 2000


def test_a_new_call_stops_a_streaming_analysis(engine):
    analysis = engine.analysis(chess.Board())
    assert engine.play(BACK_RANK, FEW_NODES).move == chess.Move.from_uci("a1a8")
    assert analysis.wait().move in chess.Board().legal_moves


def test_a_stop_from_another_thread_is_heard(engine):
    analysis = engine.analysis(chess.Board())
    stopper = threading.Thread(target=analysis.stop)
    stopper.start()
    assert analysis.wait().move is not None
    stopper.join()


def test_close_ends_a_search_that_another_thread_waits_for():
    engine = kingcobra.Engine(hash_mb=1)
    depths = []
    started = threading.Event()

    def wait() -> None:
        result = engine.play(
            chess.Board(), Limit(depth=200), info=INFO_ALL, on_info=lambda _info: started.set()
        )
        depths.append(result.info["depth"])

    thread = threading.Thread(target=wait)
    thread.start()
    started.wait()
    engine.close()
    thread.join()
    assert depths


def test_an_engine_without_users_is_closed():
    engine = kingcobra.Engine(hash_mb=1)
    session = weakref.ref(engine._session)
    analysis = engine.analysis(chess.Board())
    stream = analysis._stream
    del engine
    gc.collect()
    assert session() is not None
    del analysis
    gc.collect()
    assert stream.wait().move is not None


@NEEDS_ELF
@pytest.mark.usefixtures("engine")  # everything is compiled
@pytest.mark.skipif(cpu_by_c_library() is None, reason="the C library does not describe the CPU")
def test_llvm_is_not_needed_once_everything_is_compiled():
    program = (
        "import sys, kingcobra, chess.engine\n"
        "with kingcobra.Engine() as engine:\n"
        "    engine.play(kingcobra.Board(), chess.engine.Limit(depth=1))\n"
        "print('llvmlite.binding' in sys.modules)"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout == "False\n"


def test_close_returns_the_memory_at_once():
    engine = kingcobra.Engine(hash_mb=1)
    memory = weakref.ref(engine._session._engine._threads.main._memory)
    analysis = engine.analysis(BACK_RANK, Limit(depth=3))
    analysis.wait()
    gc.disable()
    try:
        engine.close()
        assert memory() is None
    finally:
        gc.enable()
    analysis.stop()
    assert analysis.info["score"].white() == Mate(1)


def test_helper_threads_search_too():
    with kingcobra.Engine(hash_mb=1, threads=2) as engine:
        assert engine.analyse(BACK_RANK, Limit(depth=5))["score"].white() == Mate(1)


# --- async and interrupted --------------------------------------------------------------------


def test_a_plain_analysis_can_be_iterated_in_an_event_loop(engine):
    async def depths() -> list[int]:
        infos = engine.analysis(chess.Board(), Limit(depth=4))
        return [info.get("depth", 0) async for info in infos]

    assert max(asyncio.run(depths())) == 4


def test_a_cancelled_task_stops_its_search():
    async def use() -> None:
        async with kingcobra.AsyncEngine(hash_mb=1) as engine:
            heard = asyncio.Event()
            task = asyncio.create_task(
                engine.play(chess.Board(), Limit(depth=200), on_info=lambda _info: heard.set())
            )
            await heard.wait()
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await engine.play(BACK_RANK, FEW_NODES)).move.uci() == "a1a8"
            assert (await engine.evaluate(BACK_RANK)).white() > Cp(0)
            await engine.send_opponent_information(
                opponent=chess.engine.Opponent("A", None, None, None)
            )

    asyncio.run(use())


def test_a_task_that_is_cancelled_while_its_search_starts_stops_it(monkeypatch):
    async def use() -> None:
        async with kingcobra.AsyncEngine(hash_mb=1) as engine:
            loop, entered = asyncio.get_running_loop(), asyncio.Event()
            may_start, started = threading.Event(), []
            start = engine._session.start

            def slow_start(request):
                loop.call_soon_threadsafe(entered.set)
                may_start.wait()
                started.append(start(request))
                return started[-1]

            monkeypatch.setattr(engine._session, "start", slow_start)
            task = asyncio.create_task(engine.analysis(chess.Board()))
            await entered.wait()
            task.cancel()
            loop.call_soon(may_start.set)
            with pytest.raises(asyncio.CancelledError):
                await task
            assert (await started[0].stream.wait_async()).move is not None

    asyncio.run(use())


def test_tasks_of_one_engine_wait_for_each_other():
    async def use() -> list[int]:
        async with kingcobra.AsyncEngine(hash_mb=1) as engine:
            infos = await asyncio.gather(
                *(engine.analyse(KIWIPETE, Limit(nodes=2000)) for _ in range(4))
            )
            return [info["nodes"] for info in infos]

    assert min(asyncio.run(use())) >= 2000


CTRL_C = """
import chess, kingcobra, sys
from chess.engine import Limit
engine = kingcobra.Engine(hash_mb=1)
said = []
def say(info):
    if not said:
        said.append(print("searching", flush=True))
def wait():
    {wait}
try:
    wait()
except KeyboardInterrupt:
    print(engine.play("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", Limit(nodes=500)).move, flush=True)
"""


@pytest.mark.parametrize(
    "wait",
    [
        "engine.play(chess.Board(), Limit(depth=200), on_info=say)",
        "print('searching', flush=True); engine.analyse(chess.Board(), Limit(time=3600))",
        "[say(info) for info in engine.analysis(chess.Board())]",
        "a = engine.analysis(chess.Board()); say(a.get()); a.wait()",
    ],
)
@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_ctrl_c_stops_the_search_and_the_engine_can_be_used(wait):
    process = subprocess.Popen(
        [sys.executable, "-c", CTRL_C.format(wait=wait)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "searching\n"
    process.send_signal(signal.SIGINT)
    output, _errors = process.communicate(timeout=PATIENCE_S)
    assert output == "a1a8\n"
    assert process.returncode == 0


def test_a_program_may_end_while_an_engine_searches(core):  # noqa: ARG001
    program = (
        "import chess, kingcobra\n"
        "engine = kingcobra.Engine(hash_mb=1, threads=2)\n"
        "analysis = engine.analysis(chess.Board())\n"
        "analysis.get()\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=PATIENCE_S
    )
    assert (result.returncode, result.stderr) == (0, "")


def test_the_engine_needs_no_python_chess_and_the_package_loads_nothing():
    program = (
        "import sys, kingcobra; kingcobra.Board();"
        "print([name for name in ('chess', 'numpy', 'asyncio') if name in sys.modules])"
    )
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout == "[]\n"

# SPDX-License-Identifier: GPL-3.0-or-later
"""What endgame tables cost the search, and how fast they are probed beside python-chess. The tables
are those of KINGCOBRA_SYZYGY_PATH."""

import os
import time
from collections.abc import Iterator
from pathlib import Path

from benchmarks.compiled_core import load
from benchmarks.engines import EngineFailed
from benchmarks.figures import Figure
from benchmarks.nodes import MILLION
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.tablebases import TablebaseError, Tablebases
from kingcobra.tools import tb_bench
from kingcobra.tools.tb import PATH_VARIABLE
from kingcobra.uci.bench import Bench, parse_task

FEW_MEN = Path(__file__).with_name("few_men.epd")
# All the positions of `bench`; and fifty from games, with five to eight men.
BENCHES = {
    "bench": ["16", "1", "13", "default", "depth"],
    "5 to 8 men": ["16", "1", "60000", str(FEW_MEN), "nodes"],
}
PROBED_POSITIONS = 200
PROBE_SECONDS = 2.0
PERCENT = 100


def nodes_per_second(engine: SearchEngine, words: list[str]) -> float:
    """The speed of a bench, one thread, in CPU time: other processes matter little."""
    engine.clear_hash()
    task = parse_task(words, PositionHandle(engine.core))
    bench = Bench(engine, lambda _text: None)
    started = time.process_time()
    bench.run(task)
    return bench.totals.nodes / (time.process_time() - started)


def measure(rounds: int) -> Iterator[Figure]:
    """Best of several benches in turn, with and without tables, after one each to warm up."""
    path = os.environ.get(PATH_VARIABLE, "")
    if not path:
        print(f"no tables; {PATH_VARIABLE} may name their folder")
        return
    core = load()
    engines = {"without tables": SearchEngine(core), "with tables": SearchEngine(core)}
    engines["with tables"].set_tables(path)
    for name, words in BENCHES.items():
        speeds = dict.fromkeys(engines, 0.0)
        for turn in range(rounds + 1):
            for contender, engine in engines.items():
                speed = nodes_per_second(engine, words)
                speeds[contender] = max(speeds[contender], speed if turn else 0.0)
        for contender, speed in speeds.items():
            yield Figure(f"{name}, {contender}", speed / MILLION, "M nodes/s of CPU time")
        loss = 1 - speeds["with tables"] / speeds["without tables"]
        yield Figure(f"{name}: slower with tables", loss * PERCENT, "%")
    yield from probes(path)


def probes(path: str) -> Iterator[Figure]:
    """Results on warm tables, one thread."""
    try:
        with Tablebases(path) as tables:
            ours = tb_bench.measure(tables, PROBED_POSITIONS, PROBE_SECONDS)["kingcobra"]
            theirs = tb_bench.measure_python_chess(path, tables, PROBED_POSITIONS, PROBE_SECONDS)
    except TablebaseError as error:
        raise EngineFailed(str(error)) from None
    yield Figure("WDL probes", ours / MILLION, "M/s")
    yield Figure("WDL probes, python-chess", theirs / MILLION, "M/s")

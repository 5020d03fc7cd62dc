# SPDX-License-Identifier: GPL-3.0-or-later
"""For every option that `uci` lists: behaviour that changes when only this option changes.

An option that is added to the table needs a line in EFFECTS, or these tests fail.
"""

import os
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from kingcobra.core.network.architectures import SQUARED
from kingcobra.kernel.system import numa
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.networks.file import write_network
from kingcobra.uci.options import OPTIONS
from tests.core.network.random_networks import random_network
from tests.engine_process import PATIENCE_S, EngineProcess
from tests.uci import test_option_effects_search as of_the_search
from tests.uci import test_own_book as of_the_book
from tests.uci import test_syzygy as of_the_tables

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
CASTLING_IS_ALL = "4k3/8/8/8/8/8/7r/R3K3 w Q - 0 1"
MINUTE = "go wtime 60000 btime 60000"


class Scene:
    """An engine and what a test may do to it."""

    def __init__(self, engine: EngineProcess, folder: Path) -> None:
        self.engine = engine
        self.folder = folder

    def set(self, name: str, value: str | None = None) -> list[str]:
        """Sets an option; what the engine says to it."""
        return self.engine.ask(
            f"setoption name {name}" + ("" if value is None else f" value {value}")
        )

    def search(self, limits: str, position: str = f"fen {KIWIPETE}") -> list[str]:
        """All lines of one search."""
        self.engine.send(f"position {position}", f"go {limits}")
        return self.engine.wait_for("bestmove")

    def nodes(self, limits: str) -> int:
        """How many nodes a search took."""
        return number(self.search(limits), "nodes")

    def budget_ms(self) -> tuple[str, str]:
        """The soft and the hard limit of a search on the clock, as the engine tells them."""
        self.engine.send("debug on", MINUTE)
        (line,) = self.engine.wait_for("info string time: ")[-1:]
        self.engine.send("stop", "debug off")
        self.engine.wait_for("bestmove")
        soft, hard = line.removeprefix("info string time: ").split(", ")
        return soft.removeprefix("soft limit "), hard.removeprefix("hard limit ")


def number(lines: list[str], name: str) -> int:
    """A number of the last line that has a pv."""
    words = [line for line in lines if " pv " in line][-1].split()
    return int(words[words.index(name) + 1])


def milliseconds(text: str) -> int:
    return int(text.removesuffix(" ms"))


# --- one test for each option -----------------------------------------------------------------


def debug_log_file(scene: Scene) -> None:
    path = scene.folder / "a  log.txt"
    scene.set("Debug Log File", str(path))
    said = scene.search("depth 2")
    scene.set("Debug Log File", "<empty>")
    scene.search("depth 1")
    lines = path.read_text().splitlines()
    assert [line for line in lines if line.startswith(">> ")][:2] == [
        ">> isready",
        f">> position fen {KIWIPETE}",
    ]
    assert [line.removeprefix("<< ") for line in lines if line.startswith("<< info depth")] == [
        line for line in said if line.startswith("info depth")
    ]
    assert lines[-1] == ">> setoption name Debug Log File value <empty>"


def threads(scene: Scene) -> None:
    folder = Path(f"/proc/{scene.engine.pid}/task")
    if not folder.exists():
        pytest.skip("counts threads through /proc")

    def threads_at_work() -> int:
        """The fewest seen: threads of what was done before may take a while to end."""
        scene.engine.send("go infinite")
        scene.engine.wait_for("info depth 6")
        lines = ["info nodes "] * 2
        counts = [len(list(folder.iterdir())) for line in lines if scene.engine.wait_for(line)]
        scene.engine.send("stop")
        scene.engine.wait_for("bestmove")
        return min(counts)

    one = threads_at_work()
    scene.set("Threads", "4")
    assert threads_at_work() == one + 3


def hash_(scene: Scene) -> None:
    scene.set("Hash", "1")
    small = number(scene.search("nodes 150000"), "hashfull")
    scene.set("Hash", "64")
    assert number(scene.search("nodes 150000"), "hashfull") < small


def clear_hash(scene: Scene) -> None:
    first = scene.nodes("depth 7")
    assert scene.nodes("depth 7") != first
    scene.set("Clear Hash")
    assert scene.nodes("depth 7") == first


def ponder(scene: Scene) -> None:
    alone, _hard = scene.budget_ms()
    scene.set("Ponder", "true")
    assert milliseconds(scene.budget_ms()[0]) > milliseconds(alone)


def multipv(scene: Scene) -> None:
    assert sum(" pv " in line for line in scene.search("depth 1")) == 1
    scene.set("MultiPV", "5")
    assert sum(" pv " in line for line in scene.search("depth 1")) == 5


def move_overhead(scene: Scene) -> None:
    usual, _hard = scene.budget_ms()
    scene.set("Move Overhead", "1000")
    assert milliseconds(scene.budget_ms()[0]) < milliseconds(usual)


def chess960(scene: Scene) -> None:
    castle = "depth 1 searchmoves e1c1 e1a1"
    assert scene.search(castle, f"fen {CASTLING_IS_ALL}")[-1].split()[1] == "e1c1"
    scene.set("UCI_Chess960", "true")
    assert scene.search(castle, f"fen {CASTLING_IS_ALL}")[-1].split()[1] == "e1a1"


def affinities(pid: int) -> Iterator[set[int]]:
    """The CPUs of each thread of a process, those left out that are just ending."""
    for task in Path(f"/proc/{pid}/task").iterdir():
        with suppress(ProcessLookupError):
            yield os.sched_getaffinity(int(task.name))


def granted(cpus: frozenset[int]) -> frozenset[int]:
    """What the system makes of a wish for these CPUs; a container may have less than all."""
    before = os.sched_getaffinity(0)
    try:
        os.sched_setaffinity(0, cpus)
        return frozenset(os.sched_getaffinity(0))
    except OSError:
        return frozenset()
    finally:
        os.sched_setaffinity(0, before)


def require_cpus(scene: Scene, *expected: set[int] | frozenset[int]) -> None:
    """The threads of a search have these sets of CPUs, soon after it has begun."""
    scene.engine.send("go infinite")
    scene.engine.wait_for("info depth 2")
    deadline = time.monotonic() + PATIENCE_S
    found: set[frozenset[int]] = set()
    while found != set(map(frozenset, expected)):
        assert time.monotonic() < deadline, found
        found = {frozenset(cpus) for cpus in affinities(scene.engine.pid)}
    scene.engine.send("stop")
    scene.engine.wait_for("bestmove")


def numa_policy(scene: Scene) -> None:
    if not hasattr(os, "sched_getaffinity"):
        pytest.skip("this system does not bind threads")
    usable = frozenset(os.sched_getaffinity(0))
    if len(usable) < 2:
        pytest.skip("needs two CPUs")
    first, second = sorted(usable)[:2]
    scene.set("Threads", "2")
    require_cpus(scene, usable)
    scene.set("NumaPolicy", f"{first}:{second}")
    require_cpus(scene, usable, {first}, {second})
    assert len(scene.set("NumaPolicy", f"{first}:{first}")) == 1
    require_cpus(scene, usable, {first}, {second})
    scene.set("NumaPolicy", f"{second}")
    require_cpus(scene, usable, {second})
    scene.set("NumaPolicy", "none")
    require_cpus(scene, usable)


def analyse_mode(scene: Scene) -> None:
    soft, hard = scene.budget_ms()
    assert milliseconds(soft) < milliseconds(hard)
    scene.set("UCI_AnalyseMode", "true")
    assert scene.budget_ms() == ("none", hard)
    scene.set("UCI_AnalyseMode", "false")
    assert scene.budget_ms() == (soft, hard)


def opponent(scene: Scene) -> None:
    path = scene.folder / "log"
    value = "GM 2882 human Magnus Carlsen"
    met = "opponent: GM Magnus Carlsen (human, rated 2882)"
    scene.set("Debug Log File", str(path))
    assert scene.set("UCI_Opponent", value) == []
    assert f"-- {met}" in path.read_text().splitlines()
    scene.engine.send("debug on")
    assert f"info string {met}" in scene.set("UCI_Opponent", value)
    (error,) = scene.set("UCI_Opponent", "GM 2882 wizard Merlin")
    assert error.startswith("info string error: option UCI_Opponent: 'wizard'")


def engine_about(scene: Scene) -> None:
    before = scene.engine.ask("uci")
    (line,) = [line for line in before if line.startswith("option name UCI_EngineAbout")]
    assert "Kingcobra" in line
    assert scene.set("UCI_EngineAbout", "Deep Thought") == []
    assert scene.engine.ask("uci") == before


def _narrow_network(folder: Path, seed: int) -> Path:
    path = folder / f"nn-{seed}.nnue"
    write_network(random_network(SQUARED.at_width(64), seed), path)
    return path


def eval_file(scene: Scene) -> None:
    enabled = f"info string NNUE evaluation using {DEFAULT_NETWORK} enabled"
    assert enabled in scene.search("depth 1")
    path = _narrow_network(scene.folder, 1)
    scene.engine.ask("uci")
    said = scene.set("EvalFile", str(path))
    assert not any("error" in line for line in said)
    assert any("nn-1.nnue read as" in line and "Stockfish 15.1" in line for line in said)
    enabled = "info string NNUE evaluation using nn-1.nnue enabled"
    assert enabled in scene.search("depth 6")
    nothing_new = scene.folder / "nonsense"
    nothing_new.write_text("nonsense")
    for bad in (nothing_new, scene.folder, scene.folder / "missing"):
        (error,) = scene.set("EvalFile", str(bad))
        assert error.startswith(f"info string error: {bad}: ")
        assert error.endswith("; still using nn-1.nnue")
    assert enabled in scene.search("depth 1")
    (said_of_none,) = scene.set("EvalFile", "<empty>")
    assert said_of_none == "info string EvalFile is empty: using the classical evaluation"
    assert "info string classical evaluation enabled" in scene.search("depth 1")
    (error,) = scene.set("EvalFile", "missing")
    assert error.endswith("; still using the classical evaluation")
    assert scene.set("EvalFile", DEFAULT_NETWORK) == []
    assert f"info string NNUE evaluation using {DEFAULT_NETWORK} enabled" in scene.search("depth 1")


def eval_file_small(scene: Scene) -> None:
    queen_up = "fen rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    big, small = (_narrow_network(scene.folder, seed) for seed in (1, 2))
    scene.set("EvalFile", "<empty>")
    scene.set("EvalFileSmall", str(small))
    unused = "info string nn-2.nnue (EvalFileSmall) is not used without EvalFile"
    assert {"info string classical evaluation enabled", unused} <= set(scene.search("depth 1"))
    scene.set("EvalFileSmall", "<empty>")
    assert unused not in scene.search("depth 1")
    scene.set("EvalFile", str(big))
    alone = {start: final_evaluation(scene, start) for start in ("startpos", queen_up)}
    scene.set("EvalFileSmall", str(small))
    assert final_evaluation(scene, "startpos") == alone["startpos"]
    assert final_evaluation(scene, queen_up) != alone[queen_up]
    said = scene.search("depth 1")
    assert "info string NNUE evaluation using nn-2.nnue enabled" in said
    assert unused not in said


def evaluation(scene: Scene) -> None:
    queens_up = "fen 1nb1kbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1"
    scene.set("EvalFile", "<empty>")
    classical = {start: scene.search("depth 1", start)[-2] for start in ("startpos", queens_up)}
    scene.set("EvalFile", str(_narrow_network(scene.folder, 1)))
    network = final_evaluation(scene, "startpos"), final_evaluation(scene, queens_up)
    scene.set("Evaluation", "hybrid")
    assert final_evaluation(scene, "startpos") == network[0]
    assert final_evaluation(scene, queens_up) != network[1]
    scene.set("Evaluation", "Classical")
    assert "info string classical evaluation enabled" in scene.search("depth 1")
    for start, line in classical.items():
        scene.set("Clear Hash")
        assert scores(scene.search("depth 1", start)[-2]) == scores(line)
    (error,) = scene.set("Evaluation", "optimistic")
    assert error.endswith("'optimistic', expected one of nnue, hybrid, classical")


def scores(line: str) -> str:
    return line.split(" score ")[1].split(" nodes ")[0]


def final_evaluation(scene: Scene, position: str) -> str:
    (line,) = [
        line
        for line in scene.engine.ask(f"position {position}", "eval")
        if line.startswith("Final evaluation")
    ]
    return line


EFFECTS: dict[str, Callable[[Scene], None]] = {
    "Debug Log File": debug_log_file,
    "Threads": threads,
    "Hash": hash_,
    "Clear Hash": clear_hash,
    "Ponder": ponder,
    "MultiPV": multipv,
    "Move Overhead": move_overhead,
    "UCI_Chess960": chess960,
    "EvalFile": eval_file,
    "EvalFileSmall": eval_file_small,
    "Evaluation": evaluation,
    "NumaPolicy": numa_policy,
    "UCI_AnalyseMode": analyse_mode,
    "UCI_Opponent": opponent,
    "UCI_EngineAbout": engine_about,
}

# Tests of another module, which runs them.
ELSEWHERE: dict[str, Callable[..., None]] = {
    "Skill Level": of_the_search.test_skill_level,
    "nodestime": of_the_search.test_nodestime,
    "UCI_LimitStrength": of_the_search.test_uci_limitstrength,
    "UCI_Elo": of_the_search.test_uci_elo,
    "UCI_ShowWDL": of_the_search.test_uci_showwdl,
    "UCI_ShowCurrLine": of_the_search.test_uci_showcurrline,
    "UCI_ShowRefutations": of_the_search.test_uci_showrefutations,
    "UCI_SetPositionValue": of_the_search.test_uci_setpositionvalue,
    "SyzygyPath": of_the_tables.test_syzygypath,
    "SyzygyProbeDepth": of_the_tables.test_syzygyprobedepth,
    "Syzygy50MoveRule": of_the_tables.test_syzygy50moverule,
    "SyzygyProbeLimit": of_the_tables.test_syzygyprobelimit,
    "OwnBook": of_the_book.test_without_the_option_the_engine_thinks,
    "Book File": of_the_book.test_a_book_move_is_played_at_once_and_said,
    "Best Book Move": of_the_book.test_best_book_move_plays_the_heaviest_only,
    "Book Depth": of_the_book.test_book_depth_is_the_last_move_from_the_book,
}


@pytest.mark.parametrize(
    "name", [option.name for option in OPTIONS if option.name not in ELSEWHERE]
)
def test_the_option_changes_what_it_says(engine, tmp_path, name):
    assert name in EFFECTS, f"{name} is listed, but nothing shows what it does"
    EFFECTS[name](Scene(engine, tmp_path))


def test_nothing_is_tested_that_is_not_listed():
    assert EFFECTS.keys() | ELSEWHERE.keys() == {option.name for option in OPTIONS}
    assert not EFFECTS.keys() & ELSEWHERE.keys()


# --- the list itself --------------------------------------------------------------------------

# The example in Stockfish's documentation of its commands; the networks' names are its own.
STOCKFISH = """\
option name Debug Log File type string default
option name Threads type spin default 1 min 1 max 1024
option name Hash type spin default 16 min 1 max 33554432
option name Clear Hash type button
option name Ponder type check default false
option name MultiPV type spin default 1 min 1 max 500
option name Skill Level type spin default 20 min 0 max 20
option name Move Overhead type spin default 10 min 0 max 5000
option name nodestime type spin default 0 min 0 max 10000
option name UCI_Chess960 type check default false
option name UCI_LimitStrength type check default false
option name UCI_Elo type spin default 1320 min 1320 max 3190
option name UCI_ShowWDL type check default false
option name SyzygyPath type string default <empty>
option name SyzygyProbeDepth type spin default 1 min 1 max 100
option name Syzygy50MoveRule type check default true
option name SyzygyProbeLimit type spin default 7 min 0 max 7
option name EvalFile type string default
option name EvalFileSmall type string default
""".splitlines()
NETWORKS = ("EvalFile", "EvalFileSmall")


def name_of(declaration: str) -> str:
    return declaration.removeprefix("option name ").split(" type ")[0]


def test_the_list_is_stockfishs_then_ours(engine):
    listed = [line for line in engine.ask("uci") if line.startswith("option ")]
    assert listed == [option.declaration() for option in OPTIONS]
    names = [name_of(line) for line in listed]
    theirs = [line for line in STOCKFISH if name_of(line) in names]
    assert len(theirs) >= 8
    for ours, wanted in zip(listed, theirs, strict=False):
        if name_of(wanted) in NETWORKS:
            assert ours.startswith(wanted)
        else:
            assert ours == wanted


@pytest.mark.parametrize("name", ["NalimovPath", "nalimovcache", "UCI_ShredderbasesPath"])
def test_what_is_not_there_is_explained(engine, name):
    (line,) = engine.ask(f"setoption name {name} value 1")
    assert line.startswith(f"info string error: option {name} has no effect: ")
    assert not any(name.lower() in line.lower() for line in engine.ask("uci"))


# --- values that are refused ------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "",
        "yes",
        "AUTO",
        "0-",
        "-1",
        "0,,1",
        "0:",
        "1-0",
        "0-99999",
        "0,0",
        "0:0",
        "0 1",
        "0x1",
        "٣",
    ],
)
def test_a_malformed_numa_policy_is_refused(engine, text):
    (line,) = engine.ask(f"setoption name NumaPolicy value {text}")
    assert line.startswith("info string error: option NumaPolicy: ")


@pytest.mark.parametrize("text", ["none", "system", "auto", "hardware", "0"])
def test_a_numa_policy_that_is_understood(engine, text):
    assert (
        engine.ask("setoption name Threads value 2", f"setoption name NumaPolicy value {text}")
        == []
    )
    engine.send("go depth 3")
    assert engine.wait_for("bestmove")[-1] != "bestmove (none)"


def test_hardware_overrides_the_affinity_of_the_process(core, start_engine):
    if not hasattr(os, "sched_setaffinity") or len(os.sched_getaffinity(0)) < 2:
        pytest.skip("needs two CPUs and a system that binds threads")
    assert core
    usable = os.sched_getaffinity(0)
    alone = frozenset({min(usable)})
    (node,) = numa.places(numa.Policy(numa.HARDWARE), 1)
    there = granted(node)
    if not there - alone:
        pytest.skip("the first node has no other CPU for this process")
    os.sched_setaffinity(0, alone)
    try:
        scene = Scene(start_engine(), Path())
    finally:
        os.sched_setaffinity(0, usable)
    scene.engine.ask()
    for policy in ("auto", "system"):
        scene.set("NumaPolicy", policy)
        require_cpus(scene, alone)
    scene.set("NumaPolicy", "hardware")
    require_cpus(scene, alone, there)


@pytest.mark.parametrize(
    "text", ["GM", "GM 2800", "GM 2800 human", "XM 1 human A", "GM x human A", "none -1 human A"]
)
def test_a_malformed_opponent_is_refused(engine, text):
    (line,) = engine.ask(f"setoption name UCI_Opponent value {text}")
    assert line.startswith("info string error: option UCI_Opponent: ")


@pytest.mark.parametrize(
    "text", ["", "<empty>", "none none computer Stockfish 17 dev", "WIM 1 human A"]
)
def test_an_opponent_that_is_understood(engine, text):
    assert engine.ask(f"setoption name UCI_Opponent value {text}") == []


def test_a_log_that_cannot_be_opened_is_one_line_and_the_old_one_stays(engine, tmp_path):
    path = tmp_path / "log"
    assert engine.ask(f"setoption name Debug Log File value {path}") == []
    for wrong in (tmp_path, tmp_path / "missing" / "log"):
        (line,) = engine.ask(f"setoption name Debug Log File value {wrong}")
        assert line.startswith(
            f"info string error: option Debug Log File: cannot open '{str(wrong)[:30]}"
        )
    engine.ask("d")
    assert ">> d" in path.read_text().splitlines()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_a_log_into_a_pipe_that_nobody_reads_is_refused(engine, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    (line,) = engine.ask(f"setoption name Debug Log File value {tmp_path / 'pipe'}")
    assert line.startswith("info string error: option Debug Log File: ")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no full device")
def test_a_full_disk_costs_the_log_and_nothing_else(engine):
    assert engine.ask("setoption name Debug Log File value /dev/full") == []
    assert engine.fen()


def test_an_empty_log_file_is_no_log(engine):
    for value in ("", "<empty>"):
        assert engine.ask(f"setoption name Debug Log File value {value}") == []


def test_a_log_is_continued(engine, tmp_path):
    path = tmp_path / "log"
    path.write_text("before\n")
    engine.ask(f"setoption name Debug Log File value {path}")
    assert path.read_text().startswith("before\n")


def test_lines_that_waited_for_the_core_are_logged(core, start_engine, tmp_path):
    assert core
    engine = start_engine()
    path = tmp_path / "log"
    engine.ask(f"setoption name Debug Log File value {path}", "flip", "", "d")
    received = [line for line in path.read_text().splitlines() if line.startswith(">>")]
    assert received[:3] == [">> flip", ">> ", ">> d"]

# SPDX-License-Identifier: GPL-3.0-or-later
"""The object cache and its failures, with real engines on directories of their own.

Compiling the core takes many seconds, so it is done where compiling is the point. Elsewhere the
test holds the lock of the compilation and then plays the other process that has compiled.
"""

import array
import json
import os
import signal
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from kingcobra.core.objects import CORE
from kingcobra.kernel import host
from kingcobra.kernel.levels import choose_level
from kingcobra.kernel.objects import object_key, pack, unpack
from kingcobra.kernel.system.cpu import cpu_by_c_library
from tests.engine_process import CLASSICAL
from tests.kernel.another_process import another_process_compiles
from tests.kernel.linking.samples import NEEDS_ELF
from tests.processes import children_of, is_running, wait_until

NEEDS_PROC = pytest.mark.skipif(
    not Path("/proc/self/maps").exists(), reason="looks at processes through /proc"
)
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
START_PERFT_3, KIWIPETE_PERFT_3 = 8902, 97862
# How long nothing must be said before all is taken to be said.
QUIET_S = 0.3


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


def on_cache(folder, **more):
    return {host.CACHE_VARIABLE: str(folder), **more}


def notes_of(engine):
    """What the engine has sent to the GUI so far, without progress."""
    progress = ("starting the compiler", "compiling ", "optimising", "writing machine code")
    infos = [line.removeprefix("info string ") for line in engine.output if "info string" in line]
    return [text for text in infos if not text.startswith((*progress, "waiting for another"))]


def counts_rightly(engine):
    """Whether the core that the engine has is a sound one."""
    engine.send("position startpos")
    start = engine.perft(3)
    engine.send(f"position fen {KIWIPETE}")
    return (start, engine.perft(3)) == (START_PERFT_3, KIWIPETE_PERFT_3)


def code_in(data):
    return unpack(data, object_key(CORE, choose_level().level))


def is_whole(path):
    return bool(code_in(path.read_bytes()).entries)


# --- compiling for real -----------------------------------------------------------------------


def test_first_start_compiles_while_the_gui_is_answered(start_engine, cache, core_file):
    engine = start_engine(environment=on_cache(cache))
    engine.send("uci")
    until_uciok = engine.wait_for("uciok")
    assert not any("compil" in line for line in until_uciok)
    assert not list(cache.glob("*.kco"))

    engine.send(CLASSICAL, "isready")
    engine.send("position startpos moves e2e4", "d", "flip", "d", "uci", "isready")
    until_second_uciok = engine.wait_for("uciok")
    assert "readyok" not in until_second_uciok
    until_first_ready = engine.wait_for("readyok")
    assert any(line.startswith("info string compiling 2/") for line in engine.output)
    assert until_first_ready[-2].startswith("info string compiled for ")
    assert until_first_ready[-2].endswith(f", kept in {cache}")

    # What was typed meanwhile was done in the order it was typed.
    queued = engine.wait_for("readyok")
    assert [line.split()[1:3] for line in queued if line.startswith("Fen:")] == [
        ["rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR", "b"],
        ["rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR", "w"],
    ]
    assert counts_rightly(engine)
    assert len(notes_of(engine)) == 1
    engine.wait_for_error("kingcobra: compiled for ")
    assert any(line.startswith("kingcobra: compiling 2/") for line in engine.errors)
    assert engine.errors[-1].startswith("kingcobra: compiled for ")
    assert children_of(engine.pid) == []
    assert [path.name for path in cache.iterdir()] == [core_file.name]
    assert is_whole(cache / core_file.name)
    assert engine.end() == 0

    again = start_engine(environment=on_cache(cache))
    again.ask("uci", CLASSICAL)
    assert notes_of(again) == []
    assert again.errors == []
    assert counts_rightly(again)


def test_killed_while_compiling_then_two_at_once_beside_a_truncated_object(
    start_engine, cache, core_file
):
    victim = start_engine(environment=on_cache(cache))
    victim.wait_for_error("compiling 2/")
    compilers = children_of(victim.pid)
    victim.process.send_signal(signal.SIGKILL)
    victim.wait()
    wait_until(lambda: not any(is_running(pid) for pid in compilers))
    assert not list(cache.glob("*.kco"))

    path = cache / core_file.name
    path.write_bytes(core_file.read_bytes()[:-1000])
    engines = [start_engine(environment=on_cache(cache)) for _ in range(2)]
    for engine in engines:
        engine.ask("uci", CLASSICAL)
        assert counts_rightly(engine)
        assert children_of(engine.pid) == []
    notes = [note for engine in engines for note in notes_of(engine)]
    assert len(notes) == 2
    assert all(note.startswith(f"{path}: truncated (") for note in notes)
    compiled = f"; compiled for {choose_level().level.name}, kept in {cache}"
    assert sum(note.endswith(compiled) for note in notes) == 1
    loaded = "; loaded what another process compiled in the meantime"
    assert sum(note.endswith(loaded) for note in notes) == 1
    assert [path.name for path in cache.iterdir()] == [core_file.name]
    assert is_whole(cache / core_file.name)


# --- damage -----------------------------------------------------------------------------------


def relabelled(data, **changes):
    line, _, code = data.partition(b"\n")
    return json.dumps(json.loads(line) | changes).encode() + b"\n" + code


def of_another_key(data):
    return pack(CORE, choose_level().level, "f" * 16, code_in(data))


def with_layout(data, **changes):
    """With a checksum that is right all the same."""
    code = code_in(data)
    if code.layout is None:
        pytest.skip("images are for Linux on 64-bit x86")
    layout = code.layout._replace(**changes)
    level = choose_level().level
    return pack(CORE, level, object_key(CORE, level), code._replace(layout=layout))


DAMAGES = {
    "empty": (lambda _data: b"", "not a Kingcobra object"),
    "cut in its header": (lambda data: data[:50], "not a Kingcobra object"),
    "cut in its code": (lambda data: data[: len(data) // 2], "truncated ("),
    "longer than it should be": (lambda data: data + b"x", "truncated ("),
    "one bit flipped": (
        lambda data: data[:-5000] + bytes([data[-5000] ^ 4]) + data[-4999:],
        "damaged (checksum differs)",
    ),
    "foreign": (
        lambda _data: Path(sys.executable).read_bytes()[:100_000],
        "not a Kingcobra object",
    ),
    "of another key": (of_another_key, "the file of another object (key 'ffffffffffffffff'"),
    "entries that lie": (
        lambda data: relabelled(data, entries={"initialise": 5}),
        "damaged (checksum differs)",
    ),
    "size that lies": (lambda data: relabelled(data, size=17), "truncated ("),
    "no header but JSON": (lambda _data: b"[1, 2]\n", "not a Kingcobra object"),
}


LAYOUTS_THAT_LIE = {
    "an entry point outside": ({"entries": {"initialise": 2**40}}, "entry point initialise at"),
    "no code": ({"code_bytes": 0}, "entry point initialise at"),
    "less memory than code": ({"data_bytes": 0, "constant_bytes": 4096}, ""),
    "another function": ({"imports": {"system": 0}}, "needs system"),
}
DAMAGES |= {
    what: (partial(with_layout, **changes), f"cannot be loaded ({reason}")
    for what, (changes, reason) in LAYOUTS_THAT_LIE.items()
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_objects_are_noticed_and_never_used(start_engine, cache, core_file, damage):
    make, reason = DAMAGES[damage]
    cache.mkdir()
    path = cache / core_file.name
    path.write_bytes(make(core_file.read_bytes()))
    with another_process_compiles(path, core_file):
        engine = start_engine(environment=on_cache(cache))
        engine.send("uci", CLASSICAL, "isready")
        engine.wait_for("info string waiting for another process that is compiling")
    engine.wait_for("readyok")
    (note,) = notes_of(engine)
    assert note.startswith(f"{path}: {reason}")
    assert note.endswith("; loaded what another process compiled in the meantime")
    assert counts_rightly(engine)
    assert [entry.name for entry in cache.iterdir()] == [path.name]


def test_folder_in_place_of_the_object(start_engine, cache, core_file):
    path = cache / core_file.name
    path.mkdir(parents=True)
    with another_process_compiles(path, core_file):
        engine = start_engine(environment=on_cache(cache))
        engine.wait_for_error("waiting for another process")
        engine.send("uci", CLASSICAL, "isready")
        # Also a GUI that asks late hears what it waits for.
        engine.wait_for("info string waiting for another")
    engine.wait_for("readyok")
    (note,) = notes_of(engine)
    assert note.startswith(f"{path}: Is a directory; loaded what another process")
    assert counts_rightly(engine)


# --- leaving while there is no core -----------------------------------------------------------


@pytest.mark.parametrize("way", ["quit", "end of input", "interrupt"])
def test_leaving_while_compiling_takes_the_compiler_along(start_engine, cache, way):
    engine = start_engine(environment=on_cache(cache))
    engine.wait_for_error("compiling 1/")
    compilers = children_of(engine.pid)
    if way == "quit":
        engine.send("quit")
        assert engine.wait() == 0
    elif way == "end of input":
        assert engine.end() == 0
    else:
        engine.process.send_signal(signal.SIGINT)
        assert engine.wait() == 130
    wait_until(lambda: not any(is_running(pid) for pid in compilers))
    assert not list(cache.glob("*.kco"))


def test_quit_while_another_process_compiles(start_engine, cache, core_file):
    cache.mkdir()
    with another_process_compiles(cache / core_file.name, core_file):
        engine = start_engine(environment=on_cache(cache))
        engine.send("isready", "go depth 3")
        engine.wait_for_error("waiting for another process")
        engine.send("quit")
        assert engine.wait() == 0
    assert "readyok" not in engine.output


# --- no core at all ---------------------------------------------------------------------------

# Fails once the file is there: not before the engine was spoken to.
BROKEN = """
import time
from pathlib import Path
while not Path({file!r}).exists():
    time.sleep(0.02)
raise ImportError("numba is broken here")
"""


@pytest.mark.parametrize("before", [["uci", "isready"], ["isready"]], ids=" ".join)
def test_a_compiler_that_fails_is_one_line_and_an_exit_code(start_engine, cache, tmp_path, before):
    broken = tmp_path / "site" / "numba"
    broken.mkdir(parents=True)
    running = tmp_path / "running"
    (broken / "__init__.py").write_text(BROKEN.format(file=str(running)))
    path = os.pathsep.join([str(broken.parent), os.environ.get("PYTHONPATH", "")])
    engine = start_engine(environment=on_cache(cache, PYTHONPATH=path))
    engine.send(*before)
    if "uci" in before:
        engine.wait_for("uciok")
    running.touch()
    assert engine.wait() == 1
    expected = "cannot start: compiling core failed: ImportError: numba is broken here"
    said = [line for line in engine.errors if "compiler" not in line]
    assert said == [f"kingcobra: {expected}"]
    assert notes_of(engine) == ([expected] if "uci" in before else [])
    assert "readyok" not in engine.output
    assert list(cache.iterdir()) == []


def test_an_unknown_mode_is_one_line_and_an_exit_code(start_engine):
    engine = start_engine(environment={"KINGCOBRA_KERNEL": "nonsense"})
    assert engine.wait() == 1
    (line,) = engine.errors
    assert "KINGCOBRA_KERNEL='nonsense'" in line


def test_a_level_that_cannot_run_is_one_line(start_engine, core_file):
    assert core_file.exists()
    engine = start_engine(environment={"KINGCOBRA_LEVEL": "pentium"})
    engine.ask("uci")
    (note,) = notes_of(engine)
    assert "KINGCOBRA_LEVEL=pentium cannot run here" in note
    assert counts_rightly(engine)
    assert any(line.startswith("Final evaluation: ") for line in engine.ask("eval"))


def test_a_level_that_cannot_run_is_told_before_the_core_is_there(start_engine, cache, core_file):
    cache.mkdir()
    with another_process_compiles(cache / core_file.name, core_file):
        engine = start_engine(environment=on_cache(cache, KINGCOBRA_LEVEL="pentium"))
        engine.send("uci", "compiler")
        engine.wait_for("Mode")
        engine.wait_for_error("KINGCOBRA_LEVEL")
        warnings = [line for line in engine.output + engine.errors if "KINGCOBRA_LEVEL" in line]
        assert [line.partition("KINGCOBRA")[0] for line in warnings] == [
            "info string ",
            "kingcobra: ",
        ]


# --- nothing comes late -----------------------------------------------------------------------


def mapped_files(pid):
    lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
    return {fields[5] for fields in (line.split(maxsplit=5) for line in lines) if len(fields) > 5}


def settled(engine):
    """All that was said on stderr up to now: the two streams are not in step, and the thread that
    reads may be kept waiting by a busy machine."""
    lines = None
    while lines != engine.errors or unread_bytes(engine.process.stderr):
        lines = list(engine.errors)
        time.sleep(QUIET_S)
    return lines


def unread_bytes(pipe):
    """What the pipe holds."""
    import fcntl
    import termios

    count = array.array("i", [0])
    fcntl.ioctl(pipe.fileno(), termios.FIONREAD, count)
    return count[0]


@NEEDS_ELF
def test_the_core_is_linked_when_it_is_compiled(core_file):
    assert code_in(core_file.read_bytes()).layout is not None


@NEEDS_PROC
def test_after_readyok_nothing_is_loaded(start_engine, core_file):
    assert core_file.exists()
    engine = start_engine(python=("-X", "importtime"))
    engine.ask()
    files = {path for path in mapped_files(engine.pid) if path.startswith("/")}
    needs_llvm = code_in(core_file.read_bytes()).layout is None or cpu_by_c_library() is None
    assert any("llvmlite" in path for path in files) == needs_llvm
    imports = settled(engine)
    engine.send("position startpos moves e2e4", "go wtime 1000 btime 1000")
    engine.wait_for("bestmove")
    assert {path for path in mapped_files(engine.pid) if path.startswith("/")} == files
    assert children_of(engine.pid) == []
    assert engine.end() == 0

    assert engine.errors == imports
    modules = {line.rpartition("|")[2].strip() for line in imports}
    assert "kingcobra.engine.search_engine" in modules
    unwanted = {"numba", "numpy", "chess", "subprocess"} | (set() if needs_llvm else {"llvmlite"})
    assert {module for module in modules if module.split(".")[0] in unwanted} == set()

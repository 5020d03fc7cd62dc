# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands beside the game: debug, register, eval, compiler, license, speedtest, help."""

import subprocess
import sys
from importlib import metadata

import pytest

from kingcobra.kernel.levels import choose_level
from kingcobra.uci import speedtest
from kingcobra.uci.commands.table import AT_ANY_TIME, COMMANDS
from kingcobra.uci.compiler_report import NOT_INSTALLED, version_of
from kingcobra.uci.protocol import UciError
from kingcobra.version import __version__
from tests.engine_process import PATIENCE_S

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


# --- debug ------------------------------------------------------------------------------------


def test_debug_says_what_the_engine_does(engine):
    assert engine.ask("debug on") == ["info string debug mode is on"]
    assert "info string option Hash set to '2'" in engine.ask("setoption name Hash value 2")
    assert "info string searching with 2 threads" in engine.ask("setoption name Threads value 2")
    engine.send("go wtime 1000 btime 1000")
    assert any(line.startswith("info string time: ") for line in engine.wait_for("bestmove"))
    assert engine.ask("debug off") == []
    assert engine.ask("setoption name Hash value 1") == []
    engine.send("go wtime 1000 btime 1000")
    assert not any("info string time: " in line for line in engine.wait_for("bestmove"))


@pytest.mark.parametrize("text", ["", "maybe", "ON", "on please"])
def test_debug_knows_on_and_off(engine, text):
    (line,) = engine.ask(f"debug {text}")
    assert line.endswith("expected on or off")


@pytest.mark.parametrize("text", ["later", "name Stefan MK code 4359874324", "code 1 name a", ""])
def test_register_is_tolerated(engine, text):
    assert engine.ask(f"register {text}") == []
    engine.ask("debug on")
    (line,) = engine.ask(f"register {text}")
    assert "no registration is needed" in line


# --- about ------------------------------------------------------------------------------------


def test_compiler_names_versions_and_level(engine):
    facts = dict(line.split(" : ", 1) for line in engine.ask("compiler"))
    facts = {name.strip(): value for name, value in facts.items()}
    assert facts["Python"].endswith(".".join(map(str, sys.version_info[:3])))
    assert facts["Numba"] == metadata.version("numba")
    assert facts["llvmlite"] == metadata.version("llvmlite")
    level = choose_level().level
    assert facts["Level"].startswith(f"{level.name} ")
    assert set(facts["Features"].split()) >= level.needs
    assert facts["LLVM"].split(".")[0].isdigit()


def test_compiler_does_not_import_numba():
    program = (
        "import sys; from kingcobra.uci.compiler_report import describe; describe();"
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], timeout=PATIENCE_S).returncode == 0


def test_a_package_that_is_missing():
    assert version_of("no-such-package-anywhere") == NOT_INSTALLED


def test_license_names_the_version(engine):
    first, *text = engine.ask("license")
    assert first.startswith(f"Kingcobra {__version__}, ")
    assert "General Public License" in "\n".join(text)


def test_help_names_the_version_and_every_command(engine):
    first, *text = engine.ask("help")
    assert first.startswith(f"Kingcobra {__version__}, ")
    for name in COMMANDS:
        assert any(line.strip().split(":")[0].split()[0] == name for line in text if line.strip())


def test_what_needs_no_core_is_told_before_there_is_one(start_engine, tmp_path):
    """An empty cache: the core is being compiled."""
    engine = start_engine(environment={"KINGCOBRA_CACHE": str(tmp_path)})
    engine.send(*AT_ANY_TIME, "debug on", "register later")
    engine.wait_for("info string register: no registration is needed")
    said = "\n".join(engine.output)
    for text in ("uciok", "General Public License", "llvmlite", "speedtest [threads]"):
        assert text in said
    engine.send("quit")
    assert engine.wait() == 0


# --- eval -------------------------------------------------------------------------------------


def final_evaluation(engine):
    (line,) = [line for line in engine.ask("eval") if line.startswith("Final evaluation: ")]
    return float(line.split()[2])


def test_eval_is_the_same_for_both_movers_but_for_the_move(engine):
    """White's view: who moves changes little, who is White changes the sign."""
    engine.send(f"position fen {KIWIPETE}")
    white = final_evaluation(engine)
    engine.send("flip")
    assert abs(final_evaluation(engine) + white) <= 0.01


def test_eval_leaves_position_and_search_alone(engine):
    engine.send(f"position fen {KIWIPETE}", "go infinite")
    assert any(line.startswith("Final evaluation") for line in engine.ask("eval"))
    assert engine.fen() == KIWIPETE
    engine.send("stop")
    assert engine.wait_for("bestmove")


# --- speedtest --------------------------------------------------------------------------------


def test_speedtest_measures_and_restores(engine):
    engine.send("setoption name Threads value 1", "setoption name Hash value 3")
    engine.send(f"position fen {KIWIPETE}", "speedtest 2 4 1")
    engine.wait_for_error("Nodes/second")
    facts = dict(line.split(": ") for line in engine.errors if ": " in line)
    facts = {name.strip(): value for name, value in facts.items()}
    assert facts["Threads"] == "2"
    assert facts["Hash (MiB)"] == "4"
    assert int(facts["Nodes searched"]) > 0
    assert int(facts["Nodes/second"]) > 0
    assert engine.fen() == KIWIPETE


def test_speedtest_can_be_stopped(engine):
    engine.send("speedtest 1 1 3000", "isready")
    engine.wait_for("readyok")
    engine.send("stop")
    engine.wait_for_error("Nodes/second")
    engine.wait_for_error("Stopped ")
    engine.send("go depth 2")
    engine.wait_for("bestmove")


@pytest.mark.parametrize(
    "words", ["x", "0", "1025", "1 0", "1 x", "1 1 0", "1 1 x", "1 1 1 1", "1 1 99999999", "1 1 -1"]
)
def test_speedtest_refuses_what_it_cannot_do(engine, words):
    (line,) = engine.ask(f"speedtest {words}")
    assert line.startswith("info string error: speedtest: ")


def test_speedtest_uses_the_whole_machine_unless_told(monkeypatch):
    monkeypatch.setattr(speedtest.numa, "allowed_cpus", lambda: frozenset(range(6)))
    assert speedtest.parse_speed_task([]) == (6, 768, 150)
    assert speedtest.parse_speed_task(["2"]) == (2, 256, 150)
    assert speedtest.parse_speed_task(["2", "16", "5"]) == (2, 16, 5)
    with pytest.raises(UciError, match="seconds"):
        speedtest.parse_speed_task(["2", "16", "5.5"])


# --- the command line -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["eval"], "Final evaluation: "),
        (["compiler"], "llvmlite"),
        (["license"], "General Public License"),
        (["help"], "speedtest [threads]"),
        (["debug", "on"], "info string debug mode is on"),
        (["bench", "1", "1", "_", "current", "eval"], "Final evaluation: "),
    ],
)
def test_from_the_command_line(core, words, expected):
    assert core
    result = subprocess.run(
        [sys.executable, "-m", "kingcobra", *words],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert result.returncode == 0
    assert expected in result.stdout


def test_speedtest_from_the_command_line(core):
    assert core
    result = subprocess.run(
        [sys.executable, "-m", "kingcobra", "speedtest", "1", "1", "1"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )
    assert result.returncode == 0
    assert "Nodes/second" in result.stderr

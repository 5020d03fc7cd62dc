# SPDX-License-Identifier: GPL-3.0-or-later
"""setoption with a real engine."""

from pathlib import Path

import pytest


def is_chess960(engine):
    engine.send("position startpos")
    return engine.fen().split()[2] == "HAha"


@pytest.mark.parametrize("name", ["UCI_Chess960", "uci_chess960", "UCI_CHESS960", "uCi_cHESS960"])
@pytest.mark.parametrize("value", ["true", "TRUE", "True"])
def test_names_and_truth_in_any_case(engine, name, value):
    assert engine.ask(f"setoption name {name} value {value}") == []
    assert is_chess960(engine)
    assert engine.ask(f"setoption name {name} value false") == []
    assert not is_chess960(engine)


@pytest.mark.parametrize(
    ("command", "quoted"),
    [
        ("setoption", "expected 'setoption name"),
        ("setoption Hash 16", "expected 'setoption name"),
        ("setoption name", "the name is missing"),
        ("setoption name value 3", "the name is missing"),
        ("setoption name Hush value 3", "unknown option 'Hush'"),
        ("setoption name UCI_Chess960 value yes", "'yes', expected true or false"),
        ("setoption name UCI_Chess960", "'', expected true or false"),
        ("setoption name Hash value", "'', expected a number from 1 to"),
        ("setoption name Hash value many", "'many'"),
        ("setoption name Hash value 0", "'0'"),
        ("setoption name Hash value -16", "'-16'"),
        ("setoption name Hash value 16.5", "'16.5'"),
        ("setoption name Hash value 1e3", "'1e3'"),
        ("setoption name Hash value 33554433", "'33554433'"),
        ("setoption name Hash value 99999999999999999999", "'99999999999999999999'"),
        ("setoption NAME Hash value 16", "expected 'setoption name"),
    ],
)
def test_what_is_wrong_is_named(engine, command, quoted):
    (line,) = engine.ask(command)
    assert line.startswith("info string error: ")
    assert quoted in line
    assert not is_chess960(engine)


# --- the table --------------------------------------------------------------------------------

NEEDS_PROC = pytest.mark.skipif(
    not Path("/proc/self/status").exists(), reason="looks at memory through /proc"
)
# What Python itself may take or give back meanwhile.
NOISE_MB = 8


def virtual_mb(engine):
    """The address space that the engine holds."""
    status = Path(f"/proc/{engine.pid}/status").read_text()
    (line,) = (line for line in status.splitlines() if line.startswith("VmSize:"))
    return int(line.split()[1]) // 1024


@NEEDS_PROC
def test_hash_changes_the_table(engine):
    assert engine.ask("setoption name Hash value 1") == []
    smallest = virtual_mb(engine)
    for size in (64, 32, 128):
        assert engine.ask(f"setoption name hash value {size}") == []
        assert abs(virtual_mb(engine) - smallest - size) < NOISE_MB
    assert engine.perft(2) == 400


@NEEDS_PROC
def test_hash_that_no_machine_has_leaves_the_old_table(engine):
    assert engine.ask("setoption name Hash value 64") == []
    before = virtual_mb(engine)
    (line,) = engine.ask("setoption name Hash value 33554432")
    assert line.startswith("info string error: cannot allocate 33554432 MiB for Hash: ")
    assert abs(virtual_mb(engine) - before) < NOISE_MB
    assert engine.ask("ucinewgame") == []
    assert abs(virtual_mb(engine) - before) < NOISE_MB
    assert engine.perft(3) == 8902

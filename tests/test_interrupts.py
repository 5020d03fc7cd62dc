# SPDX-License-Identifier: GPL-3.0-or-later
"""Ctrl-C at any moment: no traceback, the exit code that shells know, nothing left behind."""

import os
import signal
import subprocess
import sys

import pytest

from kingcobra import cli
from kingcobra.uci.loop import UciLoop
from tests.engine_process import PATIENCE_S

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="sends POSIX signals")

OK, INTERRUPTED = 0, 130

# Runs `python -m kingcobra` and interrupts it when a module is first looked for.
INTERRUPTED_IMPORT = """
import os, runpy, signal, sys
module, handler, *sys.argv[1:] = sys.argv[1:]
if handler == "ignored":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
class Interrupting:
    def find_spec(name, path=None, target=None):
        if name == module:
            print("interrupted", flush=True)
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupting)
runpy.run_module("kingcobra", run_name="__main__", alter_sys=True)
"""

# The same when Python takes itself down.
INTERRUPTED_END = """
import atexit, os, runpy, signal
atexit.register(lambda: os.kill(os.getpid(), signal.SIGINT))
runpy.run_module("kingcobra", run_name="__main__", alter_sys=True)
"""


def run(program: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", program, *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
    )


@pytest.mark.parametrize(
    ("module", "words"),
    [
        ("kingcobra.cli", []),
        ("kingcobra.engine.search_engine", []),
        ("kingcobra.engine.search_threads", ["bench"]),
        ("kingcobra.tools.compile", ["compile"]),
        ("kingcobra.tools.net", ["net", "info", "nonsense"]),
        ("kingcobra.networks.loading", ["net", "info", "nonsense"]),
        ("kingcobra.arena.contests.match", ["match"]),
        ("kingcobra.arena.contests.suite", ["suite"]),
        ("kingcobra.arena.contests.tuning", ["tune"]),
        ("kingcobra.version", ["--version"]),
    ],
)
def test_an_interrupt_during_an_import(module, words):
    result = run(INTERRUPTED_IMPORT, module, "usual", *words)
    assert (result.returncode, result.stderr) == (INTERRUPTED, "")
    assert result.stdout == "interrupted\n"


def test_who_was_started_with_interrupts_ignored_goes_on():
    result = run(INTERRUPTED_IMPORT, "kingcobra.uci.loop", "ignored", "--version")
    assert (result.returncode, result.stderr) == (OK, "")
    assert result.stdout.startswith("interrupted\nKingcobra ")


def test_an_interrupt_after_the_end():
    result = run(INTERRUPTED_END, "--version")
    assert (result.returncode, result.stderr) == (INTERRUPTED, "")
    assert result.stdout.startswith("Kingcobra ")


@pytest.mark.usefixtures("interrupts_as_before")
@pytest.mark.parametrize("words", [[], ["go", "infinite"]])
def test_an_interrupt_at_any_moment_is_no_traceback(monkeypatch, words):
    """Also a second one, while the first is being obeyed."""

    def interrupted(_loop, _lines=None):
        raise KeyboardInterrupt

    monkeypatch.setattr(UciLoop, "run", interrupted)
    monkeypatch.setattr(sys, "argv", ["kingcobra", *words])
    assert cli.main() == INTERRUPTED


@pytest.mark.parametrize(
    ("words", "whole_group"), [(["compile"], False), (["compile"], True), ([], True)]
)
def test_an_interrupt_during_a_compilation(tmp_path, words, whole_group):
    """At a terminal the whole group of processes hears of it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "kingcobra", *words],
        env=os.environ | {"KINGCOBRA_CACHE": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    )
    with process:
        while b"starting the compiler" not in process.stderr.readline():
            assert process.poll() is None
        (os.killpg if whole_group else os.kill)(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == INTERRUPTED
    assert b"Traceback" not in errors
    assert b"KeyboardInterrupt" not in errors
    assert list(tmp_path.glob("*.kco")) == []

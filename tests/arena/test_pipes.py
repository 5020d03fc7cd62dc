# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes of engines: none is left behind, whoever stands before it and whenever it is ended."""

import asyncio
import shutil
import sys
import time
from pathlib import Path

import pytest

from kingcobra.arena import pipes
from kingcobra.arena.answers import EngineFault, Fault
from kingcobra.arena.engine_spec import EngineSpec
from kingcobra.arena.pipes import EngineProcess
from tests.arena.processes import is_running

ENGINE = Path(__file__).with_name("misbehaving_engine.py")
PATIENCE_S = 60
POLL_S = 0.02


def test_an_engine_behind_a_script_is_ended_with_it(tmp_path):
    if shutil.which("sh") is None:
        pytest.skip("there is no sh")
    pids = tmp_path / "pids"
    script = f"'{sys.executable}' '{ENGINE}' stubborn 1 '{pids}'; true"

    async def start_and_close():
        engine = await EngineProcess.start(EngineSpec(("sh", "-c", script), "A"))
        assert is_running(int(pids.read_text()))
        await engine.close()

    asyncio.run(start_and_close())
    assert not is_running(int(pids.read_text()))


def test_a_start_that_is_called_off_leaves_no_process(tmp_path):
    pids = tmp_path / "pids"
    spec = EngineSpec((sys.executable, str(ENGINE), "deaf", "1", str(pids)), "A")

    async def call_off():
        start = asyncio.create_task(EngineProcess.start(spec))
        deadline = time.monotonic() + PATIENCE_S
        while not pids.exists() and time.monotonic() < deadline:
            await asyncio.sleep(POLL_S)
        assert is_running(int(pids.read_text()))
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start

    asyncio.run(call_off())
    assert not is_running(int(pids.read_text()))


def test_what_does_not_speak_the_protocol_is_not_waited_for_as_long_as_a_compiler(monkeypatch):
    monkeypatch.setattr(pipes, "GREETING_PATIENCE_S", 0.5)
    spec = EngineSpec((sys.executable, str(ENGINE), "deaf"), "A")
    with pytest.raises(EngineFault) as caught:
        asyncio.run(EngineProcess.start(spec))
    assert caught.value.fault is Fault.HANG
    assert caught.value.detail == "does not speak uci: no answer in 0 s"

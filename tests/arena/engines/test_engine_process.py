# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes of engines: none is left behind, also behind a script, whenever it is ended."""

import asyncio
import shutil
import sys
import time

import chess
import chess.engine
import pytest

from kingcobra.arena.engines import engine_process
from kingcobra.arena.engines.answers import EngineFault, Fault
from kingcobra.arena.engines.engine_process import EngineProcess
from kingcobra.arena.engines.engine_spec import EngineSpec
from tests.arena.mock_engines import MISBEHAVING_ENGINE
from tests.processes import all_gone, is_running

TIMEOUT_S = 600
POLL_S = 0.02


def test_an_engine_behind_a_script_is_ended_with_it(tmp_path):
    if shutil.which("sh") is None:
        pytest.skip("there is no sh")
    pids = tmp_path / "pids"
    script = f"'{sys.executable}' '{MISBEHAVING_ENGINE}' stubborn 1 '{pids}'; true"

    async def start_and_close():
        engine = await EngineProcess.start(EngineSpec(("sh", "-c", script), "A"))
        assert is_running(int(pids.read_text()))
        await engine.close()

    asyncio.run(start_and_close())
    assert all_gone([int(pids.read_text())])


def test_a_start_that_is_called_off_leaves_no_process(tmp_path):
    pids = tmp_path / "pids"
    spec = EngineSpec((sys.executable, str(MISBEHAVING_ENGINE), "deaf", "1", str(pids)), "A")

    async def call_off():
        start = asyncio.create_task(EngineProcess.start(spec))
        deadline = time.monotonic() + TIMEOUT_S
        while not (pids.exists() and pids.read_text()) and time.monotonic() < deadline:
            await asyncio.sleep(POLL_S)
        assert is_running(int(pids.read_text()))
        start.cancel()
        with pytest.raises(asyncio.CancelledError):
            await start

    asyncio.run(call_off())
    assert all_gone([int(pids.read_text())])


def test_an_end_that_is_called_off_leaves_no_process(tmp_path):
    pids = tmp_path / "pids"
    spec = EngineSpec((sys.executable, str(MISBEHAVING_ENGINE), "stubborn", "1", str(pids)), "A")

    async def call_off():
        engine = await EngineProcess.start(spec)
        end = asyncio.create_task(engine.close())
        await asyncio.sleep(0)  # it has begun now, and waits for the engine to obey
        end.cancel()
        with pytest.raises(asyncio.CancelledError):
            await end

    asyncio.run(call_off())
    assert all_gone([int(pids.read_text())])


def test_a_move_that_is_called_off_when_it_arrives_is_not_played(monkeypatch):
    """A worker that shall leave must not go on with its game because of it."""
    moves = []

    async def call_off():
        engine = await EngineProcess.start(
            EngineSpec((sys.executable, str(MISBEHAVING_ENGINE), "well"), "A")
        )
        hear = engine._protocol.pipe_data_received
        limit = chess.engine.Limit(nodes=1)
        move = asyncio.create_task(engine.play(chess.Board(), limit, 0, TIMEOUT_S, True))

        def hear_and_call_off(descriptor, data):
            hear(descriptor, data)
            if b"bestmove" in data:
                moves.append(data)
                move.cancel()

        monkeypatch.setattr(engine._protocol, "pipe_data_received", hear_and_call_off)
        with pytest.raises(asyncio.CancelledError):
            await move
        await engine.close()

    asyncio.run(call_off())
    assert len(moves) == 1


def test_what_does_not_speak_the_protocol_is_not_waited_for_as_long_as_a_compiler(monkeypatch):
    monkeypatch.setattr(engine_process, "GREETING_TIMEOUT_S", 0.5)
    spec = EngineSpec((sys.executable, str(MISBEHAVING_ENGINE), "deaf"), "A")
    with pytest.raises(EngineFault) as caught:
        asyncio.run(EngineProcess.start(spec))
    assert caught.value.fault is Fault.HANG
    assert caught.value.detail == "does not speak uci: no answer in 0 s"

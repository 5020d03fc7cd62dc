# SPDX-License-Identifier: GPL-3.0-or-later
"""The real engine behind the server."""

import chess
import pytest
from chess.engine import Limit

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

import kingcobra
from kingcobra.analysis.settings import AnnotationSettings
from kingcobra.board.polyglot import ENTRY_FORMAT, BookEntry, move_code, polyglot_key
from kingcobra.web.annotator import Annotator
from kingcobra.web.engine_desk import EngineDesk, EngineOptions
from kingcobra.web.room import Room
from tests.paths import DATA
from tests.web.served import ask, at_node, message, run, serving


def test_it_analyses_plays_and_takes_apart(core):
    assert core

    async def test():
        desk = EngineDesk(EngineOptions(hash_mb=1))
        await desk.load()
        async for infos in desk.analyse(chess.Board(), 2):
            if len(infos) == 2 and all("pv" in info for info in infos):
                break
        found = await desk.move(chess.Board(), Limit(nodes=200), 1320)
        assert found.move in chess.Board().legal_moves
        assert found.mover_cp is not None
        mate = chess.Board("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1")
        found = await desk.move(mate, Limit(nodes=500), None)
        assert found.move.uci() == "a1a8"
        assert found.mover_cp > 10_000
        parts = await desk.parts(chess.Board())
        assert parts.men_cp["d1"] > 500
        assert parts.men_cp["d8"] < -500
        assert [name for name, _value in parts.parts] == ["men and squares", "positional"]
        point = await desk.course_point(chess.Board())
        assert point.bucket == 8
        assert point.parts == parts.parts
        assert point.total_cp == parts.total_cp
        assert not desk.has_tables
        await desk.close()

    run(test())


def test_it_plays_from_a_book(core, tmp_path):
    assert core
    board = kingcobra.Board().copy_for(core)
    entry = BookEntry(polyglot_key(board), move_code(board.parse_move("a2a3")), 1, 0)
    path = tmp_path / "book.bin"
    path.write_bytes(ENTRY_FORMAT.pack(*entry))

    async def test():
        desk = EngineDesk(EngineOptions(hash_mb=1, book=str(path)))
        await desk.load()
        found = await desk.move(chess.Board(), Limit(nodes=200), None)
        async for infos in desk.analyse(chess.Board(), 1):
            if infos[0].get("depth", 0) > 1:
                break
        await desk.close()
        assert (found.move.uci(), found.mover_cp) == ("a2a3", None)

    run(test())


def test_the_classical_evaluation_has_no_bucket(core):
    assert core

    async def test():
        desk = EngineDesk(EngineOptions(hash_mb=1, network=""))
        await desk.load()
        point = await desk.course_point(chess.Board())
        parts = await desk.parts(chess.Board())
        await desk.close()
        assert (point.bucket, point.parts) == (None, [])
        assert "mobility" in dict(parts.parts)

    run(test())


def test_tables_have_a_verdict(core, tmp_path):
    assert core

    async def test():
        desk = EngineDesk(EngineOptions(hash_mb=1, tables=str(DATA / "syzygy")))
        await desk.load()
        verdict = await desk.verdict(chess.Board("8/8/8/8/8/4k3/8/K2Q4 w - - 0 1"))
        assert verdict.startswith("White wins (")
        assert await desk.verdict(chess.Board()) == ""
        await desk.close()
        desk = EngineDesk(EngineOptions(hash_mb=1, tables=str(tmp_path)))
        await desk.load()
        assert "no tablebase files in" in await desk.verdict(chess.Board())
        await desk.close()

    run(test())


def test_a_page_gets_lines_and_an_annotated_game(core):
    assert core

    async def test():
        room = Room(EngineDesk(EngineOptions(hash_mb=1)))
        room.annotator = Annotator(room.clients.post, AnnotationSettings(nodes=500, hash_mb=1))
        async with serving(room) as served, served.page() as page:
            await ask(page, "analysis", on=True, lines=1)
            await message(page, "analysis", at_node(0))
            await ask(page, "load", pgn="1. f3 e5 2. g4 Qh4# 0-1", is_part=False)
            await ask(page, "annotate", on=True)
            graph = await message(page, "graph", lambda found: found["summary"] is not None)
            assert graph["svg"].startswith("<svg")
            assert graph["summary"]["white"]["blunders"] >= 1
            assert "[%eval" in room.game.tree.pgn()

    run(test())

# SPDX-License-Identifier: GPL-3.0-or-later
"""The game that pages share, over real sockets."""

import asyncio
import threading

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

from kingcobra.web import room as room_module
from kingcobra.web.game_list import list_of_text
from tests.web.served import (
    HANGS_AFTER_S,
    FakeDesk,
    ask,
    at_node,
    message,
    room_without_engine,
    run,
    serving,
)

SCRIPTS = """[Event "<script>alert(1)</script>"]
[White "\\"><img src=x onerror=alert(1)>"]
[Black "x"]
[Result "*"]

1. e4 {</script><script>alert(2)</script> [%eval 0.3]} e5 (1... c5 {<b>bold</b>}) *
"""
PLAY = {"colour": "white", "elo": 1500, "base_s": None, "increment_s": 0}


def test_two_pages_see_the_same_game():
    async def test():
        async with serving(room_without_engine()) as served:
            async with served.page() as one, served.page() as two:
                await ask(one, "move", node=0, text="e4")
                await message(two, "position", at_node(1))
                await ask(two, "move", node=1, text="e7e5")
                await message(one, "position", at_node(2))
            async with served.page() as later:
                game = await message(later, "game")
                assert [move["san"] for move in game["moves"]] == ["e4", "e5"]
                await message(later, "position", at_node(2))

    run(test())


def test_a_move_from_a_page_that_lags_behind_becomes_a_variation():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "move", node=0, text="e4")
            await ask(page, "move", node=0, text="d4")
            await message(page, "position", at_node(2))
            assert served.room.game.tree.pgn().endswith("1. e4 ( 1. d4 ) *")

    run(test())


def test_steps_lead_from_the_move_on_the_board():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "load", pgn="1. e4 (1. d4 d5) e5 2. Nf3 *", is_part=False)
            # e4, e5, Nf3 and the variation with d4, d5 have numbers in this order.
            last = await message(page, "position", lambda found: found["last"] == ["g1", "f3"])
            for steps, expected in [
                (["previous", "previous", "previous", "previous"], 0),
                (["next", "next"], 2),
                (["last", "next"], last["node"]),
                (["first"], 0),
            ]:
                for to in steps:
                    await ask(page, "step", to=to)
                await message(page, "position", at_node(expected))
            await ask(page, "go", node=4)
            await ask(page, "step", to="next")
            assert (await message(page, "position", at_node(5)))["last"] == ["d7", "d5"]

    run(test())


def test_an_illegal_move_is_named_and_the_position_told_again():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await message(page, "position")
            await ask(page, "move", node=0, text="e5")
            assert (await message(page, "notice"))["text"] == "'e5' is not a legal move here"
            await message(page, "position", at_node(0))

    run(test())


def test_a_fault_of_the_server_costs_one_request_and_is_told_in_a_line():
    def fail(node: int) -> None:
        raise ZeroDivisionError(f"{node}\n" * 1000)

    async def test():
        room = room_without_engine()
        room._actions["go"] = fail
        async with serving(room) as served, served.page() as page:
            await ask(page, "go", node=0)
            answer = await message(page, "notice")
            assert answer["text"].startswith("internal error: ZeroDivisionError: 0 0 0")
            assert len(answer["text"]) < 400
            await ask(page, "move", node=0, text="e4")
            await message(page, "position", at_node(1))

    run(test())


def test_taking_back_setting_up_and_chess960():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "take back")
            assert "no move" in (await message(page, "notice"))["text"]
            await ask(page, "move", node=0, text="e4")
            await ask(page, "take back")
            await message(page, "position", at_node(0))
            await ask(page, "position", fen="4k3/P7/8/8/8/8/8/4K3 w - - 0 1", chess960=False)
            position = await message(page, "position", lambda found: len(found["men"]) == 3)
            promotions = [text for _from, to, text in position["legal"] if to == "a8"]
            assert sorted(promotions) == ["a7a8b", "a7a8n", "a7a8q", "a7a8r"]
            await ask(page, "new game", chess960=0)
            position = await message(page, "position", lambda found: found["chess960"])
            assert position["fen"].startswith("bbqnnrkr/")

    run(test())


def test_castling_may_be_shown_in_two_ways():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "position", fen="4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", chess960=False)
            position = await message(page, "position", lambda found: len(found["men"]) == 4)
            castling = [move for move in position["legal"] if move[2] in ("e1g1", "e1c1")]
            assert sorted(move[1] for move in castling) == ["a1", "c1", "g1", "h1"]

    run(test())


def test_scripts_in_a_game_stay_text():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "load", pgn=SCRIPTS, is_part=False)
            game = await message(page, "game", lambda found: found["moves"])
            assert game["tags"]["Event"] == "<script>alert(1)</script>"
            assert game["moves"][0]["comment"] == "</script><script>alert(2)</script>"
            graph = await message(page, "graph")
            assert "<script" not in graph["svg"]

    run(test())


def test_analysis_follows_the_board_and_ends_with_the_last_page():
    async def test():
        desk = FakeDesk()
        async with serving(room_without_engine(desk)) as served:
            async with served.page() as page:
                await ask(page, "analysis", on=True, lines=3)
                found = await message(page, "analysis", at_node(0))
                assert len(found["lines"]) == 3
                assert found["lines"][0]["score"] == "+0.30"
                assert found["lines"][0]["wdl"] == [400, 400, 200]
                await ask(page, "move", node=0, text="e4")
                found = await message(page, "analysis", at_node(1))
                assert found["lines"][0]["score"] == "-0.30"
                assert found["lines"][0]["wdl"] == [200, 400, 400]
                assert len(desk.running) == 1
            while desk.running:
                await asyncio.sleep(0.01)
            async with served.page() as page:
                await message(page, "analysis", at_node(1))
                while not desk.running:
                    await asyncio.sleep(0.01)
                await ask(page, "analysis", on=False, lines=3)
                while desk.running:
                    await asyncio.sleep(0.01)

    run(test())


def test_inside_the_evaluation():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "inside", on=True)
            found = await message(page, "inside", at_node(0))
            assert found["men_cp"]["e2"] == 100

    run(test())


def test_the_parts_of_the_evaluation_along_the_game():
    async def test():
        desk = FakeDesk()
        async with serving(room_without_engine(desk)) as served, served.page() as page:
            await ask(page, "load", pgn="1. e4 e5 (1... c5) 2. Nf3 *", is_part=False)
            await ask(page, "inside", on=True)
            found = await message(page, "course")
            assert len(found["nodes"]) == 4
            assert found["total_cp"] == [0, 1, 2, 3]
            assert found["parts"] == [["all", [0, 1, 2, 3]]]
            assert found["buckets"] == [8, 8, 8, 8]
            # Only what is new is evaluated.
            await ask(page, "move", node=found["nodes"][-1], text="Nc6")
            found = await message(page, "course", lambda found: len(found["nodes"]) == 5)
            assert found["total_cp"] == [0, 1, 2, 3, 4]
            assert len(desk.course_fens) == 5

    run(test())


def test_the_verdict_of_tables_follows_the_board_but_not_in_a_game():
    async def test():
        desk = FakeDesk()
        desk.said_by_tables = "White wins"
        async with serving(room_without_engine(desk)) as served, served.page() as page:
            assert (await message(page, "tables", at_node(0)))["text"] == "White wins"
            await ask(page, "move", node=0, text="e4")
            await message(page, "tables", at_node(1))
            async with served.page() as later:
                await message(later, "tables", at_node(1))
            await ask(page, "play", **PLAY)
            await ask(page, "go", node=0)
            seen = await message(page, "position", at_node(0))
            assert seen["play"]
            assert served.room.static_view.messages() == []

    run(test())


def test_a_game_given_on_the_command_line_is_on_the_board():
    async def test():
        games = list_of_text("1. e4 e5 2. Nf3 *")
        async with serving(room_without_engine(games=games)) as served, served.page() as page:
            position = await message(page, "position", at_node(3))
            assert position["opening"] == "C40 King's Knight Opening"

    run(test())


class LateReading:
    """Reads the text of games, but not before it is released."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.released = threading.Event()
        self._read = room_module._read_games

    def __call__(self, pgn, is_part):
        self.begun.set()
        self.released.wait(HANGS_AFTER_S)
        return self._read(pgn, is_part)


@pytest.fixture
def reading(monkeypatch):
    found = LateReading()
    monkeypatch.setattr(room_module, "_read_games", found)
    return found


def test_while_a_long_text_is_read_other_pages_go_on(reading):
    async def test():
        room = room_without_engine()
        async with serving(room) as served, served.page() as slow, served.page() as other:
            await ask(slow, "load", pgn="1. d4 *", is_part=False)
            await asyncio.to_thread(reading.begun.wait)
            await ask(other, "move", node=0, text="e4")
            await message(other, "position", at_node(1))
            reading.released.set()
            game = await message(other, "game", lambda found: found["moves"][0]["san"] == "d4")
            assert len(game["moves"]) == 1

    run(test())


def test_a_game_that_began_while_a_text_was_read_is_not_replaced(reading):
    async def test():
        room = room_without_engine()
        async with serving(room) as served, served.page() as slow, served.page() as other:
            await ask(slow, "load", pgn="1. d4 *", is_part=False)
            await asyncio.to_thread(reading.begun.wait)
            await ask(other, "play", **PLAY)
            await message(other, "position", lambda found: found["play"])
            reading.released.set()
            assert "resign first" in (await message(slow, "notice"))["text"]
            assert room.game.is_playing

    run(test())

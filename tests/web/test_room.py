# SPDX-License-Identifier: GPL-3.0-or-later
"""The game that pages share, over real sockets."""

import asyncio
import io

import chess
import chess.pgn
import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

from kingcobra.engine.skill import skill_of_elo
from kingcobra.web.game_list import list_of_text
from kingcobra.web.played_game import DRAW_CP, DRAW_MOVES, DRAW_RULE, PlayedGame
from tests.web.served import FakeDesk, ask, at_node, message, room_without_engine, run, serving

SCRIPTS = """[Event "<script>alert(1)</script>"]
[White "\\"><img src=x onerror=alert(1)>"]
[Black "x"]
[Result "*"]

1. e4 {</script><script>alert(2)</script> [%eval 0.3]} e5 (1... c5 {<b>bold</b>}) *
"""
PLAY = {"colour": "white", "elo": 1500, "base_s": None, "increment_s": 0}


class FakeTime:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1000

    def __call__(self) -> int:
        return self.now


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


# --- against the engine -------------------------------------------------------------------------


def test_a_game_that_is_over_is_not_played():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "position", fen="7k/8/5KQ1/8/8/8/8/8 b - - 0 1", chess960=False)
            position = await message(page, "position", lambda found: found["end"] is not None)
            assert position["end"] == "draw: stalemate"
            await ask(page, "play", **PLAY)
            assert "is over" in (await message(page, "notice"))["text"]

    run(test())


def test_the_engine_answers_at_its_level_and_mate_ends_the_game():
    async def test():
        desk = FakeDesk()
        async with serving(room_without_engine(desk)) as served, served.page() as page:
            await ask(page, "position", fen="7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", chess960=False)
            await ask(page, "play", colour="white", elo=1700, base_s=None, increment_s=0)
            await ask(page, "move", node=0, text="Kf7")
            await message(page, "position", at_node(2))
            limit, elo = desk.limits[0]
            assert elo == 1700
            assert limit.depth == skill_of_elo(1700).depth
            await ask(page, "move", node=2, text="Qh1")
            ended = await message(page, "position", lambda found: found["end"] is not None)
            assert ended["end"] == "checkmate: white wins"
            pgn = chess.pgn.read_game(io.StringIO(served.room.game.tree.pgn()))
            assert pgn is not None
            assert pgn.headers["Result"] == "1-0"
            assert pgn.headers["Black"].endswith("(1700)")
            assert [move.uci() for move in pgn.mainline_moves()] == ["f6f7", "h8h7", "g1h1"]

    run(test())


def test_turns_taking_back_and_resigning():
    async def test():
        desk = FakeDesk()
        async with serving(room_without_engine(desk)) as served, served.page() as page:
            await ask(page, "play", **PLAY)
            desk.release.clear()
            await ask(page, "move", node=0, text="e4")
            await message(page, "position", at_node(1))
            await ask(page, "move", node=1, text="e5")
            assert (await message(page, "notice"))["text"] == "it is not your turn"
            await ask(page, "new game", chess960=None)
            assert "resign first" in (await message(page, "notice"))["text"]
            await ask(page, "take back")
            await message(page, "position", at_node(0))
            desk.release.set()
            await ask(page, "move", node=0, text="d4")
            await message(page, "position", at_node(3))
            assert served.room.game.tree.pgn().endswith("1. d4 Nh6 *")
            await ask(page, "resign")
            ended = await message(page, "position", lambda found: found["end"] is not None)
            assert "you resigned" in ended["end"]
            assert served.room.game.tree.tags["Result"] == "0-1"
            await ask(page, "resign")
            assert (await message(page, "notice"))["text"] == "no game is being played"

    run(test())


def test_the_engine_agrees_to_a_draw_by_its_rule():
    async def test():
        desk = FakeDesk()
        async with serving(room_without_engine(desk)) as served, served.page() as page:
            await ask(page, "offer draw")
            assert (await message(page, "notice"))["text"] == "no game is being played"
            await ask(page, "play", **PLAY)
            scores = [None, DRAW_CP + 1] + DRAW_MOVES * [DRAW_CP]
            for number, desk.mover_cp in enumerate(scores):
                await ask(page, "offer draw")
                assert DRAW_RULE in (await message(page, "notice"))["text"]
                text = list(served.room.game.board.legal_moves)[-1].uci()
                await ask(page, "move", node=2 * number, text=text)
                await message(page, "position", at_node(2 * number + 2))
            await ask(page, "offer draw")
            ended = await message(page, "position", lambda found: found["end"] is not None)
            assert ended["end"] == "draw by agreement"
            assert served.room.game.tree.tags["Result"] == "1/2-1/2"

    run(test())


def test_moves_that_were_taken_back_do_not_count_for_a_draw():
    game = PlayedGame(chess.BLACK, None, None)
    game.scores_cp = dict.fromkeys([2, 4, 6, 8, 10], 0)
    assert game.agrees_to_draw([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    assert not game.agrees_to_draw([1, 2, 3, 4, 5, 6, 7, 8])
    game.scores_cp[12] = DRAW_CP + 1
    assert not game.agrees_to_draw([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    assert game.agrees_to_draw([1, 2, 3, 4, 5, 6, 7, 8, 9, 10])


def test_looking_at_earlier_moves_does_not_disturb_the_game():
    async def test():
        desk = FakeDesk()
        async with serving(room_without_engine(desk)) as served, served.page() as page:
            await ask(page, "play", **PLAY)
            desk.release.clear()
            await ask(page, "move", node=0, text="e4")
            await ask(page, "go", node=0)
            await message(page, "position", at_node(0))
            desk.release.set()
            position = await message(page, "position", lambda found: found["last_node"] == 2)
            while position["node"] != 0:
                position = await message(page, "position")
            assert position["legal"] == []
            await ask(page, "go", node=2)
            assert (await message(page, "position", at_node(2)))["legal"]
            assert served.room.game.cursor == 2

    run(test())


def test_time_runs_out():
    async def test():
        time = FakeTime()
        async with serving(room_without_engine(now_ms=time)) as served, served.page() as page:
            await ask(page, "play", colour="white", elo=None, base_s=60, increment_s=5)
            position = await message(page, "position", lambda found: found["play"])
            assert position["play"]["clock"]["running"] == "white"
            time.now += 10_000
            await ask(page, "move", node=0, text="e4")
            position = await message(page, "position", at_node(2))
            assert position["play"]["clock"]["white_ms"] == 55_000
            assert position["play"]["clock"]["black_ms"] == 65_000
            time.now += 55_000
            await ask(page, "move", node=2, text="d4")
            ended = await message(page, "position", lambda found: found["end"] is not None)
            assert "won on time" in ended["end"]
            assert served.room.game.tree.pgn().endswith("0-1")
            assert len(list(served.room.game.tree.game.mainline())) == 2

    run(test())


def test_a_game_given_on_the_command_line_is_on_the_board():
    async def test():
        games = list_of_text("1. e4 e5 2. Nf3 *")
        async with serving(room_without_engine(games=games)) as served, served.page() as page:
            position = await message(page, "position", at_node(3))
            assert position["opening"] == "C40 King's Knight Opening"

    run(test())

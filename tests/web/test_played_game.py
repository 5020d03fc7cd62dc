# SPDX-License-Identifier: GPL-3.0-or-later
"""Games against the engine, over real sockets."""

import io

import chess
import chess.pgn
import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

from kingcobra.engine.skill import skill_of_elo
from kingcobra.web.played_game import (
    DRAW_CP,
    DRAW_FIRST_MOVE,
    DRAW_RULE,
    DRAW_SCORES,
    PlayedGame,
)
from tests.web.served import FakeDesk, ask, at_node, message, room_without_engine, run, serving

PLAY = {"colour": "white", "elo": 1500, "base_s": None, "increment_s": 0}
# The moves before a draw is possible are over.
LATE_FEN = f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {DRAW_FIRST_MOVE}"


class FakeTime:
    """A clock that stands until it is moved."""

    def __init__(self) -> None:
        self.now = 1000

    def __call__(self) -> int:
        return self.now


def test_a_game_that_is_over_is_not_played():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "position", fen="7k/8/5KQ1/8/8/8/8/8 b - - 0 1", chess960=False)
            position = await message(page, "position", lambda found: found["end"] is not None)
            assert position["end"] == "Draw: stalemate"
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
            assert ended["end"] == "Checkmate: White wins"
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
            await ask(page, "position", fen=LATE_FEN, chess960=False)
            await ask(page, "play", **PLAY)
            scores = [None, DRAW_CP + 1] + DRAW_SCORES * [DRAW_CP]
            for number, desk.mover_cp in enumerate(scores):
                await ask(page, "offer draw")
                assert DRAW_RULE in (await message(page, "notice"))["text"]
                text = list(served.room.game.board.legal_moves)[-1].uci()
                await ask(page, "move", node=2 * number, text=text)
                await message(page, "position", at_node(2 * number + 2))
            await ask(page, "offer draw")
            ended = await message(page, "position", lambda found: found["end"] is not None)
            assert ended["end"] == "Draw by agreement"
            assert served.room.game.tree.tags["Result"] == "1/2-1/2"

    run(test())


def test_moves_that_were_taken_back_do_not_count_for_a_draw():
    game = PlayedGame(chess.BLACK, None, None)
    board = chess.Board(LATE_FEN)
    game.scores_cp = dict.fromkeys([2, 4, 6, 8, 10], 0)
    assert game.agrees_to_draw(board, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])
    assert not game.agrees_to_draw(board, [1, 2, 3, 4, 5, 6, 7, 8])
    game.scores_cp[12] = DRAW_CP + 1
    assert not game.agrees_to_draw(board, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12])
    assert game.agrees_to_draw(board, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10])


@pytest.mark.parametrize(
    ("fen", "agrees"),
    [
        (chess.STARTING_FEN, False),
        (f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {DRAW_FIRST_MOVE - 1}", False),
        (f"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 {DRAW_FIRST_MOVE}", True),
        ("4k3/ppppp3/8/8/8/8/PPPPPP2/4K3 w - - 0 1", False),
        ("4k3/ppppp3/8/8/8/8/PPPPP3/4K3 w - - 0 1", True),
    ],
)
def test_there_is_no_draw_in_the_opening(fen, agrees):
    game = PlayedGame(chess.BLACK, None, None)
    game.scores_cp = dict.fromkeys([2, 4, 6, 8, 10], 0)
    assert game.agrees_to_draw(chess.Board(fen), range(11)) is agrees


def test_taking_back_the_last_move_undoes_the_end():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "play", **PLAY)
            await ask(page, "move", node=0, text="e4")
            await message(page, "position", at_node(2))
            await ask(page, "resign")
            await message(page, "position", lambda found: found["end"] is not None)
            # Moves may follow; the end stays where it was.
            await ask(page, "move", node=2, text="d4")
            assert (await message(page, "position", at_node(3)))["end"] is None
            await ask(page, "take back")
            assert "resigned" in (await message(page, "position", at_node(2)))["end"]
            assert served.room.game.tree.tags["Result"] == "0-1"
            await ask(page, "take back")
            position = await message(page, "position", at_node(1))
            assert (position["end"], position["play"]) == (None, None)
            assert served.room.game.tree.tags["Result"] == "*"

    run(test())


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
            await message(page, "game", lambda found: len(found["moves"]) == 2)
            position = await message(page, "position")
            assert (position["node"], position["legal"]) == (0, [])
            await ask(page, "move", node=0, text="d4")
            assert "earlier move" in (await message(page, "notice"))["text"]
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

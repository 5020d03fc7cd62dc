# SPDX-License-Identifier: GPL-3.0-or-later
"""Annotating the game on the board: what pages are told, and what becomes of it when they go."""

import asyncio
import threading
import time

import chess.pgn
import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

from kingcobra.analysis.annotating import Abandoned
from kingcobra.web import annotator
from kingcobra.web.annotator import graph_points
from kingcobra.web.game_tree import game_of_pgn
from kingcobra.web.requests import Request
from tests.web.served import HANGS_AFTER_S, ask, at_node, message, room_without_engine, run, serving

GAME = {"pgn": "1. e4 e5 *", "is_part": False}


class StuckAnnotation:
    """Takes the place of `annotate_text`: tells of its beginning, and ends only when nobody waits
    for it any more."""

    def __init__(self) -> None:
        self.runs = 0
        self.networks: list[str] = []

    def __call__(self, _text, _searcher, settings, goes_on):
        self.runs += 1
        self.networks.append(settings.network)
        while goes_on():
            time.sleep(0.01)
        raise Abandoned


class SilentAnnotation(StuckAnnotation):
    """Says only once how far it is."""

    def __init__(self) -> None:
        super().__init__()
        self.released = threading.Event()

    def __call__(self, _text, _searcher, _settings, goes_on):
        self.runs += 1
        goes_on()
        self.released.wait(HANGS_AFTER_S)
        raise Abandoned


@pytest.fixture
def use(monkeypatch):
    """Puts an annotation in the place of the real one."""

    def use_instead(annotation):
        monkeypatch.setattr(annotator, "annotate_text", annotation)
        monkeypatch.setattr(annotator, "GameSearcher", lambda _settings: None)
        return annotation

    return use_instead


def is_under_way(found):
    return found["share"] is not None


def test_annotating_can_be_stopped(use):
    stuck = use(StuckAnnotation())

    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "load", **GAME)
            await ask(page, "annotate", on=True)
            await message(page, "progress", is_under_way)
            assert stuck.networks == ["a.nnue"]
            await ask(page, "move", node=2, text="Nf3")
            assert "being annotated" in (await message(page, "notice"))["text"]
            await ask(page, "annotate", on=False)
            await message(page, "progress", lambda found: not is_under_way(found))
            await ask(page, "move", node=2, text="Nf3")
            await message(page, "position", at_node(3))

    run(test())


def test_stopping_does_not_stop_what_begins_right_after_it(use):
    use(StuckAnnotation())

    async def test():
        room = room_without_engine()
        async with serving(room) as served, served.page() as page:
            await ask(page, "load", **GAME)
            await ask(page, "annotate", on=True)
            await message(page, "progress", is_under_way)
            client = room.clients.add()
            for on in (False, True):
                await room.handle(client, Request("annotate", {"on": on}))
            await message(page, "progress", lambda found: not is_under_way(found))
            await message(page, "progress", is_under_way)
            await ask(page, "move", node=2, text="Nf3")
            assert "being annotated" in (await message(page, "notice"))["text"]
            room.clients.remove(client)

    run(test())


def test_a_new_page_is_told_how_far_it_is(use):
    silent = use(SilentAnnotation())

    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "load", **GAME)
            assert (await message(page, "progress"))["share"] is None
            await ask(page, "annotate", on=True)
            await message(page, "progress", is_under_way)
            async with served.page() as later:
                assert (await message(later, "progress"))["share"] == 0
            silent.released.set()

    run(test())


def test_it_ends_with_the_last_page_and_begins_again_with_the_next(use):
    stuck = use(StuckAnnotation())

    async def test():
        room = room_without_engine()
        async with serving(room) as served:
            async with served.page() as page:
                await ask(page, "load", **GAME)
                await ask(page, "annotate", on=True)
                await message(page, "progress", is_under_way)
            while room.annotator.progress_message()["share"] is not None:
                await asyncio.sleep(0.01)
            assert stuck.runs == 1
            async with served.page() as page:
                await message(page, "progress", is_under_way)
                assert stuck.runs == 2

    run(test())


def test_the_curve_does_not_play_the_game_again_for_each_move(monkeypatch):
    tree, _remarks = game_of_pgn("1. e4 {[%eval 0.3]} e5 {[%eval 0.2]} (1... c5) 2. Nf3 *")

    def fail(_node):
        raise AssertionError("this takes as long as the game")

    for name in ("ply", "san", "board", "eval"):
        monkeypatch.setattr(chess.pgn.ChildNode, name, fail)
    nodes, points = graph_points(tree)
    assert nodes == [0, 1, 2]
    assert [point.text for point in points[1:]] == ["e4 +0.30", "e5 +0.20"]
    assert [move["ply"] for move in tree.as_json()] == [1, 2, 3, 2]

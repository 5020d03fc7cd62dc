# SPDX-License-Identifier: GPL-3.0-or-later
"""The games of a PGN, to choose one of them."""

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

from kingcobra.web.errors import WebError
from kingcobra.web.game_list import MOST_GAMES, MOST_TRIED, GameList, list_of_text
from tests.web.served import ask, message, room_without_engine, run, serving

SEVERAL = """[White "<b>Anna</b>"]
[Black "Bert"]
[Date "2024.02.03"]
[Result "*"]

1. e4 e5 *

[White "Broken"]
[Black "Game"]

1. e4 e5 2. Ke3 *

[Event "The third"]

1. d4 *
"""
BROKEN = '[Event "x"]\n\n1. e5 *\n\n'


def test_games_have_titles_and_are_loaded_by_number():
    games = list_of_text(SEVERAL)
    titles = [game["title"] for game in games.message()["games"]]
    assert titles == [
        "<b>Anna</b> – Bert, * · 2024.02.03",
        "Broken – Game, *",
        "? – ?, * · The third",
    ]
    assert [move["san"] for move in games.load(3).tree.as_json()] == ["d4"]
    with pytest.raises(WebError, match=r"2\. Ke3 is not a legal move"):
        games.load(2)
    for number in (0, 4):
        with pytest.raises(WebError, match="there is no game"):
            games.load(number)


def test_broken_games_before_the_first_good_one_are_named():
    games = list_of_text(BROKEN + SEVERAL)
    loaded = games.load_first()
    assert loaded.number == games.chosen == 2
    assert loaded.remark.startswith("game 1 (? – ?, * · x): PGN: 1. e5 is not a legal move")


def test_a_text_of_broken_games_is_refused():
    with pytest.raises(WebError, match=f"none of the first {MOST_TRIED} games can be shown"):
        list_of_text(BROKEN * (MOST_TRIED + 5)).load_first()
    with pytest.raises(WebError, match=r"^PGN: 1\. e5 is not a legal move$"):
        list_of_text(BROKEN).load_first()
    with pytest.raises(WebError, match=r"^PGN: "):
        list_of_text("")


def test_a_long_list_is_cut():
    games = GameList(["1. e4 *\n"] * (MOST_GAMES + 1))
    assert len(games.message()["games"]) == MOST_GAMES
    assert games.is_part
    assert not GameList(["1. e4 *\n"] * MOST_GAMES).is_part


def test_titles_are_of_a_length_that_can_be_read():
    (game,) = list_of_text(f'[White "{"x" * 1000}"]\n\n1. e4 *').message()["games"]
    assert len(game["title"]) < 130


def test_pages_choose_a_game_and_see_which_are_broken():
    async def test():
        async with serving(room_without_engine()) as served, served.page() as page:
            await ask(page, "choose", number=1)
            assert (await message(page, "notice"))["text"] == "there is no list of games"
            await ask(page, "load", pgn=SEVERAL, is_part=False)
            found = await message(page, "games", lambda found: found["games"][1]["fault"])
            assert "2. Ke3 is not a legal move" in found["games"][1]["fault"]
            assert found["chosen"] == 1
            await ask(page, "choose", number=3)
            assert (await message(page, "games", lambda found: found["chosen"]))["chosen"] == 3
            assert [move["san"] for move in served.room.game.tree.as_json()] == ["d4"]
            await ask(page, "choose", number=2)
            assert "2. Ke3 is not a legal move" in (await message(page, "notice"))["text"]
            await ask(page, "new game", chess960=None)
            await message(page, "games", lambda found: found["chosen"] is None)
            async with served.page() as later:
                assert len((await message(later, "games"))["games"]) == 3
            await ask(page, "play", colour="white", elo=None, base_s=None, increment_s=0)
            await ask(page, "choose", number=1)
            assert "resign first" in (await message(page, "notice"))["text"]

    run(test())

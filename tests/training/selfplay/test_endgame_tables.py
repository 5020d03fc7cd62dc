# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-play with endgame tables: they end games, and the search asks them."""

import dataclasses

import chess
import chess.syzygy
import pytest

from kingcobra.training.selfplay.book import load_book
from kingcobra.training.selfplay.player import Teacher, open_endgame_tables
from kingcobra.training.selfplay.settings import GAMES, SelfPlayError, SelfPlaySettings
from tests.paths import DATA
from tests.training.selfplay.playing import played_games, replayed

FOLDER = DATA / "syzygy"
# Four men of which there is no table, and three after a capture.
STARTS = (
    "8/8/4k3/8/3r4/8/3Q4/3K4 w - - 0 1",
    "8/8/4k3/8/3R4/8/3q4/3K4 b - - 0 1",
    "8/8/4k3/2p5/3P4/8/5b2/3K4 w - - 0 1",
    "8/5k2/8/3n4/4P3/8/8/3K4 w - - 0 1",
)
# Otherwise only the rules of chess end these.
SETTINGS = SelfPlaySettings(
    kind=GAMES,
    soft_nodes=50,
    book_share=1.0,
    most_book_plies=0,
    random_move_share=0.2,
    lopsided_score=32_000,
    win_plies=10_000,
    draw_plies=10_000,
)


def silent(_text):
    """Nobody listens."""


@pytest.fixture(scope="module")
def book(objects, tmp_path_factory):
    path = tmp_path_factory.mktemp("book") / "starts.epd"
    path.write_text("".join(f"{fen}\n" for fen in STARTS))
    return load_book(path, objects.core, silent)


@pytest.fixture(scope="module")
def tables(objects):
    return open_endgame_tables(objects.core, str(FOLDER), silent)


def known(reference, board):
    """Whether tables may end the game here, and White's result by them."""
    if board.halfmove_clock or board.castling_rights:
        return None
    value = reference.get_wdl(board)
    if value is None:
        return None
    if abs(value) < 2:
        return "1/2-1/2"
    return "1-0" if (value > 0) == board.turn else "0-1"


def test_games_end_where_the_tables_know_them(objects, book, tables):
    games = played_games(objects, SETTINGS, Teacher(), 16, book, endgame_tables=tables)
    ended = []
    with chess.syzygy.open_tablebase(str(FOLDER)) as reference:
        for game in games:
            *earlier, last = replayed(game)
            assert not any(known(reference, board) for board in earlier[1:])
            result = known(reference, last)
            if result is not None and not last.is_game_over(claim_draw=True):
                assert game.white_result == result, last.fen()
                ended.append(result)
    assert len(ended) > 4
    assert len(set(ended)) > 1


def test_without_tables_they_go_on(objects, book, tables):
    with_tables = played_games(objects, SETTINGS, Teacher(), 8, book, endgame_tables=tables)
    without = played_games(objects, SETTINGS, Teacher(), 8, book)
    assert sum(len(game.plies) for game in without) > sum(len(game.plies) for game in with_tables)


def test_a_folder_without_tables_is_refused(objects, tmp_path):
    assert open_endgame_tables(objects.core, " ", silent) is None
    with pytest.raises(SelfPlayError, match="no tablebase files"):
        open_endgame_tables(objects.core, str(tmp_path), silent)


def test_blocks_say_that_tables_were_used():
    assert "tablebases" not in SETTINGS.origin()
    assert dataclasses.replace(SETTINGS, syzygy=str(FOLDER)).origin()["tablebases"] is True

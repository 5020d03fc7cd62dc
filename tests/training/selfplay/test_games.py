# SPDX-License-Identifier: GPL-3.0-or-later
"""Games: they replay with python-chess, begin as asked for and have the right results."""

import dataclasses

import chess
import pytest

from kingcobra.core.search.scores import NO_SCORE
from kingcobra.core.selfplay.layout import GAME_HEADER_BYTES, PLY_BYTES
from kingcobra.training.data.games import games_in
from kingcobra.training.selfplay.book import load_book
from kingcobra.training.selfplay.player import BUFFER_FULL, GAME_OVER, SelfPlayer, Teacher
from kingcobra.training.selfplay.run import SelfPlayRun
from kingcobra.training.selfplay.run_output import RunLimits, RunOutput
from kingcobra.training.selfplay.settings import GAMES, SelfPlayError, SelfPlaySettings
from tests.training.selfplay.playing import played, played_games, replayed

SETTINGS = SelfPlaySettings(kind=GAMES, soft_nodes=50, chess960_share=0.3)
# Nothing but the rules of chess ends these.
BY_RULE = dataclasses.replace(
    SETTINGS, win_plies=10_000, play_out_draws=True, random_move_share=0.3, most_plies=1000
)


@pytest.fixture(scope="module")
def games(objects):
    return played_games(objects, SETTINGS, Teacher(), games=24)


@pytest.fixture(scope="module")
def games_by_rule(objects):
    return played_games(objects, BY_RULE, Teacher(), games=12)


def test_games_by_rule_end_where_python_chess_ends_them(games_by_rule):
    results = set()
    for game in games_by_rule:
        *earlier, last = replayed(game)
        assert not any(board.is_game_over(claim_draw=False) for board in earlier)
        over = last.is_checkmate() or last.is_stalemate() or last.is_insufficient_material()
        drawn = last.is_repetition(3) or last.is_fifty_moves()
        assert over or drawn
        expected = last.result() if over else "1/2-1/2"
        assert game.white_result == expected, last.fen()
        results.add(expected)
    assert len(results) > 1


def test_games_in_one_call_are_those_of_single_calls(objects, games):
    player = SelfPlayer(objects, SETTINGS, Teacher())
    player.begin(3, 5)
    assert player.play_on() == GAME_OVER
    assert player.games_over == 5
    together = [game.plies.tobytes() for game in games_in(player.take())]
    assert together == [game.plies.tobytes() for game in games[3:8]]


def test_several_games_stop_where_the_buffer_is_full(objects, games):
    player = SelfPlayer(objects, SETTINGS, Teacher())
    player.record.room = GAME_HEADER_BYTES + SETTINGS.most_plies * PLY_BYTES
    player.begin(0, 6)
    written = b""
    while player.play_on() == BUFFER_FULL:
        written += player.take()
    written += player.take()
    found = [game.plies.tobytes() for game in games_in(written)]
    assert found == [game.plies.tobytes() for game in games[:6]]


@pytest.mark.parametrize("wanted", [1, 30, 33])
def test_a_run_plays_as_many_games_as_asked_for(objects, games, wanted):
    """Several in a call, and fewer in the last."""
    found = []
    output = RunOutput(RunLimits(games=wanted), False, found.append)
    SelfPlayRun([SelfPlayer(objects, SETTINGS, Teacher())], output).run(lambda: None)
    assert output.progress.games == wanted
    plies = [game.plies.tobytes() for game in games_in(b"".join(found))]
    assert len(plies) == wanted
    assert plies[: len(games)] == [game.plies.tobytes() for game in games[:wanted]]


def test_adjudicated_games_have_the_result_of_their_last_scores(games):
    adjudicated = 0
    for game in games:
        boards = replayed(game)
        if boards[-1].is_game_over() or boards[-1].is_repetition(3):
            continue
        adjudicated += 1
        mover = boards[-2].turn
        score = int(game.plies["score"][-1])
        white_score = score if mover == chess.WHITE else -score
        if game.white_result == "1/2-1/2":
            assert abs(white_score) <= SETTINGS.draw_score
        else:
            assert game.white_result == ("1-0" if white_score > 0 else "0-1")
            streak = [
                int(ply["score"]) if board.turn == chess.WHITE else -int(ply["score"])
                for board, ply in zip(boards, game.plies, strict=False)
                if ply["score"] != NO_SCORE
            ][-SETTINGS.win_plies :]
            assert all(abs(value) >= SETTINGS.win_score for value in streak)
            assert len({value > 0 for value in streak}) == 1
    assert adjudicated


def test_openings_are_various_and_some_are_chess960(games):
    starts = [chess.Board(game.start_fen, chess960=True) for game in games]
    assert len({start.fen() for start in starts}) == len(starts)
    shuffled = [start for start in starts if not set(start.castling_xfen()) <= set("KQkq-")]
    kings = {start.king(chess.WHITE) for start in starts}
    assert len(kings) > 2 or shuffled
    for game in games:
        assert SETTINGS.least_random_plies <= game.start["game_ply"] <= SETTINGS.most_random_plies
        assert abs(int(game.plies["score"][0])) <= SETTINGS.lopsided_score


def test_without_chess960_every_king_begins_at_home(objects):
    settings = dataclasses.replace(SETTINGS, chess960_share=0.0, least_random_plies=0,
                                   most_random_plies=0, most_plies=2)  # fmt: skip
    for game in played_games(objects, settings, Teacher(), games=3):
        assert chess.Board(game.start_fen).fen() == chess.STARTING_FEN


def test_a_share_of_moves_is_random_and_has_no_score(objects):
    settings = dataclasses.replace(SETTINGS, random_move_share=0.25)
    games = played_games(objects, settings, Teacher(), games=8)
    plies = sum(len(game.plies) for game in games)
    unscored = sum(int((game.plies["score"] == NO_SCORE).sum()) for game in games)
    assert 0.15 < unscored / plies < 0.35


def test_a_game_is_the_same_whoever_plays_it(objects, games):
    settings = dataclasses.replace(SETTINGS)
    again = played_games(objects, settings, Teacher(), games=3)
    for one, two in zip(games, again, strict=False):
        assert (one.start_fen, one.plies.tobytes()) == (two.start_fen, two.plies.tobytes())


def test_book_positions_begin_games(objects, tmp_path):
    fens = [
        "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
        "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
    ]
    path = tmp_path / "book.epd"
    path.write_text(f"{fens[0]}\nnonsense\n# a comment\n{fens[1]}\n8/8/8/4k3/8/4K3/8/8 w - - 0 1\n")
    faults = []
    book = load_book(path, objects.core, faults.append)
    assert book.count == 2
    assert [fault.split(":")[0] for fault in faults] == [f"{path}, line 2", f"{path}, line 5"]
    settings = dataclasses.replace(SETTINGS, book_share=1.0, most_book_plies=0, most_plies=10)
    games = played_games(objects, settings, Teacher(), games=8, book=book)
    found = {chess.Board(game.start_fen, chess960=True).board_fen() for game in games}
    assert found == {fen.split()[0] for fen in fens}
    for game in games:
        replayed(game)


def test_a_book_without_positions_is_refused(objects, tmp_path):
    path = tmp_path / "empty.epd"
    path.write_text("# nothing\n")
    with pytest.raises(SelfPlayError, match="no position to begin a game with"):
        load_book(path, objects.core, lambda _fault: None)
    with pytest.raises(SelfPlayError, match="No such file"):
        load_book(tmp_path / "missing.epd", objects.core, lambda _fault: None)


def test_a_cut_block_of_games_is_refused(objects):
    data = played(objects, SETTINGS, Teacher(), games=1)
    with pytest.raises(ValueError, match="cut"):
        list(games_in(data[:-4]))
    with pytest.raises(ValueError, match="no game"):
        list(games_in(data[:30]))

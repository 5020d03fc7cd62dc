# SPDX-License-Identifier: GPL-3.0-or-later
"""XBoard engines that lack some of the protocol's commands: what they can, they play; what they
cannot, the first game does not start."""

import asyncio
import json
import sys
from pathlib import Path

import chess.pgn
import pytest

from kingcobra.arena.commands.match import main
from kingcobra.arena.commands.suite import main as suite_main
from kingcobra.arena.engines.engine_process import EngineProcess
from kingcobra.arena.engines.engine_spec import parse_engine
from kingcobra.arena.engines.protocols import XBoardProtocol
from tests.arena.mock_engines import MISBEHAVING_ENGINE, XBOARD_ENGINE

# Longer than any machine makes a process wait for its turn.
MARGIN_MS = "60000"
POSITION = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3"


def xboard(*unknown, name="X"):
    return f"cmd='{sys.executable}' '{XBOARD_ENGINE}' {' '.join(unknown)},proto=xboard,name={name}"


def uci(name="U"):
    return f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' well,name={name}"


def play(folder, engines, *more):
    """Exit code, records and games of a short match."""
    pgn = folder / "out.pgn"
    words = [word for spec in engines for word in ("--engine", spec)]
    settings = ["--games", "2", "--max-moves", "4", "--margin-ms", MARGIN_MS]
    code = main([*words, *settings, "--pgn", str(pgn), *more])
    if code != 0:
        return code, [], []
    records = [json.loads(line) for line in Path(f"{pgn}.state").read_text().splitlines()[1:]]
    games = []
    with pgn.open() as file:
        while (game := chess.pgn.read_game(file)) is not None:
            games.append(game)
    return code, records, games


@pytest.mark.parametrize("unknown", [(), ("sd",), ("depth",)])
def test_a_limit_of_depth_in_the_word_that_the_engine_knows(tmp_path, unknown):
    code, records, games = play(tmp_path, [xboard(*unknown), uci()], "--tc", "depth=7")
    assert code == 0
    assert [record["fault"] for record in records] == [None, None]
    assert games[0].headers["White"] == "X"
    for game in games:
        white_is_ours = game.headers["White"] == "X"
        comments = [node.comment for node in game.mainline()]
        ours = comments[::2] if white_is_ours else comments[1::2]
        assert len(ours) == 4
        assert all(comment.startswith("+0.15/7 ") for comment in ours)


@pytest.mark.parametrize(
    ("unknown", "control", "limit"),
    [
        (("sd", "depth"), "depth=7", "depth"),
        (("nps",), "nodes=100", "nodes"),
        ((), "movetime=1500", "a movetime of 1.5 s"),
    ],
)
def test_a_limit_that_the_engine_does_not_know_is_no_illegal_move(
    tmp_path, capsys, unknown, control, limit
):
    code, _, _ = play(tmp_path, [xboard(*unknown), uci()], "--tc", control)
    assert code == 2
    assert f"X cannot be limited by {limit}" in capsys.readouterr().err
    assert not (tmp_path / "out.pgn").exists()


@pytest.mark.parametrize(
    ("line", "is_read"),
    [
        (b"Error (unknown command): result 1-0 {White mates}", False),
        (b"Error (unknown command): level 0 1 0", True),
        (b"Illegal move: e2e5", True),
        (b"# thinking", False),
    ],
)
def test_who_refuses_a_result_has_no_fault(line, is_read):
    """Fairy-Max's words may come when the next game has begun."""

    async def relevance():
        return XBoardProtocol()._is_relevant(line)

    assert asyncio.run(relevance()) is is_read


def test_such_an_engine_plays_on_a_clock(tmp_path):
    engines = [xboard("sd", "depth", "nps"), uci()]
    code, records, _ = play(tmp_path, engines, "--tc", "40/60+0.5")
    assert code == 0
    assert [record["fault"] for record in records] == [None, None]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (("--max-moves", "4"), "result 1/2-1/2 {adjudicated: length of the game}"),
        (("--resign", "1,90"), "result 1-0 {adjudicated: resignation by score}"),
    ],
)
def test_an_engine_gets_the_result_and_the_seconds_for_a_move(tmp_path, more, expected):
    notes = tmp_path / "notes"
    losing = f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' losing,name=U"
    code, _, _ = play(tmp_path, [xboard(f"notes={notes}"), losing], "--tc", "movetime=2000", *more)
    assert code == 0
    lines = notes.read_text().splitlines()
    assert expected in lines
    assert "st 2" in lines


@pytest.mark.parametrize(
    ("words", "sets_up"), [(("late", "setboard"), False), (("unmentioned",), False), ((), True)]
)
def test_an_engine_may_take_its_time_to_start_and_need_not_set_up_positions(words, sets_up):
    async def sets_up_positions():
        engine = await EngineProcess.start(parse_engine(xboard(*words)))
        await engine.close()
        return engine.reported_name, engine.sets_up_positions

    assert asyncio.run(sets_up_positions()) == ("Fake", sets_up)


def test_an_option_that_the_engine_refuses_is_named(tmp_path, capsys):
    for option, message in (
        ("option.Depths=3", "X: has no option Depths; did you mean Depth?"),
        (
            "option.Depth=300",
            "X: option Depth=300: expected value for option 'Depth' to be at most 9",
        ),
        ("option.Learn=0", "X: option Learn=0: expected true or false"),
        ("option.Depth=9", "X: Error (bad value): option Depth=9"),
    ):
        code, _, _ = play(tmp_path, [f"{xboard()},{option}", uci()], "--tc", "movetime=1000")
        assert code == 2
        assert message in capsys.readouterr().err


def test_a_suite_names_the_limit_that_cannot_be(tmp_path, capsys):
    suite = tmp_path / "one.epd"
    suite.write_text(f'{POSITION[:-4]} bm Bb5; id "one";\n')
    arguments = [str(suite), "--engine", xboard("sd", "depth"), "--limit", "depth=3", "--failures"]
    assert suite_main(arguments) == 2
    assert capsys.readouterr().err == "kingcobra suite: X cannot be limited by depth\n"


def test_who_cannot_set_up_positions_has_a_book_of_its_own(tmp_path):
    positions, games_book = tmp_path / "book.epd", tmp_path / "book.pgn"
    positions.write_text(f"{POSITION}\n")
    games_book.write_text('[Result "*"]\n\n1. d4 d5 2. c4 *\n')
    engines = [uci("A"), uci("B"), xboard("setboard")]
    books = ["--book", str(positions), "--move-book", str(games_book)]
    code, records, games = play(tmp_path, engines, "--tc", "movetime=1000", *books)
    assert code == 0
    assert all(record["fault"] is None for record in records)
    for game in games:
        players = {game.headers["White"], game.headers["Black"]}
        moves = [move.uci() for move in game.mainline_moves()]
        if "X" in players:
            assert "FEN" not in game.headers
            assert moves[:3] == ["d2d4", "d7d5", "c2c4"]
        else:
            assert game.headers["FEN"] == POSITION
    assert len(games) == 6


def test_without_such_a_book_the_match_does_not_begin(tmp_path, capsys):
    positions = tmp_path / "book.epd"
    positions.write_text(f"{POSITION}\n")
    engines = [uci(), xboard("setboard")]
    code, _, _ = play(tmp_path, engines, "--tc", "movetime=1000", "--book", str(positions))
    assert code == 2
    assert "X cannot set up positions" in capsys.readouterr().err


def test_a_match_with_another_move_book_is_not_resumed(tmp_path, capsys):
    books = []
    for name in ("a", "b"):
        books.append(tmp_path / f"{name}.pgn")
        books[-1].write_text('[Result "*"]\n\n1. d4 d5 *\n')
    engines = [uci("A"), xboard("setboard")]
    assert play(tmp_path, engines, "--tc", "movetime=1000", "--move-book", str(books[0]))[0] == 0
    more = ("--tc", "movetime=1000", "--move-book", str(books[1]), "--resume")
    assert play(tmp_path, engines, *more)[0] == 2
    assert "move_book was a.pgn, is now b.pgn" in capsys.readouterr().err

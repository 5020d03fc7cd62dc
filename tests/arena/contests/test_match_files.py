# SPDX-License-Identifier: GPL-3.0-or-later
"""The files of a match: what is refused, and that nothing is lost by refusing it."""

import json

import pytest

from kingcobra.arena.contests.match_files import MatchFiles, StateError
from kingcobra.arena.games.game_record import DRAW, GameRecord

SETTINGS = {"seed": 1, "rules": {"margin_s": 0.02, "draw": None}, "engines": [{"name": "A"}]}
GAME_PGN = "1. e4 e5 1/2-1/2\n\n"


def game(number):
    return GameRecord(number, number // 2, "A", "B", DRAW, "why", None, None, 2, 1.0)


@pytest.fixture
def pgn(tmp_path):
    """The files of two games."""
    path = tmp_path / "out.pgn"
    files = MatchFiles(path, SETTINGS)
    files.begin(overwrite=False)
    for number in range(2):
        files.add(game(number), GAME_PGN)
    files.close()
    return path


def contents(pgn):
    return pgn.read_bytes(), pgn.with_name("out.pgn.state").read_bytes()


def test_games_come_back_and_more_are_added_behind_them(pgn):
    files = MatchFiles(pgn, SETTINGS)
    assert files.resume() == [game(0), game(1)]
    files.add(game(2), GAME_PGN)
    files.close()
    again = MatchFiles(pgn, SETTINGS)
    assert again.resume() == [game(0), game(1), game(2)]
    again.close()
    assert pgn.read_text() == 3 * GAME_PGN


def test_what_was_half_written_is_cut_off(pgn):
    whole = contents(pgn)
    with pgn.open("a") as games, pgn.with_name("out.pgn.state").open("a") as state:
        games.write("1. d4 half of a ga")
        state.write('{"number": 2, "pai')
    files = MatchFiles(pgn, SETTINGS)
    assert files.resume() == [game(0), game(1)]
    files.close()
    assert contents(pgn) == whole


def test_two_matches_cannot_have_the_same_files(pgn):
    first = MatchFiles(pgn, SETTINGS)
    first.resume()
    before = contents(pgn)
    for begin in (lambda files: files.resume(), lambda files: files.begin(overwrite=True)):
        with pytest.raises(StateError, match="in use"):
            begin(MatchFiles(pgn, SETTINGS))
    assert contents(pgn) == before
    first.close()
    second = MatchFiles(pgn, SETTINGS)
    assert len(second.resume()) == 2
    second.close()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"seed": 9}, "seed was 1, is now 9"),
        ({"rules": {"margin_s": 0.05, "draw": None}}, "rules.margin_s was 0.02, is now 0.05"),
        ({"engines": [{"name": "B"}]}, "engines 1.name was A, is now B"),
        ({"gauntlet": True}, "gauntlet was none, is now True"),
    ],
)
def test_the_setting_that_differs_is_named_and_no_other(pgn, changed, said):
    before = contents(pgn)
    with pytest.raises(StateError) as caught:
        MatchFiles(pgn, {**SETTINGS, **changed}).resume()
    assert str(caught.value) == f"cannot resume: {said}"
    assert contents(pgn) == before


def test_a_setting_that_is_not_set_is_the_same_as_none(pgn):
    files = MatchFiles(pgn, {**SETTINGS, "new": None})
    assert len(files.resume()) == 2
    files.close()


@pytest.mark.parametrize(
    ("line", "number"),
    [
        (b"\xff\xfe\x00\n", 1),
        (b"5\n", 1),
        (b"[1, 2]\n", 1),
        (b"no json\n", 1),
        (b"\xff\xfe\x00\n", 2),
        (b"{}\n", 2),
        (json.dumps({**game(0).as_dict(), "pgn_bytes": 0, "result": "2-0"}).encode() + b"\n", 2),
    ],
)
def test_a_line_that_is_no_record_is_named_and_kept(pgn, line, number):
    state = pgn.with_name("out.pgn.state")
    lines = state.read_bytes().splitlines(keepends=True)
    lines[number - 1] = line
    state.write_bytes(b"".join(lines))
    before = contents(pgn)
    with pytest.raises(StateError, match=f"out.pgn.state, line {number}: not a record"):
        MatchFiles(pgn, SETTINGS).resume()
    assert contents(pgn) == before


def test_games_that_are_not_there_any_more_are_missed(pgn):
    pgn.write_text(GAME_PGN)
    with pytest.raises(StateError, match=r"out\.pgn is shorter"):
        MatchFiles(pgn, SETTINGS).resume()
    pgn.unlink()
    with pytest.raises(FileNotFoundError):
        MatchFiles(pgn, SETTINGS).resume()
    assert not pgn.exists()


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "out.pgn").mkdir()
    with pytest.raises(StateError, match=r"out\.pgn is a folder"):
        MatchFiles(tmp_path / "out.pgn", SETTINGS).begin(overwrite=True)
    assert not (tmp_path / "out.pgn.state").exists()


def test_a_traceback_with_a_name_that_is_no_text_is_kept(pgn):
    errors = MatchFiles(pgn, {}).keep_error("b\udcfccher.epd\n")
    assert errors.read_text("utf-8") == "b\\udcfccher.epd\n"

# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading files of games, one at a time."""

import chess.pgn
import pytest

from kingcobra.analysis import game_files
from kingcobra.analysis.game_files import read_game_texts
from tests.analysis.games import GAMES


def games_in(tmp_path, data):
    path = tmp_path / "games.pgn"
    path.write_bytes(data)
    return list(read_game_texts(path))


def test_games_are_those_of_python_chess():
    found = list(read_game_texts(GAMES))
    assert [game.number for game in found] == [1, 2, 3, 4, 5]
    lines = GAMES.read_text().splitlines()
    for game in found:
        assert lines[game.line - 1].startswith("[Event")
        assert game.place == f"{GAMES}: game {game.number}, line {game.line}"
    with GAMES.open() as file:
        for game in found:
            assert chess.pgn.read_game(file).headers["White"] in game.text
        assert chess.pgn.read_game(file) is None


@pytest.mark.parametrize(
    "data",
    [
        b'\xef\xbb\xbf[White "A"]\n\n1. e4 *\n\n\xef\xbb\xbf[White "B"]\n\n1. d4 *\n',
        b'[White "A"]\r\n\r\n1. e4 *\r\n\r\n[White "B"]\r\n\r\n1. d4 *',
        b'\n\n% x\n[White "A"]\n\n1. e4 { a\n\n[White "C"]\n\nb } *\n\n\n[White "B"]\n\n1. d4 *\n',
    ],
)
def test_two_games(tmp_path, data):
    found = games_in(tmp_path, data)
    assert ["A" in game.text for game in found] == [True, False]
    assert ["B" in game.text for game in found] == [False, True]


@pytest.mark.parametrize("encoding", ["utf-8", "cp1252", "utf-16"])
def test_names_of_any_age(tmp_path, encoding):
    (game,) = games_in(tmp_path, '[White "Müller – Œ"]\n\n*\n'.encode(encoding))
    assert "Müller – Œ" in game.text


def test_an_empty_file_has_no_games(tmp_path):
    assert games_in(tmp_path, b"") == []
    assert games_in(tmp_path, b"\n \n") == []


def test_a_game_that_is_too_long_has_no_text(tmp_path, monkeypatch):
    monkeypatch.setattr(game_files, "MOST_GAME_CHARACTERS", 100)
    monkeypatch.setattr(game_files, "MOST_LINE_CHARACTERS", 30)
    long = b"{ " + b"x" * 1000 + b" } *\n\n"
    found = games_in(tmp_path, b"1. e4 *\n\n" + long + b"1. d4 *\n")
    assert [game.text for game in found] == ["1. e4 *\n\n", "", "1. d4 *\n"]
    assert [game.line for game in found] == [1, 3, 5]


def test_a_binary_file_is_harmless(tmp_path):
    data = bytes(range(256)) * 10
    assert all(isinstance(game.text, str) for game in games_in(tmp_path, data))

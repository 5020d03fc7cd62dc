# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of engines that others wrote, of both protocols; skipped where they are not installed."""

import json
import os
import shutil
from pathlib import Path

import chess.pgn
import pytest

from kingcobra.arena.commands.match import main

GAMES_FOLDER = "/usr/games"
DEPTH = 6
# Longer than any machine makes a process wait for its turn.
MARGIN_MS = "60000"
BOOK = '[Result "*"]\n\n1. e4 e5 2. Nf3 Nc6 *\n'


def installed(name):
    path = shutil.which(name, path=f"{os.environ.get('PATH', '')}{os.pathsep}{GAMES_FOLDER}")
    if path is None:
        pytest.skip(f"{name} is not installed")
    return path


def records_of(pgn):
    lines = Path(f"{pgn}.state").read_text().splitlines()[1:]
    return [json.loads(line) for line in lines]


@pytest.mark.parametrize(
    ("xboard", "tc"),
    [
        ("phalanx", "40/60+0.5"),
        ("phalanx", "depth=3"),
        ("fairymax", "6+0.1"),
        ("fairymax", "depth=3"),
    ],
)
def test_xboard_against_uci(tmp_path, xboard, tc):
    book = tmp_path / "book.pgn"
    book.write_text(BOOK)
    pgn = tmp_path / "out.pgn"
    arguments = [
        *("--engine", f"{installed(xboard)},proto=xboard"),
        *("--engine", f"{installed('stockfish')},tc=depth=1,option.Hash=1"),
        *("--tc", tc, "--games", "2", "--max-moves", "4", "--book", str(book)),
        *("--margin-ms", MARGIN_MS),
    ]
    assert main([*arguments, "--pgn", str(pgn)]) == 0
    assert [record["fault"] for record in records_of(pgn)] == [None, None]
    assert [record["plies"] for record in records_of(pgn)] == [8, 8]


@pytest.mark.parametrize(("xboard", "words"), [("phalanx", " -b- -l-"), ("fairymax", "")])
def test_a_depth_alone_decides_how_long_an_xboard_engine_thinks(tmp_path, xboard, words):
    """Deeper than Fairy-Max gets without a clock."""
    pgn = tmp_path / "out.pgn"
    arguments = [
        *("--engine", f"{installed(xboard)}{words},proto=xboard,name=X"),
        *("--engine", f"{installed('stockfish')},tc=depth=1,option.Hash=1"),
        *("--tc", f"depth={DEPTH}", "--games", "1", "--max-moves", "3", "--pgn", str(pgn)),
    ]
    assert main(arguments) == 0
    with pgn.open() as file:
        game = chess.pgn.read_game(file)
    assert game.headers["White"] == "X"
    comments = [node.comment for node in list(game.mainline())[::2]]
    assert len(comments) == 3
    assert all(f"/{DEPTH} " in comment for comment in comments)


def test_an_engine_that_cannot_set_up_positions_is_told_apart(tmp_path, capsys):
    book = tmp_path / "book.epd"
    book.write_text("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n")
    arguments = [
        *("--engine", f"{installed('fairymax')},proto=xboard"),
        *("--engine", installed("stockfish")),
        *("--tc", "depth=1", "--games", "2", "--book", str(book)),
    ]
    assert main(arguments) == 2
    assert "fairymax cannot set up positions" in capsys.readouterr().err

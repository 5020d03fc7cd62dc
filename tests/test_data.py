# SPDX-License-Identifier: GPL-3.0-or-later
"""The facts that the tests carry: small, listed with their sources, and true as far as python-chess
can tell."""

import re

import chess
import pytest

from tests.core.network.official_networks import stockfish_pawns
from tests.core.rules.positions import PERFT_FILES, perft_positions
from tests.core.search.mates import read_mates
from tests.paths import DATA

MAX_BYTES = 1024 * 1024
# Files, and where the data folder has the full set that their lines are from.
FULL_SETS = {
    "perft/standard.epd": "perft/standard.epd",
    "perft/chess960.epd": "perft/chess960.epd",
    "mates.epd": "mate/mates2000.epd",
    "suites/win_at_chess.epd": "epd/win_at_chess.epd",
    "suites/bratko_kopec.epd": "epd/bratko_kopec.epd",
    "suites/ecm.epd": "epd/ecm.epd",
    "suites/sts.epd": "epd/sts.epd",
    "suites/null_move_zugzwang.epd": "epd/null_move_zugzwang.epd",
}


def files():
    return [path for path in DATA.rglob("*") if path.is_file() and path.name != "README.md"]


def test_they_are_small():
    assert sum(path.stat().st_size for path in files()) < MAX_BYTES


def test_the_readme_lists_every_file():
    rows = re.findall(r"^\| `([^`]+)`", (DATA / "README.md").read_text(encoding="utf-8"), re.M)
    listed = {path for row in rows for path in DATA.glob(row.replace("…", "*"))}
    assert listed == set(files())
    assert all(list(DATA.glob(row.replace("…", "*"))) for row in rows)


@pytest.mark.parametrize("name", PERFT_FILES)
def test_leaf_counts_of_two_plies(name):
    for position in perft_positions(name):
        board = chess.Board(position.fen, chess960=position.chess960)
        replies = 0
        for move in list(board.legal_moves):
            board.push(move)
            replies += board.legal_moves.count()
            board.pop()
        found = {1: board.legal_moves.count(), 2: replies}
        assert {depth: position.counts.get(depth, found[depth]) for depth in found} == found


def test_positions_can_be_played():
    fens = [position.fen for position in read_mates()]
    fens += (DATA / "stockfish" / "positions.fen").read_text(encoding="ascii").splitlines()
    fens += [position.fen for position in stockfish_pawns()]
    labelled = (DATA / "labelled.txt").read_text(encoding="ascii").splitlines()
    fens += [line.partition(" | ")[0] for line in labelled]
    assert len(fens) > 1000
    for fen in fens:
        # A file of a capture en passant that nobody can make is no fault of a position.
        status = chess.Board(fen).status()
        assert status & ~chess.STATUS_INVALID_EP_SQUARE == chess.STATUS_VALID, fen


@pytest.mark.slow
@pytest.mark.parametrize("name", FULL_SETS)
def test_lines_are_those_of_the_full_set(data_folder, name):
    full = (data_folder / FULL_SETS[name]).read_text(encoding="ascii").splitlines()
    lines = (DATA / name).read_text(encoding="ascii").splitlines()
    assert {line.strip() for line in full} >= set(lines)

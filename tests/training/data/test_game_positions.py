# SPDX-License-Identifier: GPL-3.0-or-later
"""Games of self-play as positions, against python-chess."""

import chess
import numpy as np
import pytest

from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.training.data.blocks import GAMES, write_block, write_data
from kingcobra.training.data.game_positions import GameFilter, positions_of, read_positions
from kingcobra.training.data.games import NO_SCORE, fen_of
from kingcobra.training.data.packed import RECORD, packed_boards, packed_fen
from kingcobra.training.selfplay.player import Objects, Teacher
from kingcobra.training.selfplay.settings import GAMES as GAMES_KIND
from kingcobra.training.selfplay.settings import SelfPlaySettings
from tests.training.selfplay.playing import chess_move, played, played_games, replayed

RAW_PER_PAWN = 3600
SETTINGS = SelfPlaySettings(kind=GAMES_KIND, soft_nodes=20, chess960_share=0.3)
EVERYTHING = GameFilter(quiet=False, max_score=32_000)
POINTS = {"1-0": 2, "1/2-1/2": 1, "0-1": 0}


def silent(_text):
    """Nobody listens."""


@pytest.fixture(scope="module")
def games():
    return played_games(Objects.obtain(silent), SETTINGS, Teacher(), 6)


def expected(game, wanted):
    """Board, score and result of each position that `wanted` wants, from python-chess."""
    rows = []
    for board, ply in zip(replayed(game), game.plies, strict=False):
        move, score = chess_move(ply["move"]), int(ply["score"])
        if score != NO_SCORE and wanted(board, move, score):
            white = POINTS[game.white_result]
            result = white if board.turn == chess.WHITE else 2 - white
            side = "w" if board.turn == chess.WHITE else "b"
            raw = round(score * RAW_PER_PAWN / PAWN_UNITS)
            rows.append((board.board_fen(), side, board.halfmove_clock, raw, result))
    return rows


def found(records):
    rows = []
    for record in records:
        placement, side, _, _, fifty, _ = fen_of(record).split()
        rows.append((placement, side, int(fifty), int(record["score"]), int(record["flags"]) >> 1))
    return rows


def test_every_searched_position_has_its_score_and_result(games, core):
    for game in games:
        records = positions_of(game, RAW_PER_PAWN, EVERYTHING, core)
        assert found(records) == expected(game, lambda *_: True)
        first = int(game.start["game_ply"])
        searched = [number for number, ply in enumerate(game.plies) if ply["score"] != NO_SCORE]
        assert records["game_ply"].tolist() == [first + number for number in searched]


def test_quiet_positions_with_ordinary_scores(games, core):
    def wanted(board, move, score):
        is_noisy = board.is_capture(move) or move.promotion
        return not is_noisy and not board.is_check() and abs(score) <= 300

    for game in games:
        records = positions_of(game, RAW_PER_PAWN, GameFilter(max_score=300), core)
        assert found(records) == expected(game, wanted)
        assert len(records) < len(game.plies)


def test_a_file_of_both_kinds(tmp_path, core):
    path = tmp_path / "both.kcp"
    data = played(Objects.obtain(silent), SETTINGS, Teacher(), 2)
    harvested = np.array([packed_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", 77)])
    damaged = bytearray(data)
    damaged[40] ^= 0xFF  # the first move
    with path.open("wb") as file:
        write_block(file, {"from": "positions"}, harvested)
        write_data(file, GAMES, {"raw_per_pawn": RAW_PER_PAWN}, data)
        write_data(file, GAMES, {"raw_per_pawn": 2 * RAW_PER_PAWN}, bytes(damaged))
    faults = []
    blocks = list(read_positions(path, EVERYTHING, lambda: core, faults.append))
    assert blocks[0].records.tobytes() == harvested.tobytes()
    games = list(played_games(Objects.obtain(silent), SETTINGS, Teacher(), 2))
    both = [positions_of(game, RAW_PER_PAWN, EVERYTHING, core) for game in games]
    assert blocks[1].records.tobytes() == b"".join(part.tobytes() for part in both)
    second = positions_of(games[1], 2 * RAW_PER_PAWN, EVERYTHING, core)
    assert blocks[2].records.tobytes() == second.tobytes()
    assert len(faults) == 1
    assert "ply 0 of a game is not a legal move" in faults[0]


def test_boards_are_packed_as_one_by_one(games):
    boards = [board for game in games for board in replayed(game)]
    squares = np.zeros((len(boards), 64), np.uint8)
    for row, board in zip(squares, boards, strict=True):
        for square, piece in board.piece_map().items():
            row[square] = piece.piece_type + (0 if piece.color else 8)
    one_by_one = np.array([packed_fen(board.fen()) for board in boards], RECORD)
    together = packed_boards(squares)
    assert together["occupancy"].tolist() == one_by_one["occupancy"].tolist()
    assert together["men"].tolist() == one_by_one["men"].tolist()

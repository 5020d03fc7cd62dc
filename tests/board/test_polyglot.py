# SPDX-License-Identifier: GPL-3.0-or-later
"""Polyglot keys and move codes against the published ones and against python-chess."""

import random

import chess
import chess.polyglot
import pytest

from kingcobra.api.board import Board
from kingcobra.board.polyglot import move_code, move_of_code, polyglot_key
from kingcobra.board.position_handle import PositionHandle
from tests.core.rules.positions import CHESS960, STANDARD
from tests.core.rules.reference import walk

# From the description of the format in Polyglot's documentation.
PUBLISHED_KEYS = {
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": 0x463B96181691FC9C,
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1": 0x823C9B50FD114196,
    "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 2": 0x0756B94461C50FB0,
    "rnbqkbnr/ppp1pppp/8/3pP3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2": 0x662FAFB965DB29D4,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3": 0x22A48B5A8E47FF78,
    "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3": 0x652A607CA3F242C1,
    "rnbq1bnr/ppp1pkpp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR w - - 0 4": 0x00FDD303C946BDD9,
    "rnbqkbnr/p1pppppp/8/8/PpP4P/8/1P1PPPP1/RNBQKBNR b KQkq c3 0 3": 0x3C8123EA7B067637,
    "rnbqkbnr/p1pppppp/8/8/P6P/R1p5/1P1PPPP1/1NBQKBNR b Kkq - 0 4": 0x5C3F9B829B279560,
}
# The capture is forbidden: it would uncover the king. Books count the square all the same.
PINNED_EN_PASSANT = "8/8/8/K2pP2r/8/8/8/7k w - d6 0 2"
CASTLE_ALL_WAYS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(("fen", "key"), PUBLISHED_KEYS.items())
def test_published_keys(core, fen, key):
    assert polyglot_key(PositionHandle(core, fen)) == key


@pytest.mark.parametrize("fen", STANDARD)
def test_keys_of_tricky_positions(core, fen):
    assert polyglot_key(PositionHandle(core, fen)) == chess.polyglot.zobrist_hash(chess.Board(fen))


@pytest.mark.parametrize("fen", CHESS960)
def test_keys_of_chess960_positions(core, fen):
    reference = chess.Board(fen, chess960=True)
    assert polyglot_key(PositionHandle(core, fen, True)) == chess.polyglot.zobrist_hash(reference)


def test_en_passant_counts_whether_or_not_it_is_legal():
    board = Board(PINNED_EN_PASSANT)
    assert board.fen().split()[3] == "-"
    assert polyglot_key(board) == chess.polyglot.zobrist_hash(chess.Board(PINNED_EN_PASSANT))
    assert polyglot_key(board.copy()) == polyglot_key(board)
    without = PINNED_EN_PASSANT.replace("d6", "-")
    assert polyglot_key(Board(without)) != polyglot_key(board)


def compare_walk(core, reference, length, rng):
    choices = [rng.randrange(1000) for _ in range(length)]
    for board, twin in walk(core, reference, choices):
        assert polyglot_key(board) == chess.polyglot.zobrist_hash(twin), twin.fen()


@pytest.mark.parametrize("seed", range(20))
def test_keys_along_random_walks(core, seed):
    rng = random.Random(seed)
    for _ in range(5):
        compare_walk(core, chess.Board(), 60, rng)
        compare_walk(core, chess.Board.from_chess960_pos(rng.randrange(960)), 60, rng)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(100))
def test_keys_along_a_hundred_thousand_random_walks(core, part):
    rng = random.Random(1000 + part)
    for number in range(1000):
        start = chess.Board.from_chess960_pos(rng.randrange(960)) if number % 4 else chess.Board()
        compare_walk(core, start, rng.randrange(40), rng)


@pytest.mark.parametrize("fen", STANDARD)
def test_move_codes_are_read_back(core, fen):
    board = PositionHandle(core, fen)
    legal = board.moves()
    for move in legal:
        assert move_of_code(move_code(move), legal) == move


def test_castling_is_the_king_taking_its_rook_or_its_own_step(core):
    board = PositionHandle(core, CASTLE_ALL_WAYS)
    legal = board.moves()
    for text, rook in (("e1g1", chess.H1), ("e1c1", chess.A1)):
        castling = board.parse_move(text)
        step = chess.parse_square(text[2:]) | chess.E1 << 6
        assert move_code(castling) == rook | chess.E1 << 6
        assert move_of_code(move_code(castling), legal) == castling
        assert move_of_code(step, legal) == castling


def test_a_code_that_is_no_legal_move_means_none(core):
    legal = PositionHandle(core).moves()
    assert move_of_code(chess.E5 | chess.E2 << 6, legal) is None
    assert move_of_code(0xFFFF, legal) is None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Batches give what boards give one by one."""

import random

import chess
import numpy as np
import pytest
from chess.variant import AtomicBoard

from kingcobra import Board, FenError, batches
from kingcobra.core.rules.layout import MAX_MOVES
from tests.core.rules.positions import CHESS960, STANDARD
from tests.uci.test_position import BAD_POSITIONS

SEED = 11
RANDOM_RECORDS = 3_000


def test_fens_as_text_and_as_arrays():
    expected = batches.pack(STANDARD)
    for form in (np.array(STANDARD), np.array(STANDARD, "S"), (fen for fen in STANDARD)):
        assert (batches.pack(form) == expected).all()
    mixed = [Board(fen) if number % 2 else fen for number, fen in enumerate(STANDARD)]
    assert (batches.pack(mixed) == expected).all()
    assert batches.pack(expected) is expected
    assert len(batches.pack([])) == 0


@pytest.mark.parametrize(("fens", "chess960"), [(STANDARD, False), (CHESS960, True)])
def test_packed_positions_come_back(fens, chess960):
    boards = [Board(fen, chess960=chess960) for fen in fens]
    packed = batches.pack(fens, chess960=chess960)
    assert batches.unpack(packed) == boards
    assert (batches.pack(boards) == packed).all()
    moves, ends = batches.legal_moves(packed)
    assert [part.tolist() for part in np.split(moves, ends[:-1])] == [
        board.moves() for board in boards
    ]
    assert batches.legal_move_texts(packed) == [board.legal_moves() for board in boards]
    assert batches.legal_move_texts(packed, "san") == [board.san_moves() for board in boards]


def test_more_than_fits_at_once(monkeypatch):
    packed = batches.pack(STANDARD)
    expected = batches.legal_move_texts(packed), batches.legal_moves(packed)[0].tolist()
    monkeypatch.setattr(batches, "CHUNK", 10 * MAX_MOVES + 100)
    assert batches.legal_move_texts(packed) == expected[0]
    moves, ends = batches.legal_moves(packed)
    assert moves.tolist() == expected[1]
    assert ends[-1] == len(moves)


def test_errors_are_those_of_boards():
    texts = [*BAD_POSITIONS, "é/8", chess.STARTING_FEN]
    packed, errors = batches.parse_fens(texts)
    for text, record, error in zip(texts, packed, errors, strict=True):
        try:
            words = ""
            Board(text)
        except FenError as raised:
            words = str(raised)
        assert batches.error_text(text, error) == words
        assert (record["occupancy"] == 0) == bool(words)
    with pytest.raises(FenError, match="position 1: FEN is empty"):
        batches.pack([chess.STARTING_FEN, ""])


def test_any_bytes_are_a_position_or_refused():
    """Compiled code must survive what an uninitialised array holds."""
    chooser = random.Random(SEED)
    valid = batches.pack([*STANDARD, *CHESS960], chess960=True)
    refused = 0
    for _ in range(RANDOM_RECORDS):
        record = bytearray(valid[chooser.randrange(len(valid))].tobytes())
        for _ in range(chooser.randint(1, 3)):
            record[chooser.randrange(len(record))] = chooser.randrange(256)
        board = Board()
        if not board.set_packed(bytes(record)):
            refused += 1
            continue
        again = Board(board.fen(), chess960=board.chess960)
        assert again.legal_moves() == board.legal_moves()
    assert 0 < refused < RANDOM_RECORDS
    with pytest.raises(ValueError, match="packed position 1 is not one"):
        batches.legal_moves(np.concatenate([valid[:1], np.zeros(1, batches.PACKED)]))


def test_games():
    texts = ["1. e4 e5 2. Nf3 Nc6", "d4 d5 c4 *", "e4 Ke3", "", "1. Nf3 a6 2. d3 a5 3. Nd2"]
    games = batches.play_games(texts)
    assert games.ends.tolist() == [4, 7, 7, 7, 7]
    assert games.moves.tolist() == [
        *Board().push_game(texts[0])._stack,
        *Board().push_game(texts[1])._stack,
    ]
    words = [
        batches.error_text(text, error, is_game=True)
        for text, error in zip(texts, games.errors, strict=True)
    ]
    assert words == [
        "",
        "",
        "illegal move 'Ke3' at character 4",
        "",
        "ambiguous move 'Nd2' at character 23",
    ]


def test_games_from_other_positions():
    starts = batches.pack(["4k3/8/8/8/8/8/8/4K2R w K - 0 1", chess.STARTING_FEN])
    games = batches.play_games(["O-O Kd7", "e4"], starts)
    assert games.ends.tolist() == [2, 3]
    assert batches.play_games(["O-O"] * 3, starts[:1]).ends.tolist() == [1, 2, 3]
    assert batches.play_games(["e5"], Board().push("e4")).ends.tolist() == [1]
    with pytest.raises(ValueError, match="2 start positions for 3 games"):
        batches.play_games(["e4"] * 3, starts)


def test_a_game_longer_than_any_history():
    shuffle = "Nf3 Nf6 Ng1 Ng8 " * 600
    games = batches.play_games([shuffle, "e4"])
    assert games.ends.tolist() == [2400, 2401]


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: batches.pack([3]), TypeError, r"positions\[0\] 3 \(int\), expected FEN text"),
        (lambda: batches.pack([Board(), None]), TypeError, r"positions\[1\] None"),
        (lambda: batches.pack([Board(), "8/8"]), FenError, "position 1: .*2 ranks"),
        (lambda: batches.pack([Board(), chess.Board(None)]), FenError, "position 1: .*0 kings"),
        (lambda: batches.pack([AtomicBoard()]), ValueError, "position 0: variant 'atomic'"),
        (lambda: batches.pack(chess.STARTING_FEN), TypeError, r"positions 'rnbq.*expected several"),
        (lambda: batches.pack(Board()), TypeError, r"\(Board\), expected several positions"),
        (lambda: batches.parse_fens("8/8"), TypeError, r"fens '8/8' \(str\), expected several"),
        (lambda: batches.pack(np.array([[b"8/8"]])), ValueError, "positions has 2 dimensions"),
        (lambda: batches.pack(np.array([["8/8"]])), ValueError, "positions has 2 dimensions"),
        (lambda: batches.pack(np.array([["8/8"]], object)), ValueError, "has 2 dimensions"),
        (lambda: batches.parse_fens(["8", None]), TypeError, r"fens\[1\] None"),
        (lambda: batches.parse_fens([], chess960="x"), TypeError, "chess960 'x'"),
        (lambda: batches.legal_moves([1]), TypeError, "expected an array of packed positions"),
        (lambda: batches.unpack(np.zeros(3)), TypeError, "expected an array of packed positions"),
        (lambda: batches.legal_move_texts(batches.pack([]), "pgn"), ValueError, "notation 'pgn'"),
        (lambda: batches.play_games([None]), TypeError, r"texts\[0\] None"),
    ],
)
def test_wrong_arguments_are_named(call, error, message):
    with pytest.raises(error, match=message):
        call()

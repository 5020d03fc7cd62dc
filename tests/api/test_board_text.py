# SPDX-License-Identifier: GPL-3.0-or-later
"""SAN of a Board, written and read by compiled code: beside its plain twin and python-chess."""

import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingcobra import Board, MoveError
from kingcobra.board.move_text import format_move
from tests.board import plain_moves
from tests.core.rules.reference import (
    any_starts,
    crowded_boards,
    example_boards,
    moves_to_choose,
    reference_fen,
)

SEED = 7
GAMES, GAME_PLIES = 20, 120
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def board_like(reference: chess.Board) -> Board:
    return Board(reference_fen(reference), chess960=reference.chess960)


def outcome(read, *arguments):
    """The move that a reader finds, or the words of its error."""
    try:
        return read(*arguments)
    except MoveError as error:
        return str(error)


def require_python_chess_s_san(board: Board, reference: chess.Board) -> None:
    expected = {reference.uci(move): reference.san(move) for move in reference.legal_moves}
    assert dict(zip(board.legal_moves(), board.san_moves(), strict=True)) == expected
    for text, move in zip(board.san_moves(), board.moves(), strict=True):
        assert board.parse_san(text) == move
        assert board.san(move) == text


@pytest.mark.parametrize("reference", example_boards(), ids=chess.Board.fen)
def test_known_positions(reference):
    require_python_chess_s_san(board_like(reference), reference)


@settings(max_examples=60)
@given(start=any_starts() | crowded_boards(), choices=moves_to_choose(16))
def test_positions_of_games(start, choices):
    board = board_like(start)
    for choice in choices:
        require_python_chess_s_san(board, start)
        moves = list(start.legal_moves)
        if not moves:
            return
        move = moves[choice % len(moves)]
        board.push(start.san(move))
        start.push(move)
        assert board.fen() == reference_fen(start)


@settings(max_examples=400)
@given(
    start=any_starts() | crowded_boards(),
    text=st.text("NBRQKO0-xa bcdefgh12345678=qn+#!?:é", max_size=8)
    | st.from_regex(
        r"[NBRQK]?[a-h]?[1-8]?[x:-]?[a-h][1-8](=?[NBRQKnbrqk])?[+#!?]*", fullmatch=True
    ),
)
def test_noise_as_san(start, text):
    board = board_like(start)
    assert outcome(board.parse_san, text) == outcome(plain_moves.parse_san, board, text)


@pytest.mark.parametrize(
    ("fen", "text", "uci"),
    [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "0-0", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-0-O", "e1c1"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8q", "a7a8q"),
        ("8/P6k/8/8/8/8/8/K7 w - - 0 1", "a8=N!?", "a7a8n"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6", "e5d6"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", " e:d6 ", "e5d6"),
        (chess.STARTING_FEN, "Ng1-f3", "g1f3"),
        (chess.STARTING_FEN, "e2-e4", "e2e4"),
    ],
)
def test_generous_reading(fen, text, uci):
    board = Board(fen)
    assert format_move(board.parse_san(text), board.record) == uci


def random_game(chooser):
    board = chess.Board()
    while len(board.move_stack) < GAME_PLIES and not board.is_game_over():
        board.push(chooser.choice(list(board.legal_moves)))
    return board


def test_games_from_text():
    """With and without numbers, as SAN and as UCI: the same game, and its way back."""
    chooser = random.Random(SEED)
    for _ in range(GAMES):
        reference = random_game(chooser)
        text = chess.Board().variation_san(reference.move_stack)
        board = Board().push_game(text)
        assert board.fen() == reference.fen()
        assert board.move_stack == [move.uci() for move in reference.move_stack]
        assert Board().variation_san(board.move_stack) == text
        assert Board().push_game(" ".join(board.move_stack)) == board
        while board.move_stack:
            assert board.pop() == reference.pop().uci()
            assert board.fen() == reference.fen()
        assert board == Board()


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        ("", 0),
        ("*", 0),
        ("1.e4 e5 2.Nf3 *", 3),
        ("1. e4 {best (by test)} e5 (1... c5 2. Nf3 (2. c3 {)}) d6) 2. Nf3 $1 Nc6!? 1/2-1/2", 4),
        ("1. e4 ; 1. d4 is as good\n e5", 2),
        ("1. d4 ! d5 ?! 2. c4 0-1 e5", 3),
        ("1... e5", None),
        ("e4 e5 1-0 Nf3", 2),
        ("e4{no blank}e5(d5)2.Nf3", 3),
        ("e4 {no end", 1),
        ("e4 (no end", 1),
        ("12 34 e4 5.", 1),
    ],
)
def test_what_a_game_s_text_may_contain(text, plies):
    board = Board()
    if plies is None:
        with pytest.raises(MoveError, match="illegal move 'e5'"):
            board.push_game(text)
    else:
        assert len(board.push_game(text).move_stack) == plies


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1. e4 e5 2. Ke3", "illegal move 'Ke3' at character 13"),
        ("e4 e5 é", "illegal move 'é' at character 7"),
        ("Nf3é", "illegal move 'Nf3é' at character 1"),
        ("e4\xa0e5 Nf4", "illegal move 'Nf4' at character 7"),
        ("Nf3 d5 Nc3 d4 Ne4 Nf6 N4g5 h6 Ne4 Nh5 N4g5 f6 Nd2", "illegal"),
        ("Nf3 a6 d3 a5 Nd2", "ambiguous move 'Nd2' at character 14"),
    ],
)
def test_a_game_with_an_error_changes_nothing(text, message):
    board = Board(KIWIPETE).push("O-O") if message == "illegal" else Board()
    before, stack = board.fen(), board.move_stack
    with pytest.raises(MoveError, match=message):
        board.push_game(text)
    assert (board.fen(), board.move_stack) == (before, stack)
    assert board.legal_moves() == Board(before).legal_moves()


def test_a_long_game_grows_and_shrinks():
    board = Board()
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"] * 250
    for text in shuffle:
        board.push(text)
    assert board.halfmove_clock == len(shuffle)
    assert board.earlier_occurrences() == 250
    assert board.perft(3) == 8902
    twin = Board().push_game(" ".join(shuffle))
    assert twin == board
    for text in reversed(shuffle):
        assert board.pop() == text
    assert board == Board()


def test_variations_name_what_is_wrong():
    board = Board()
    assert board.variation_san([]) == ""
    black = Board().push("e4")
    assert black.variation_san(["e5", chess.Move.from_uci("g1f3")]) == "1...e5 2. Nf3"
    with pytest.raises(MoveError, match="illegal move 'e5'"):
        board.variation_san(["e4", "d5", "e5", "e5"])
    assert board == Board()

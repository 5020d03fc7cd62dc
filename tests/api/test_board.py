# SPDX-License-Identifier: GPL-3.0-or-later
"""The public API: its examples run, its errors name what was given."""

import copy
import doctest
import importlib
import inspect
import os
import pickle
import random
import signal
import subprocess
import sys
import time

import chess
import pytest

import kingcobra
from kingcobra import Board, FenError, MoveError
from kingcobra.board.position_handle import PositionHandle
from tests.engine_process import PATIENCE_S

LONG_ENOUGH_TO_COUNT_S = 0.5
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


@pytest.mark.parametrize(
    "module",
    [
        "kingcobra",
        "kingcobra.analysis.in_process",
        "kingcobra.api.async_engine",
        "kingcobra.api.batches",
        "kingcobra.api.board",
        "kingcobra.api.checked_position",
        "kingcobra.api.engine",
        "kingcobra.api.evaluation",
        "kingcobra.api.many",
        "kingcobra.tablebases",
    ],
)
def test_examples(module):
    result = doctest.testmod(importlib.import_module(module))
    assert result.attempted
    assert not result.failed


def test_names():
    assert set(kingcobra.__all__) == set(kingcobra._MODULES)
    for name in kingcobra.__all__:
        assert getattr(kingcobra, name) is not None
    assert kingcobra.__version__.split(".")[0].isdigit()
    with pytest.raises(AttributeError, match="no attribute 'Bored'"):
        kingcobra.Bored  # noqa: B018


def test_importing_the_package_imports_nothing_else():
    program = "import sys, kingcobra; print([m for m in sys.modules if m.startswith('kingcobra.')])"
    result = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert result.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "moves",
    [
        "e4 e5 Nf3 Nc6 Bb5 a6 Bxc6 dxc6 O-O f6 d4 exd4 Nxd4",
        "e2e4 c5 g1f3 d6 d4 c5d4",
        "e4 d5 e5 f5 exf6 Kf7 fxg7 Kg6 gxh8=Q",
        "f3 e5 g4 Qh4#",
        "d4 d5 Bf4 e6 Nc3 a6 Qd3 a5 0-0-0",
    ],
)
def test_push_takes_uci_and_san(moves):
    board, reference = Board(), chess.Board()
    for text in moves.split():
        assert board.push(text) is board
        try:
            reference.push_uci(text)
        except ValueError:
            reference.push_san(text.replace("0-0-0", "O-O-O"))
        assert board.fen() == reference.fen()


@pytest.mark.parametrize("text", ["e5", "Ke2", "e2e5", "", "O-O", "xyzzy", "e7e5", "exd3", "0000"])
def test_moves_that_are_none_are_named_and_change_nothing(text):
    board = Board()
    before = board.fen()
    with pytest.raises(MoveError, match=f"illegal move '{text}'"):
        board.push(text)
    assert board.fen() == before


def test_ambiguous_moves_are_named():
    board = Board("4k3/8/8/8/8/8/8/RN2K1NR w - - 0 1").push("Nf3").push("Kd8")
    with pytest.raises(MoveError, match="ambiguous move 'Nd2'"):
        board.push("Nd2")
    assert board.push("Nbd2").fen().startswith("3k4/8/8/8/8/5N2/3N4/R3K2R b")


def test_san_moves_are_python_chess_s():
    reference = chess.Board(KIWIPETE)
    expected = {reference.san(move) for move in reference.legal_moves}
    assert set(Board(KIWIPETE).san_moves()) == expected


def test_bad_fen_is_an_error_and_leaves_a_board_alone():
    with pytest.raises(FenError, match="'nonsense'"):
        Board("nonsense")
    board = Board(KIWIPETE)
    with pytest.raises(FenError, match="White has 0 kings"):
        board.set_fen("4k3/8/8/8/8/8/8/8 w - - 0 1")
    assert board.fen() == KIWIPETE


def test_perft():
    board = Board(KIWIPETE)
    assert [board.perft(depth) for depth in range(4)] == [1, 48, 2039, 97862]
    for depth in (-1, 65):
        with pytest.raises(ValueError, match=f"depth {depth}"):
            board.perft(depth)
    assert board.fen() == KIWIPETE


def test_chess960():
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    board = Board(fen, chess960=True)
    assert board.fen() == fen
    assert board.perft(2) == 528
    with pytest.raises(FenError, match="UCI_Chess960"):
        Board(fen)


def test_boards_are_independent():
    one, other = Board(), Board()
    one.push("e4")
    assert other.fen() == chess.STARTING_FEN
    assert repr(other) == f"Board('{chess.STARTING_FEN}')"


def test_a_level_that_cannot_run_is_one_line_and_no_error():
    result = subprocess.run(
        [sys.executable, "-c", "import kingcobra; print(kingcobra.Board().perft(2))"],
        capture_output=True,
        text=True,
        env=os.environ | {"KINGCOBRA_LEVEL": "pentium"},
    )
    assert (result.returncode, result.stdout) == (0, "400\n")
    (line,) = result.stderr.splitlines()
    assert line.startswith("kingcobra: KINGCOBRA_LEVEL=pentium cannot run here")


# --- a board as a Python object ---------------------------------------------------------------


@pytest.mark.parametrize("duplicate", [Board.copy, copy.copy, copy.deepcopy])
def test_a_copy_goes_its_own_way(duplicate):
    board = Board().push("Nf3").push("Nf6").push("Ng1").push("Ng8")
    twin = duplicate(board)
    assert twin.earlier_occurrences() == 1
    before = board.fen()
    twin.push("e4")
    assert board.fen() == before
    assert twin.fen() != before


def test_a_chess960_board_stays_one():
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    board = Board(fen, chess960=True)
    assert board.copy().chess960
    board.set_fen(board.fen())
    assert board.fen() == fen
    assert eval(repr(board)).fen() == fen


def test_a_board_comes_back_from_a_pickle():
    board = Board().push_game("1. e4 e5 2. Nf3")
    twin = pickle.loads(pickle.dumps(board))
    assert twin == board
    assert twin.move_stack == board.move_stack
    chess960 = Board(
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9", chess960=True
    )
    assert pickle.loads(pickle.dumps(chess960)) == chess960


def test_equal_boards_are_equal_and_hash_alike():
    board = Board().push_game("Nf3 Nf6 Ng1 Ng8")
    other = Board().push_game("Nc3 Nc6 Nb1 Nb8")
    assert board == other
    assert hash(board) == hash(other)
    assert board != Board()
    assert board != Board(board.fen(), chess960=True)
    assert board != board.fen()
    assert len({board, other, Board()}) == 2


def test_moves_are_taken_back():
    board = Board(KIWIPETE)
    for text in ("O-O", "hxg2", "Rfd1", "g1=Q+"):
        board.push(text) if text != "g1=Q+" else board.push("a8b8")
    assert board.peek() == "a8b8"
    assert [board.pop() for _ in range(4)] == ["a8b8", "f1d1", "h3g2", "e1g1"]
    assert board.fen() == KIWIPETE
    for method in (board.pop, board.peek):
        with pytest.raises(IndexError, match="no move"):
            method()


def test_moves_of_every_kind_can_be_asked_about():
    board = Board("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1")
    number = board.parse_move("e4d5")
    for move in (number, "e4d5", "exd5", chess.Move.from_uci("e4d5")):
        assert board.is_legal(move)
        assert board.is_capture(move)
        assert board.uci(move) == "e4d5"
        assert board.san(move) == "exd5"
        assert board.occurrences_before(move) == 0
        assert board.exchange_reaches(move, 50)
    for move in ("e4d6", "Nf3", "", chess.Move.null(), 0):
        assert not board.is_legal(move)


def test_python_chess_s_moves_are_moves():
    board = Board().push(chess.Move.from_uci("e2e4"))
    assert board.move_stack == ["e2e4"]
    with pytest.raises(MoveError, match="illegal move 'e2e4'"):
        board.push(chess.Move.from_uci("e2e4"))
    with pytest.raises(MoveError, match="illegal move '0000'"):
        board.push(chess.Move.null())


@pytest.mark.parametrize("chess960", [False, True])
def test_from_and_to_python_chess(chess960):
    chooser = random.Random(5)
    for _ in range(5):
        reference = chess.Board(chess960=chess960)
        if chess960:
            reference.set_chess960_pos(chooser.randrange(960))
        for _ in range(80):
            if reference.is_game_over():
                break
            reference.push(chooser.choice(list(reference.legal_moves)))
        board = Board.from_chess(reference)
        assert board.fen() == reference.fen(shredder=chess960)
        assert board.to_chess() == reference
        assert board.to_chess().move_stack == reference.move_stack
    quiet = chess.Board()
    quiet.push_san("e4")
    quiet.push(chess.Move.null())
    quiet.push_san("d4")
    assert Board.from_chess(quiet).move_stack == ["d2d4"]


def test_counters_and_turn():
    board, reference = Board(), chess.Board()
    for text in ("e4", "e5", "Nf3"):
        board.push(text)
        reference.push_san(text)
        assert board.turn is reference.turn
        assert board.fullmove_number == reference.fullmove_number
        assert board.halfmove_clock == reference.halfmove_clock
        assert board.ply() == reference.ply()
        assert board.epd() == reference.epd()


def test_a_notebook_shows_the_board():
    picture = Board().push_game("e4 e5 Qh5 Nc6 Qxf7")._repr_svg_()
    assert picture.startswith("<svg")
    # The last move and the king in check are marked.
    assert picture.count("lastmove") == 2
    assert "check" in picture


def test_printing_shows_the_diagram():
    assert " | r | n | b | q | k | b | n | r | 8" in str(Board()).splitlines()


@pytest.mark.parametrize("move", [0, -1, 65535, 2**64])
def test_numbers_that_are_no_moves_change_nothing(move):
    board = Board()
    with pytest.raises(MoveError, match=str(move)):
        board.play_move(move)
    assert board.fen() == chess.STARTING_FEN


# Every method that takes something, with arguments of the wrong kind and with those that are merely
# wrong. `board` is at the start of a game.
WRONG_TYPES = {
    "Board(None)": "fen None (NoneType)",
    "Board(b'8/8/8/8/8/8/8/8')": "fen b'8/8/8/8/8/8/8/8' (bytes)",
    "Board(chess.Board())": "(Board), expected FEN text",
    "Board(chess960='no')": "chess960 'no' (str)",
    "Board(chess960=None)": "chess960 None (NoneType)",
    "board.set_fen(None)": "fen None (NoneType)",
    "board.set_fen(board.fen(), 'no')": "chess960 'no' (str)",
    "board.push(3)": "move 3 (int)",
    "board.push(None)": "move None (NoneType)",
    "board.push_game(None)": "text None (NoneType)",
    "board.parse_san(3)": "move 3 (int)",
    "board.san(None)": "move None (NoneType)",
    "board.uci(None)": "move None (NoneType)",
    "board.variation_san([1.5])": "move 1.5 (float)",
    "board.set_packed('x')": "packed 'x' (str), expected 40 bytes",
    "board.is_repetition('3')": "count '3' (str)",
    "board.outcome(claim_draw=1)": "claim_draw 1 (int)",
    "board.is_game_over(claim_draw=None)": "claim_draw None (NoneType)",
    "board.result(claim_draw='no')": "claim_draw 'no' (str)",
    "Board.from_chess('e4')": "board 'e4' (str), expected a chess.Board",
    "board.play(3)": "move 3 (int)",
    "board.parse_move(3)": "move 3 (int)",
    "board.play_move('e2e4')": "move 'e2e4' (str)",
    "board.is_legal(None)": "move None (NoneType)",
    "board.effect_of(1.5)": "move 1.5 (float)",
    "board.is_capture(None)": "move None (NoneType)",
    "board.occurrences_before(1.5)": "move 1.5 (float)",
    "board.exchange_reaches(None, 0)": "move None (NoneType)",
    "board.exchange_reaches(board.moves()[0], 'a pawn')": "threshold_cp 'a pawn' (str)",
    "board.moves('noisy')": "which 'noisy' (str)",
    "board.piece_at(None)": "square None (NoneType)",
    "board.piece_at(1.0)": "square 1.0 (float)",
    "board.perft('3')": "depth '3' (str)",
}
WRONG_VALUES = {
    "board.piece_at(-1)": "square -1, expected 0 (a1) to 63 (h8)",
    "board.piece_at(64)": "square 64, expected 0 (a1) to 63 (h8)",
    "board.piece_at('e9')": "square 'e9', expected a1 to h8",
    "board.piece_at('')": "square '', expected a1 to h8",
    "board.moves(4)": "which 4",
    "board.moves(-1)": "which -1",
    "board.effect_of(0)": "illegal move 0",
    "board.effect_of(2**64)": "illegal move 18446744073709551616",
    "board.is_capture(-1)": "illegal move -1",
    "board.is_capture('exd5')": "illegal move 'exd5'",
    "board.push('e9\\n')": "illegal move 'e9?'",
    "board.exchange_reaches(65535, 0)": "illegal move 65535",
}


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [(call, TypeError, message) for call, message in WRONG_TYPES.items()]
    + [(call, ValueError, message) for call, message in WRONG_VALUES.items()],
)
def test_wrong_arguments_are_named_and_change_nothing(call, error, message):
    board = Board()
    with pytest.raises(error) as caught:
        eval(call)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert board.fen() == chess.STARTING_FEN
    assert board.perft(2) == 400


# What engine code calls with addresses and objects that it has made itself.
FOR_THE_ENGINE = {"copy_for", "copy_to"}


def test_every_method_that_takes_something_is_tried_with_what_is_wrong():
    tried = {call.partition("(")[0].rpartition(".")[2] for call in WRONG_TYPES}
    for name, method in inspect.getmembers(Board, inspect.isfunction):
        takes_something = len(inspect.signature(method).parameters) > 1
        if takes_something and not name.startswith("_") and name not in FOR_THE_ENGINE:
            assert name in tried


def test_a_square_is_a_number_or_a_name():
    board, reference = Board(KIWIPETE), chess.Board(KIWIPETE)
    letters = " PNBRQK  pnbrqk"
    for square, name in enumerate(chess.SQUARE_NAMES):
        piece = reference.piece_at(square)
        assert letters[board.piece_at(square)] == (piece.symbol() if piece else " ")
        assert board.piece_at(name) == board.piece_at(square)


def test_numbers_beyond_all_moves_and_exchanges():
    board = Board()
    assert not board.is_legal(2**64 + board.moves()[0])
    assert board.exchange_reaches(board.moves()[0], -(2**70))
    assert not board.exchange_reaches(board.moves()[0], 2**70)


def test_completion_offers_the_names():
    assert dir(kingcobra) == sorted(kingcobra.__all__)


@pytest.mark.parametrize("depth", [-1, 65])
def test_depths_that_cannot_be_counted(depth):
    with pytest.raises(ValueError, match=str(depth)):
        Board().perft(depth)


def test_a_depth_that_is_not_an_integer_is_refused():
    with pytest.raises(TypeError, match="integer"):
        Board().perft(3.0)


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_an_interrupt_ends_a_perft():
    program = (
        "import kingcobra; board = kingcobra.Board()\n"
        "try: print('ready', flush=True); board.perft(12)\n"
        "except KeyboardInterrupt: print('interrupted', board.perft(2))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout.readline() == "ready\n"
        time.sleep(LONG_ENOUGH_TO_COUNT_S)
        child.send_signal(signal.SIGINT)
        assert child.communicate(timeout=PATIENCE_S)[0] == "interrupted 400\n"


@pytest.mark.parametrize("text", ["e4 e5 Nf3 Nc6", "Nf3 Nf6 Ng1 Ng8 Nf3", "Nf3 Nf6 Ng1 Ng8 " * 150])
def test_an_engine_s_copy_has_the_past_that_matters(core, text):
    """A board's record is shorter or longer than the one that a search works on."""
    board = Board().push_game(text)
    played = PositionHandle(core)
    for move in board.move_stack:
        played.play(move)
    copied = board.copy_for(core)
    assert copied.fen() == played.fen() == board.fen()
    assert copied.legal_moves() == played.legal_moves()
    draws_by_repetition = 2
    assert min(copied.earlier_occurrences(), draws_by_repetition) == min(
        played.earlier_occurrences(), draws_by_repetition
    )
    for _ in range(100):
        copied.play(copied.legal_moves()[0])
    assert board.fen() == played.fen()

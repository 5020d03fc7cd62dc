# SPDX-License-Identifier: GPL-3.0-or-later
"""position, d and flip with a real engine, python-chess beside it."""

import random

import chess
import pytest

START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
LONG_GAME_PLIES = 6_000
SEED = 20


def random_game(seed, plies):
    """A legal game; it begins anew from the start position where it is over."""
    chooser = random.Random(seed)
    board = chess.Board()
    while len(board.move_stack) < plies:
        moves = list(board.legal_moves)
        if moves:
            # Quiet moves of pieces keep a game going.
            calm = [move for move in moves if not board.is_zeroing(move)]
            board.push(chooser.choice(calm if calm and chooser.random() < 0.995 else moves))
        else:
            board.reset()
    return board


# --- bad positions ----------------------------------------------------------------------------

BAD_POSITIONS = {
    # FEN: the part that the error quotes
    "": "FEN is empty",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 extra": "7 fields",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w KQkq - 0 1": "'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP'",
    "rnbqkbnr/pppppppp/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "9 ranks",
    "rnbqkbnr/pppppppp/8/8/8/7/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "'7'",
    "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "'ppppppppp'",
    "rnbqkbnr/pppppppp/8/44p/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "'44p'",
    "rnbqkbnr/pppppppp/8/9/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "'9'",
    "rnbqkbnr/pppxpppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "'x' in rank 'pppxpppp'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR white KQkq - 0 1": "'white'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR wb KQkq - 0 1": "'wb'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQ1BNR w kq - 0 1": "White has 0 kings",
    "rnbq1bnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1": "Black has 0 kings",
    "8/8/8/8/8/8/8/8 w - - 0 1": "'8/8/8/8/8/8/8/8'",
    "rnbqkbnr/pppppppp/8/8/8/4K3/PPPPPPPP/RNBQKBNR w kq - 0 1": "White has 2 kings",
    "4k2k/8/8/8/8/8/8/4K3 w - - 0 1": "Black has 2 kings",
    "3Pk3/8/8/8/8/8/8/4K3 w - - 0 1": "pawn on d8",
    "4k3/8/8/8/8/8/8/p3K3 w - - 0 1": "pawn on a1",
    "4k3/8/8/8/8/8/8/4K2P w - - 0 1": "pawn on h1",
    "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1": "side that has just moved is in check",
    "4k3/8/8/8/8/8/8/4K2r b - - 0 1": "side that has just moved is in check",
    "8/8/8/3kK3/8/8/8/8 w - - 0 1": "side that has just moved is in check",
    "4k3/8/8/8/8/8/8/4K3 w K - 0 1": "'K'",
    "4k2r/8/8/8/8/8/8/4K3 w q - 0 1": "'q'",
    "4k3/8/8/8/8/8/8/3K3R w K - 0 1": "'K'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkqx - 0 1": "'KQkqx'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KK - 0 1": "'KK'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w K- - 0 1": "'K-'",
    "rnbqkbnr/pppp1ppp/8/4p3/8/8/PPPPPPPP/RNBQKBNR w KQkq e3 0 1": "'e3'",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e6 0 1": "'e6'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq e9 0 1": "'e9'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -e 0 1": "'-e'",
    "rnbqkbnr/pppppppp/8/8/8/P7/PPPPPPPP/1NBQKBNR w Kkq - 0 1": "White has 9 pawns",
    "rnbqkbnr/pppppppp/8/8/8/N7/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "White has 17 men",
    "rnbqkbnr/pppppppp/n7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1": "Black has 17 men",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - x 1": "'x'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - -1 1": "'-1'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 one": "'one'",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 12345678": "'12345678'",
}


def test_bad_positions_are_one_line_that_quotes_and_the_old_position_stays(engine):
    engine.send(f"position fen {KIWIPETE} moves e1g1")
    before = engine.fen()
    for fen, quoted in BAD_POSITIONS.items():
        lines = engine.ask(f"position fen {fen} moves e2e4")
        assert len(lines) == 1, fen
        assert lines[0].startswith("info string error: "), fen
        assert quoted in lines[0], fen
        assert engine.fen() == before, fen


@pytest.mark.parametrize(
    ("command", "quoted"),
    [
        ("position", "nothing given"),
        ("position moves e2e4", "nothing given"),
        ("position start", "'start'"),
        ("position startpos e2e4", "'e2e4'"),
        (f"position {START}", "'rnbqkbnr/"),
    ],
)
def test_bad_commands_leave_the_position(engine, command, quoted):
    engine.send("position startpos moves e2e4")
    before = engine.fen()
    (line,) = engine.ask(command)
    assert line.startswith("info string error: position: ")
    assert quoted in line
    assert engine.fen() == before


@pytest.mark.parametrize(
    ("fen", "expected"),
    [
        # Merely unreachable, or merely strange.
        ("7k/8/8/8/8/8/8/QQQQKQQQ b - - 0 1", "7k/8/8/8/8/8/8/QQQQKQQQ b - - 0 1"),
        ("4k3/8/8/8/8/8/1q1n4/K1B5 w - - 99 9999", "4k3/8/8/8/8/8/1q1n4/K1B5 w - - 99 9999"),
        # Missing fields take their defaults.
        ("4k3/8/8/8/8/8/8/4K3", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K3 b", "4k3/8/8/8/8/8/8/4K3 b - - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R b K", "4k3/8/8/8/8/8/8/4K2R b K - 0 1"),
        ("4k3/8/8/8/8/8/8/4K2R w K - 7", "4k3/8/8/8/8/8/8/4K2R w K - 7 1"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        # Castling in any order, or by the rooks' files.
        (START.replace("KQkq", "qkQK"), START),
        (START.replace("KQkq", "HAha"), START),
        # An en-passant square stays only where somebody can capture.
        (START.replace("w KQkq -", "w KQkq e6"), START),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"),
        ("8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 2", "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 2"),
    ],
)
def test_positions_that_are_accepted(engine, fen, expected):
    assert engine.ask(f"position fen {fen}") == []
    assert engine.fen() == expected


# --- moves ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moves", "played", "named"),
    [
        ("e2e4 e7e5 e4e5 g1f3", "e2e4 e7e5", "'e4e5' (number 3 of 4)"),
        ("e2e5", "", "'e2e5' (number 1 of 1)"),
        ("e2e4 e7", "e2e4", "'e7'"),
        ("e2e4 0000", "e2e4", "'0000'"),
        ("e2e4 e7e5q", "e2e4", "'e7e5q'"),
        ("e2e4 E7E5", "e2e4", "'E7E5'"),
        ("e2e4 Nf6", "e2e4", "'Nf6'"),
    ],
)
def test_an_illegal_move_ends_the_list_and_is_named(engine, moves, played, named):
    board = chess.Board()
    for move in played.split():
        board.push_uci(move)
    (line,) = engine.ask(f"position startpos moves {moves}")
    assert line.startswith("info string error: illegal move ")
    assert named in line
    assert engine.fen() == board.fen()


def test_every_position_command_begins_anew(engine):
    engine.send("position startpos moves e2e4", "position startpos moves d2d4")
    assert engine.fen().startswith("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b")


def test_promotion_letters(engine):
    for letter in "nbrqQ":
        assert engine.ask(f"position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8{letter}") == []
        assert engine.fen().startswith(letter.upper())
    (line,) = engine.ask("position fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8")
    assert "'a7a8'" in line


def test_a_long_game_of_nothing_but_knights(engine):
    shuffle = ["g1f3", "g8f6", "f3g1", "f6g8"]
    moves = shuffle * (LONG_GAME_PLIES // len(shuffle))
    assert engine.ask("position startpos moves " + " ".join(moves)) == []
    assert engine.fen() == START.replace(" 0 1", f" {LONG_GAME_PLIES} {LONG_GAME_PLIES // 2 + 1}")
    assert engine.perft(3) == 8902
    # And on from there.
    assert engine.ask("position startpos moves " + " ".join([*moves, "e2e4", "e7e5"])) == []
    assert engine.fen().split()[3:] == ["-", "0", str(LONG_GAME_PLIES // 2 + 2)]


def test_a_long_random_game(engine):
    board = random_game(SEED, LONG_GAME_PLIES)
    moves = " ".join(move.uci() for move in board.move_stack)
    assert engine.ask(f"position startpos moves {moves}") == []
    assert engine.fen() == board.fen()
    assert engine.perft(1) == board.legal_moves.count()


# --- d and flip -------------------------------------------------------------------------------


def test_d_shows_the_board_and_its_fields(engine):
    engine.send("position fen 4k3/8/8/8/8/5n2/3r4/4K2R w K - 3 7")
    lines = engine.ask("d")
    rows = [line for line in lines if line.startswith(" |")]
    assert [row.split("|")[1:9] for row in rows] == [
        [f" {board_row[2 * file]} ".replace(".", " ") for file in range(8)]
        for board_row in str(chess.Board("4k3/8/8/8/8/5n2/3r4/4K2R w K - 3 7")).splitlines()
    ]
    assert [row.split()[-1] for row in rows] == list("87654321")
    assert "Fen: 4k3/8/8/8/8/5n2/3r4/4K2R w K - 3 7" in lines
    assert lines[-1] == "Checkers: f3"
    assert engine.field("Checkers") == "f3"
    assert len(engine.field("Key")) == 16


def test_d_without_and_with_two_checkers(engine):
    assert engine.field("Checkers") == ""
    engine.send("position fen 4k3/8/8/8/4r3/5n2/8/4K3 w - - 0 1")
    assert set(engine.field("Checkers").split()) == {"e4", "f3"}


def test_key_is_of_the_position_not_of_its_past(engine):
    key = engine.field("Key")
    engine.send("position startpos moves g1f3 g8f6 f3g1 f6g8")
    assert engine.field("Key") == key
    engine.send("position startpos moves g1f3 g8f6")
    assert engine.field("Key") != key


FLIPPED = [
    START,
    KIWIPETE,
    "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2",
    "r3k3/8/8/8/8/8/8/4K2R b Kq - 5 20",
    "4k3/8/8/8/8/8/8/4K2R w K - 7 3",
]


@pytest.mark.parametrize("fen", FLIPPED)
def test_flip_is_a_mirror(engine, fen):
    engine.send(f"position fen {fen}", "flip")
    assert engine.fen() == chess.Board(fen).mirror().fen()
    engine.send("flip")
    assert engine.fen() == fen


# --- options that change positions ------------------------------------------------------------


ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
CASTLED = "r3k2r/8/8/8/8/8/8/R4RK1 b {} - 1 1"


@pytest.mark.parametrize("spelling", ["e1g1", "e1h1"])
def test_chess960_reads_castling_in_both_spellings(engine, spelling):
    engine.send("setoption name UCI_Chess960 value true")
    assert engine.ask(f"position fen {ROOKS} moves {spelling}") == []
    assert engine.fen() == CASTLED.format("ha")


def test_standard_chess_refuses_the_king_that_takes_its_rook(engine):
    (line,) = engine.ask(f"position fen {ROOKS} moves e1h1 e8g8")
    assert line == f"info string error: illegal move 'e1h1' (number 1 of 2) in {ROOKS}"
    assert engine.fen() == ROOKS
    assert engine.ask(f"position fen {ROOKS} moves e1g1") == []
    assert engine.fen() == CASTLED.format("kq")


def test_castling_is_written_as_the_option_says(engine):
    for value, long, short in (("true", "e1a1", "e1h1"), ("false", "e1c1", "e1g1")):
        engine.send(
            f"setoption name UCI_Chess960 value {value}",
            "position fen 4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            "go perft 1",
        )
        moves = {line.split(":")[0] for line in engine.wait_for("Nodes searched")[:-1]}
        castlings = {move for move in moves if move in ("e1a1", "e1c1", "e1g1", "e1h1")}
        assert castlings == {long, short}


def test_chess960_positions_need_the_option(engine):
    fen = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    (line,) = engine.ask(f"position fen {fen}")
    assert "'HFhf'" in line
    assert "UCI_Chess960 is off" in line
    assert engine.fen() == START
    engine.send("setoption name UCI_Chess960 value true")
    assert engine.ask(f"position fen {fen}") == []
    assert engine.fen() == fen
    assert engine.perft(3) == 12189


def test_ucinewgame_brings_back_the_start_position(engine):
    engine.send(f"position fen {KIWIPETE} moves e1g1", "setoption name Hash value 2")
    assert engine.ask("ucinewgame") == []
    assert engine.fen() == START
    engine.send("setoption name UCI_Chess960 value true", "ucinewgame")
    assert engine.fen() == START.replace("KQkq", "HAha")

# SPDX-License-Identifier: GPL-3.0-or-later
"""FEN both ways: what is read, what is refused and with which words, what becomes of noise."""

import re

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingcobra.board.fen import FenError
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.layout import MAX_MOVES
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.invariants import require_generators_agree
from tests.core.rules.positions import CHESS960, PERFT_FILES, STANDARD, START, perft_positions
from tests.core.rules.reference import UNPLAYABLE, crowded_boards, reference_fen

KINGS = "4k3/8/8/8/8/8/8/4K3"
ROOKS = "r3k2r/8/8/8/8/8/8/R3K2R"


# --- what is read and written -----------------------------------------------------------------


@pytest.mark.parametrize("fen", STANDARD)
def test_standard_examples_come_back(core: LoadedObject, fen: str) -> None:
    board = PositionHandle(core, fen)
    assert board.fen() == chess.Board(fen).fen()
    assert PositionHandle(core, board.fen()).fen() == board.fen()


@pytest.mark.parametrize("fen", CHESS960)
def test_chess960_examples_come_back(core: LoadedObject, fen: str) -> None:
    board = PositionHandle(core, fen, True)
    assert board.fen() == chess.Board(fen, chess960=True).shredder_fen()
    assert PositionHandle(core, board.fen(), True).fen() == board.fen()


@pytest.mark.parametrize("name", PERFT_FILES)
def test_data_positions_come_back(core: LoadedObject, name: str) -> None:
    for position in perft_positions(name):
        reference = chess.Board(position.fen, chess960=position.chess960)
        fen = PositionHandle(core, position.fen, position.chess960).fen()
        assert fen == reference_fen(reference)
        assert PositionHandle(core, fen, position.chess960).fen() == fen


@given(number=st.integers(0, 959))
def test_chess960_starts_in_both_spellings(core: LoadedObject, number: int) -> None:
    reference = chess.Board.from_chess960_pos(number)
    shredder = reference.shredder_fen()
    assert PositionHandle(core, shredder, True).fen() == shredder
    assert PositionHandle(core, reference.fen(), True).fen() == shredder
    assert (
        PositionHandle(core, shredder, True).key == PositionHandle(core, reference.fen(), True).key
    )


@pytest.mark.parametrize(
    ("castling", "written"),
    [
        # X-FEN: K and Q are the outermost rooks; a file names another one.
        ("KQkq", "HAha"),
        ("K", "H"),
        ("GBgb", "GBgb"),
        ("HQgq", "HAga"),
        ("GQkb", "GAhb"),
        # Any order is read.
        ("qkQK", "HAha"),
        ("bB", "Bb"),
        ("-", "-"),
    ],
)
def test_xfen_castling(core: LoadedObject, castling: str, written: str) -> None:
    fen = f"rr2k1rr/8/8/8/8/8/8/RR2K1RR w {castling} - 0 1"
    assert PositionHandle(core, fen, True).fen().split()[2] == written


@pytest.mark.parametrize("castling", ["HAha", "KQkq", "HQha", "AHkq", "kqKQ"])
def test_standard_castling_in_any_spelling(core: LoadedObject, castling: str) -> None:
    assert PositionHandle(core, f"{ROOKS} w {castling} - 0 1").fen() == f"{ROOKS} w KQkq - 0 1"


@pytest.mark.parametrize("fields", range(1, 7))
def test_missing_fields_take_their_defaults(core: LoadedObject, fields: int) -> None:
    given_fields = [KINGS, "b", "-", "-", "7", "9"][:fields]
    expected = given_fields + [KINGS, "w", "-", "-", "0", "1"][fields:]
    assert PositionHandle(core, " ".join(given_fields)).fen() == " ".join(expected)
    assert (
        PositionHandle(core, " ".join(given_fields)).fen()
        == chess.Board(" ".join(given_fields)).fen()
    )


def test_blanks_are_tolerated(core: LoadedObject) -> None:
    assert PositionHandle(core, "  " + START.replace(" ", " \t ") + "\r\n").fen() == START


@pytest.mark.parametrize(
    ("counters", "written"),
    [("0 0", "0 1"), ("99 1", "99 1"), ("100 200", "100 200"), ("007 010", "7 10")],
)
def test_counters(core: LoadedObject, counters: str, written: str) -> None:
    fen = f"{KINGS} w - - {counters}"
    assert PositionHandle(core, fen).fen() == f"{KINGS} w - - {written}" == chess.Board(fen).fen()


@pytest.mark.parametrize(
    "fen",
    [
        # Nobody near, capturable, capturable but pinned, would uncover the king on the rank.
        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
        "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1",
        "3k4/8/8/8/3pP3/8/8/3RK3 b - e3 0 1",
        "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
        # Check: the capture ends it, does not end it, blocks it.
        "8/8/8/5k2/3pP3/8/8/4K3 b - e3 0 1",
        "8/8/8/8/3pP1k1/8/5K2/6R1 b - e3 0 1",
        "8/8/8/6k1/3pP3/8/8/2B1K3 b - e3 0 1",
        "8/8/8/K2pP3/8/8/8/3k4 w - d6 0 2",
    ],
)
def test_useless_en_passant_squares_are_dropped(core: LoadedObject, fen: str) -> None:
    assert PositionHandle(core, fen).fen() == chess.Board(fen).fen()


@pytest.mark.parametrize(
    "fen",
    [
        # No pawn has just passed: none there, one of the wrong colour, squares occupied.
        "4k3/8/8/4P3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/8/3PP3/8/8/8/4K3 w - d6 0 1",
        "4k3/8/3n4/3pP3/8/8/8/4K3 w - d6 0 1",
        "4k3/3n4/8/3pP3/8/8/8/4K3 w - d6 0 1",
    ],
)
def test_en_passant_square_that_no_pawn_passed_is_dropped(core: LoadedObject, fen: str) -> None:
    board = PositionHandle(core, fen)
    assert board.fen().split()[3] == "-"
    reference = chess.Board(fen)
    assert reference.status() & chess.STATUS_INVALID_EP_SQUARE
    reference.ep_square = None
    assert sorted(board.legal_moves()) == sorted(map(reference.uci, reference.legal_moves))


# --- what is refused --------------------------------------------------------------------------

# The text, whether it is read as Chess960, and what the message must quote.
REFUSED = {
    "nothing": ("", False, "empty"),
    "blanks": (" \t ", False, "empty"),
    "too many fields": (f"{START} x", False, "7 fields"),
    "seven ranks": ("4k3/8/8/8/8/8/4K3 w - - 0 1", False, "'4k3/8/8/8/8/8/4K3'"),
    "nine ranks": ("4k3/8/8/8/8/8/8/8/4K3 w - - 0 1", False, "'4k3/8/8/8/8/8/8/8/4K3'"),
    "long rank": ("4k4/8/8/8/8/8/8/4K3 w - - 0 1", False, "'4k4'"),
    "longer rank": ("4k3/8/8/8/8/8/8/4KRRRR w - - 0 1", False, "'4KRRRR'"),
    "short rank": ("4k3/8/8/7/8/8/8/4K3 w - - 0 1", False, "'7'"),
    "empty rank": ("4k3/8/8//8/8/8/4K3 w - - 0 1", False, "''"),
    "digit nine": ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", False, "'9'"),
    "digit nought": ("4k30/8/8/8/8/8/8/4K3 w - - 0 1", False, "'0'"),
    "unknown man": ("4k3/8/8/3x4/8/8/8/4K3 w - - 0 1", False, "'x'"),
    "foreign digit": ("4k3/8/8/٨/8/8/8/4K3 w - - 0 1", False, "'٨'"),
    "no white king": ("4k3/8/8/8/8/8/8/8 w - - 0 1", False, "White has 0 kings"),
    "no black king": ("8/8/8/8/8/8/8/4K3 w - - 0 1", False, "Black has 0 kings"),
    "two white kings": ("4k3/8/8/8/8/8/8/2K1K3 w - - 0 1", False, "White has 2 kings"),
    "three black kings": ("k1k1k3/8/8/8/8/8/8/4K3 w - - 0 1", False, "Black has 3 kings"),
    "pawn on the first rank": ("4k3/8/8/8/8/8/8/p3K3 w - - 0 1", False, "a1"),
    "pawn on the last rank": ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", False, "h8"),
    "nine white pawns": ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", False, "White has 9 pawns"),
    "nine black pawns": ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", False, "Black has 9 pawns"),
    "seventeen men": ("4k3/8/8/8/8/N7/NNNNNNNN/NNNNKNNN w - - 0 1", False, "White has 17 men"),
    "no such side": (f"{KINGS} x - - 0 1", False, "'x'"),
    "capital side": (f"{KINGS} W - - 0 1", False, "'W'"),
    "both sides": (f"{KINGS} wb - - 0 1", False, "'wb'"),
    "White left in check": ("4k3/8/8/8/8/8/8/r3K3 b - - 0 1", False, "r3K3"),
    "Black left in check": ("4k2R/8/8/8/8/8/8/4K3 w - - 0 1", False, "4k2R"),
    "kings side by side": ("8/8/8/3kK3/8/8/8/8 w - - 0 1", False, "3kK3"),
    "right without rook": (f"{KINGS} w K - 0 1", False, "'K'"),
    "right without king": ("r3k2r/8/8/8/8/8/4K3/R6R w Q - 0 1", False, "'Q'"),
    "king on another square": ("r3k2r/8/8/8/8/8/8/R2K3R w Q - 0 1", False, "'Q'"),
    "rook of the other side": ("4k3/8/8/8/8/8/8/r3K3 w Q - 0 1", False, "'Q'"),
    "black right without rook": (f"{KINGS} w q - 0 1", False, "'q'"),
    "no such right": (f"{ROOKS} w KX - 0 1", False, "'X'"),
    "right twice": (f"{ROOKS} w KK - 0 1", False, "'KK'"),
    "right in two spellings": (f"{ROOKS} w KH - 0 1", False, "'KH'"),
    "dash and right": (f"{ROOKS} w K- - 0 1", False, "'-'"),
    "Chess960 in standard chess": ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GB - 0 1", False, "'GB'"),
    "no rook on that file": ("1r2k1r1/8/8/8/8/8/8/1R2K1R1 w HB - 0 1", True, "'HB'"),
    "no rook on that wing": ("4k3/8/8/8/8/8/8/4K1R1 w Q - 0 1", True, "'Q'"),
    "two rooks of one wing": ("4k3/8/8/8/8/8/8/4K1RR w HG - 0 1", True, "'HG'"),
    "king off its rank": ("4k3/8/8/8/8/8/4K3/R6R w A - 0 1", True, "'A'"),
    "no square": (f"{KINGS} w - e9 0 1", False, "'e9'"),
    "words for a square": (f"{KINGS} w - none 0 1", False, "'none'"),
    "White's rank for White": ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", False, "'e3'"),
    "Black's rank for Black": ("4k3/8/8/4p3/8/8/8/4K3 b - e6 0 1", False, "'e6'"),
    "the pawn's own rank": ("4k3/8/8/4p3/8/8/8/4K3 w - e5 0 1", False, "'e5'"),
    "negative clock": (f"{KINGS} w - - -1 1", False, "'-1'"),
    "words for a clock": (f"{KINGS} w - - few 1", False, "'few'"),
    "broken clock": (f"{KINGS} w - - 1.5 1", False, "'1.5'"),
    "foreign clock": (f"{KINGS} w - - ٣ 1", False, "'٣'"),
    "huge clock": (f"{KINGS} w - - 12345678901234567890 1", False, "'12345678901234567890'"),
    "words for a move": (f"{KINGS} w - - 0 one", False, "'one'"),
    "negative move": (f"{KINGS} w - - 0 -3", False, "'-3'"),
    "huge move": (f"{KINGS} w - - 0 {10**30}", False, f"'{10**30}'"),
}


@pytest.mark.parametrize("kind", REFUSED)
def test_refused_with_the_offending_part(core: LoadedObject, kind: str) -> None:
    fen, chess960, quotation = REFUSED[kind]
    board = PositionHandle(core)
    board.play("e2e4")
    before = bytes(board.record)
    with pytest.raises(FenError, match=re.escape(quotation)) as raised:
        board.set_fen(fen, chess960)
    assert "\n" not in str(raised.value)
    assert bytes(board.record) == before


@pytest.mark.parametrize(
    "noise", ["x" * 10_000, "/" * 10_000, "8" * 10_000, "k " * 5_000, "\0" * 10_000, START * 180]
)
def test_noise_is_quoted_briefly(core: LoadedObject, noise: str) -> None:
    with pytest.raises(FenError) as raised:
        PositionHandle(core, noise)
    assert len(str(raised.value)) < 200


# --- what is merely unreachable ---------------------------------------------------------------


@pytest.mark.parametrize(
    "fen",
    [
        "QQQQQQQQ/QQQQQQQ1/8/8/8/8/6np/5K1k b - - 0 1",
        "kn6/pp6/8/1Q1Q1Q1Q/Q1Q1Q1Q1/2Q1Q1Q1/3Q1Q1Q/2Q4K w - - 0 1",
        "nnnnknnn/nnnnnnnn/8/8/8/8/NNNNNNNN/NNNNKNNN w - - 0 1",
        "rrrrkrrr/rrrrrrrr/8/8/8/8/RRRRRRRR/RRRRKRRR b - - 0 1",
        "bbbbkbbb/bbbbbbbb/8/8/8/8/BBBBBBBB/BBBBKBBB w - - 0 1",
        # Three checkers, two pawns that check, a pawn structure without a past.
        "4k3/8/4r3/1b6/7q/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/3p1p2/4K3 w - - 0 1",
        "4k3/8/P7/P7/P7/P7/P7/4K3 b - - 0 1",
        "8/8/8/8/8/8/8/K1k5 w - - 0 1",
    ],
)
def test_unreachable_positions_are_accepted(core: LoadedObject, fen: str) -> None:
    board, reference = PositionHandle(core, fen), chess.Board(fen)
    assert board.fen() == reference.fen()
    assert sorted(board.legal_moves()) == sorted(map(reference.uci, reference.legal_moves))
    require_generators_agree(board)


FORTRESS = {chess.A8: "k", chess.B8: "n", chess.A7: "p", chess.B7: "p"}


@settings(max_examples=200)
@given(
    squares=st.lists(
        st.sampled_from([square for square in chess.SQUARES if square not in FORTRESS]),
        min_size=16,
        max_size=16,
        unique=True,
    )
)
def test_fifteen_queens(core: LoadedObject, squares: list[int]) -> None:
    """No list overflows, wherever the queens stand around a king that they cannot check."""
    reference = chess.Board(None)
    for square, symbol in FORTRESS.items():
        reference.set_piece_at(square, chess.Piece.from_symbol(symbol))
    king, *queens = squares
    reference.set_piece_at(king, chess.Piece.from_symbol("K"))
    for square in queens:
        reference.set_piece_at(square, chess.Piece.from_symbol("Q"))
    if reference.status() & UNPLAYABLE:
        with pytest.raises(FenError):
            PositionHandle(core, reference.fen())
        return
    board = PositionHandle(core, reference.fen())
    moves = board.legal_moves()
    assert len(moves) <= MAX_MOVES
    assert sorted(moves) == sorted(map(reference.uci, reference.legal_moves))


# --- noise ------------------------------------------------------------------------------------


def accepted(core: LoadedObject, fen: str, chess960: bool) -> PositionHandle | None:
    """The board, or None when the text is refused with one line."""
    try:
        return PositionHandle(core, fen, chess960)
    except FenError as error:
        message = str(error)
    assert message
    assert "\n" not in message or "\n" in fen
    return None


def require_sound(board: PositionHandle, text: str, chess960: bool) -> None:
    """python-chess agrees about the position, about its moves, and that it can be played."""
    reference = chess.Board(board.fen(), chess960=chess960)
    assert not reference.status() & UNPLAYABLE
    assert sorted(board.legal_moves()) == sorted(map(reference.uci, reference.legal_moves))
    assert reference_fen(reference) == board.fen()
    try:
        direct = chess.Board(" ".join(text.split()), chess960=chess960)
    except ValueError:
        return
    if direct.status() & chess.STATUS_INVALID_EP_SQUARE:
        direct.ep_square = None
    assert reference_fen(direct) == board.fen()


@settings(max_examples=500)
@given(text=st.text(max_size=100), chess960=st.booleans())
def test_any_text_at_all(core: LoadedObject, text: str, chess960: bool) -> None:
    board = accepted(core, text, chess960)
    if board is not None:
        require_sound(board, text, chess960)


EDITS = st.lists(
    st.tuples(
        st.sampled_from(["replace", "insert", "delete", "swap"]),
        st.integers(0, 99),
        st.sampled_from("pnbrqkPNBRQK12345678/ wb-KQkqAHahBGbg36eEd09x\té"),
    ),
    min_size=1,
    max_size=4,
)


def edited(text: str, edits: list[tuple[str, int, str]]) -> str:
    """The text with small accidents."""
    letters = list(text)
    for kind, place, letter in edits:
        index = place % max(len(letters), 1)
        if kind == "insert" or not letters:
            letters.insert(index, letter)
        elif kind == "replace":
            letters[index] = letter
        elif kind == "delete":
            del letters[index]
        else:
            letters[index], letters[index - 1] = letters[index - 1], letters[index]
    return "".join(letters)


def test_small_accidents(core: LoadedObject) -> None:
    verdicts = {True: 0, False: 0}

    @settings(max_examples=3000)
    @given(fen=st.sampled_from(STANDARD + CHESS960), edits=EDITS, chess960=st.booleans())
    def accidents(fen: str, edits: list[tuple[str, int, str]], chess960: bool) -> None:
        text = edited(fen, edits)
        board = accepted(core, text, chess960)
        verdicts[board is not None] += 1
        if board is not None:
            require_sound(board, text, chess960)

    accidents()
    assert min(verdicts.values()) > 100, "one of the two outcomes was hardly tried"


@settings(max_examples=200)
@given(reference=crowded_boards())
def test_positions_without_a_past(core: LoadedObject, reference: chess.Board) -> None:
    board = PositionHandle(core, reference.fen())
    require_sound(board, reference.fen(), False)

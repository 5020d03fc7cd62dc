# SPDX-License-Identifier: GPL-3.0-or-later
"""FEN around the compiled reader (core/notation): its defaults, and its errors in words. Every
error quotes the part of the text that is wrong."""

import ctypes

from kingcobra.board.quick_calls import address_of, ascii_bytes
from kingcobra.core.notation import layout as fen_errors
from kingcobra.core.notation.layout import ERROR_MASK, MAX_COUNTER, OFFSET_SHIFT
from kingcobra.core.rules.basics import (
    A8,
    COLOURS,
    FILES,
    PAWN,
    RANKS,
    WHITE,
    file_of,
    piece_of,
    rank_of,
)
from kingcobra.core.rules.layout import Setup
from kingcobra.errors import KingcobraError
from kingcobra.text_values import quoted

START_FEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

PIECE_LETTERS = "PNBRQK"
PIECE_CODES = {
    letter if colour == WHITE else letter.lower(): piece_of(colour, PAWN + index)
    for colour in range(COLOURS)
    for index, letter in enumerate(PIECE_LETTERS)
}
LETTERS = {code: letter for letter, code in PIECE_CODES.items()}
SIDE_LETTERS = "wb"
COLOUR_NAMES = ("White", "Black")
FILE_LETTERS = "abcdefgh"
CASTLING_LETTERS = "KQ"

FIELD_DEFAULTS = ("", "w", "-", "-", "0", "1")
# The rank of an en-passant square as text has it, by the side to move.
EN_PASSANT_RANKS = {"w": 6, "b": 3}


class FenError(KingcobraError, ValueError):
    """Text that is not a position, or a position that cannot be played."""


def square_name(square: int) -> str:
    """0 -> 'a1'."""
    return FILE_LETTERS[file_of(square)] + str(rank_of(square) + 1)


def square_number(name: str) -> int | None:
    """'a1' -> 0; None for anything else."""
    if len(name) != 2 or name[0] not in FILE_LETTERS or name[1] not in "12345678":
        return None
    return FILE_LETTERS.index(name[0]) + FILES * (int(name[1]) - 1)


def parse_fen(text: str, chess960: bool) -> Setup:
    """What the text describes, read by the compiled reader's source as plain Python. That takes
    milliseconds and needs no compiled object; position_handle.described takes microseconds.
    FenError for everything that is wrong with the text itself, not for a side that has just moved
    and is in check."""
    from kingcobra.core.notation.entries import describe_fen

    setup = Setup()
    data = ascii_bytes(text)
    text_address = address_of(data)
    fault = int(describe_fen(ctypes.addressof(setup), text_address, len(data), int(chess960)))
    if fault:
        raise fen_error(text, fault, chess960)
    return setup


def flipped_fen(fen: str) -> str:
    """The same position seen from the other side: ranks mirrored, colours, rights and the side to
    move swapped. Takes a FEN that Kingcobra wrote."""
    placement, side, castling, en_passant, fifty, full_move = fen.split()
    placement = "/".join(reversed(placement.split("/"))).swapcase()
    side = SIDE_LETTERS[1 - SIDE_LETTERS.index(side)]
    # White's letters come first.
    castling = "".join(sorted(castling.swapcase(), key=str.islower))
    if en_passant != "-":
        en_passant = en_passant[0] + str(RANKS + 1 - int(en_passant[1]))
    return f"{placement} {side} {castling} {en_passant} {fifty} {full_move}"


# --- errors in words --------------------------------------------------------------------------


def fen_error(text: str, fault: int, chess960: bool) -> FenError:
    """What the compiled reader found wrong with the text, as an exception."""
    number, offset = fault & ERROR_MASK, fault >> OFFSET_SHIFT
    return FenError(_words(number, text, offset, chess960))


def _words(number: int, text: str, offset: int, chess960: bool) -> str:
    fields = text.split()
    if number == fen_errors.EMPTY_TEXT:
        return "FEN is empty"
    if number == fen_errors.TOO_MANY_FIELDS:
        return f"FEN has {len(fields)} fields, at most 6 expected: {quoted(text)}"
    if number == fen_errors.OPPONENT_IN_CHECK:
        return f"the side that has just moved is in check: {quoted(text)}"
    if number <= fen_errors.PAWN_ON_LAST_RANK:
        placement = fields[0]
        return _words_about_men(number, placement, offset - text.index(placement))
    if number == fen_errors.WRONG_SIDE:
        return f"FEN side to move {quoted(fields[1])}, expected w or b"
    if number == fen_errors.CASTLING_IMPOSSIBLE:
        return f"FEN castling {quoted(fields[2])}: {_missing_for_castling(text[offset], chess960)}"
    if number == fen_errors.CASTLING_REPEATED:
        return f"FEN castling {quoted(fields[2])}: '{text[offset]}' repeats a right"
    if number == fen_errors.NOT_A_SQUARE:
        return f"FEN en-passant square {quoted(fields[3])} is not a square"
    if number == fen_errors.WRONG_EN_PASSANT_RANK:
        side = fields[1]
        return (
            f"FEN en-passant square {quoted(fields[3])} is not on rank {EN_PASSANT_RANKS[side]}"
            f" ({COLOUR_NAMES[SIDE_LETTERS.index(side)]} to move)"
        )
    name = "halfmove clock" if number == fen_errors.WRONG_HALFMOVE_CLOCK else "move number"
    field = fields[4] if number == fen_errors.WRONG_HALFMOVE_CLOCK else fields[5]
    return f"FEN {name} {quoted(field)}, expected a number from 0 to {MAX_COUNTER}"


def _words_about_men(number: int, placement: str, offset: int) -> str:
    """Errors of the first field; the offset is within it."""
    ranks = placement.split("/")
    if number == fen_errors.WRONG_RANKS:
        return f"FEN board has {len(ranks)} ranks, 8 expected: {quoted(placement)}"
    rank = ranks[placement.count("/", 0, offset)]
    if number == fen_errors.WRONG_LETTER:
        return f"FEN board has {quoted(placement[offset])} in rank {quoted(rank)}"
    if number == fen_errors.WRONG_RANK_LENGTH:
        return f"FEN rank {quoted(rank)} does not have 8 squares"
    return f"{_wrong_men(number, placement)}: {quoted(placement)}"


def _wrong_men(number: int, placement: str) -> str:
    """Which men there are too many or too few of, White's first."""
    if number == fen_errors.PAWN_ON_LAST_RANK:
        return f"pawn on {_square_of_wrong_pawn(placement)}"
    counts = [
        {
            fen_errors.WRONG_KINGS: placement.count(king),
            fen_errors.TOO_MANY_PAWNS: placement.count(pawn),
            fen_errors.TOO_MANY_MEN: sum(1 for letter in placement if is_own(letter)),
        }[number]
        for king, pawn, is_own in (("K", "P", str.isupper), ("k", "p", str.islower))
    ]
    limits = {
        fen_errors.WRONG_KINGS: ("kings", "1 expected", 1),
        fen_errors.TOO_MANY_PAWNS: ("pawns", "at most 8 expected", fen_errors.MAX_PAWNS),
        fen_errors.TOO_MANY_MEN: ("men", "at most 16 expected", fen_errors.MAX_MEN),
    }
    what, expected, most = limits[number]
    is_exact = number == fen_errors.WRONG_KINGS
    wrong = [count != most if is_exact else count > most for count in counts].index(True)
    return f"{COLOUR_NAMES[wrong]} has {counts[wrong]} {what}, {expected}"


def _square_of_wrong_pawn(placement: str) -> str:
    """The first pawn on the first rank, or else on the eighth."""
    eighth, *_, first = placement.split("/")
    for rank, first_square in ((first, 0), (eighth, A8)):
        men = "".join("." * int(letter) if letter.isdigit() else letter for letter in rank)
        for file, letter in enumerate(men):
            if letter in "Pp":
                return square_name(first_square + file)
    raise AssertionError(f"no pawn on a last rank in {placement}")


def _missing_for_castling(letter: str, chess960: bool) -> str:
    if letter.upper() not in CASTLING_LETTERS and letter.lower() not in FILE_LETTERS:
        return f"{quoted(letter)} is not a castling right"
    if chess960:
        return f"no king and rook on the first rank for '{letter}'"
    return f"no king and rook on their squares for '{letter}' (UCI_Chess960 is off)"

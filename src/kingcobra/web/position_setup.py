# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions that somebody has set up: what is wrong with them, in words, and what they leave to
choose."""

from typing import Any

import chess

from kingcobra.web.errors import WebError

FAULTS = {
    chess.STATUS_EMPTY: "the board is empty",
    chess.STATUS_NO_WHITE_KING: "White has no king",
    chess.STATUS_NO_BLACK_KING: "Black has no king",
    chess.STATUS_TOO_MANY_KINGS: "a side has more than one king",
    chess.STATUS_TOO_MANY_WHITE_PAWNS: "White has more than eight pawns",
    chess.STATUS_TOO_MANY_BLACK_PAWNS: "Black has more than eight pawns",
    chess.STATUS_PAWNS_ON_BACKRANK: "a pawn stands on the first or the last rank",
    chess.STATUS_TOO_MANY_WHITE_PIECES: "White has more than sixteen men",
    chess.STATUS_TOO_MANY_BLACK_PIECES: "Black has more than sixteen men",
    chess.STATUS_BAD_CASTLING_RIGHTS: "a king or rook with the right to castle is not at its place",
    chess.STATUS_INVALID_EP_SQUARE: "no pawn has just passed the en passant square",
    chess.STATUS_OPPOSITE_CHECK: "the side that is not to move is in check",
    chess.STATUS_TOO_MANY_CHECKERS: "more than two men give check",
    chess.STATUS_IMPOSSIBLE_CHECK: "no move can have led to this check",
}
RIGHTS = "KQkq"
# A game that goes on from here stays within what the engine counts.
MOST_NUMBER = 9999
BIG_NUMBER = f"a move number or halfmove clock is above {MOST_NUMBER}"


def board_of_fen(fen: str, chess960: bool) -> chess.Board:
    """The position of a FEN. WebError says what is wrong with it."""
    try:
        board = chess.Board(fen.strip(), chess960=chess960)
    except ValueError as error:
        raise WebError(f"FEN: {error}") from None
    require_playable(board)
    return board


def require_playable(board: chess.Board) -> None:
    """WebError unless a game could go on from here."""
    found = faults(board)
    if found:
        raise WebError(f"this is not a position of a game: {', '.join(found)}")


def faults(board: chess.Board) -> list[str]:
    """All that keeps a position from being one of a game."""
    status = board.status()
    if status & chess.STATUS_EMPTY:
        return [FAULTS[chess.STATUS_EMPTY]]
    found = [words for flag, words in FAULTS.items() if status & flag]
    if max(board.fullmove_number, board.halfmove_clock) > MOST_NUMBER:
        found.append(BIG_NUMBER)
    return found


def setup_message(fen: str, chess960: bool) -> dict[str, Any]:
    """What a page shows beside a position that is being set up: its fault, or an empty text, and
    the rights to castle and the en passant squares that its men allow."""
    message: dict[str, Any] = {"kind": "setup", "fen": fen, "chess960": chess960}
    try:
        board = chess.Board(fen, chess960=chess960)
    except ValueError as error:
        return {**message, "fault": str(error), "castling": "", "en_passant": []}
    return {
        **message,
        "fault": "; ".join(faults(board)),
        "castling": possible_castling(board),
        "en_passant": possible_en_passant(board),
    }


def possible_castling(board: chess.Board) -> str:
    """Of `KQkq`, the rights that kings and rooks allow where they stand."""
    found = ""
    for right in RIGHTS:
        test = board.copy(stack=False)
        test.set_castling_fen(right)
        if test.castling_rights and test.clean_castling_rights() == test.castling_rights:
            found += right
    return found


def possible_en_passant(board: chess.Board) -> list[str]:
    """The squares that an enemy pawn may just have passed, where a pawn can take it."""
    rank = 5 if board.turn == chess.WHITE else 2
    found = []
    for square in chess.SquareSet(chess.BB_RANKS[rank]):
        test = board.copy(stack=False)
        test.ep_square = square
        if (
            not test.status() & chess.STATUS_INVALID_EP_SQUARE
            and test.has_pseudo_legal_en_passant()
        ):
            found.append(chess.square_name(square))
    return found

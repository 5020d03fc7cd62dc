# SPDX-License-Identifier: GPL-3.0-or-later
"""python-chess beside Kingcobra: the same games on both boards, and how they are compared."""

from collections.abc import Iterable, Iterator

import chess
from hypothesis import strategies as st

from kingcobra.board.position_handle import PositionHandle
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.positions import CHESS960, STANDARD

CHESS960_STARTS = 960

UNPLAYABLE = (
    chess.STATUS_NO_WHITE_KING
    | chess.STATUS_NO_BLACK_KING
    | chess.STATUS_TOO_MANY_KINGS
    | chess.STATUS_TOO_MANY_WHITE_PAWNS
    | chess.STATUS_TOO_MANY_BLACK_PAWNS
    | chess.STATUS_PAWNS_ON_BACKRANK
    | chess.STATUS_TOO_MANY_WHITE_PIECES
    | chess.STATUS_TOO_MANY_BLACK_PIECES
    | chess.STATUS_OPPOSITE_CHECK
)


def reference_fen(reference: chess.Board) -> str:
    """FEN as Kingcobra should write it."""
    return reference.shredder_fen() if reference.chess960 else reference.fen()


def board_like(core: LoadedObject, reference: chess.Board) -> PositionHandle:
    """A Kingcobra board with the reference's position, without its past."""
    return PositionHandle(core, reference_fen(reference), reference.chess960)


def double_chess960_start(white: int, black: int) -> chess.Board:
    """The start position whose sides come from two numbers."""
    fen_white = chess.Board.from_chess960_pos(white).shredder_fen().split()
    fen_black = chess.Board.from_chess960_pos(black).shredder_fen().split()
    placement = "/".join(
        fen_black[0].split("/")[:4] + fen_white[0].split("/")[4:],
    )
    castling = fen_white[2][:2] + fen_black[2][2:]
    return chess.Board(f"{placement} w {castling} - 0 1", chess960=True)


def walk(
    core: LoadedObject, reference: chess.Board, choices: Iterable[int]
) -> Iterator[tuple[PositionHandle, chess.Board]]:
    """Plays the same moves on both boards; gives both at the start and after each move. Each
    choice picks one of the legal moves; the walk ends early where there is none."""
    board = board_like(core, reference)
    yield board, reference
    for choice in choices:
        moves = sorted(reference.legal_moves, key=chess.Move.uci)
        if not moves:
            return
        move = moves[choice % len(moves)]
        board.play(reference.uci(move))
        reference.push(move)
        yield board, reference


def moves_to_choose(max_plies: int) -> st.SearchStrategy[list[int]]:
    """Choices for a walk of up to that many plies, mostly of about half as many."""
    return st.lists(st.integers(0, 999), min_size=max_plies // 4, max_size=max_plies)


def standard_starts() -> st.SearchStrategy[chess.Board]:
    """Positions of standard chess."""
    return st.sampled_from(STANDARD).map(chess.Board)


def chess960_starts() -> st.SearchStrategy[chess.Board]:
    """Start positions of Chess960, of double Chess960, and positions of it from later on."""
    number = st.integers(0, CHESS960_STARTS - 1)
    return (
        number.map(chess.Board.from_chess960_pos)
        | st.builds(double_chess960_start, number, number)
        | st.sampled_from(CHESS960).map(lambda fen: chess.Board(fen, chess960=True))
    )


def any_starts() -> st.SearchStrategy[chess.Board]:
    """Positions of both variants."""
    return standard_starts() | chess960_starts()


def _board_of_men(
    men: list[tuple[int, chess.Piece]], kings: tuple[int, int], turn: chess.Color
) -> chess.Board:
    board = chess.Board(None)
    for square, piece in men:
        if piece.piece_type != chess.PAWN or 0 < chess.square_rank(square) < 7:
            board.set_piece_at(square, piece)
    for square, colour in zip(kings, chess.COLORS, strict=True):
        board.set_piece_at(square, chess.Piece(chess.KING, colour))
    board.turn = turn
    return board


def crowded_boards() -> st.SearchStrategy[chess.Board]:
    """Men thrown on the board in any way that can be played: far more pins, checks and exchanges
    than games have."""
    square = st.sampled_from(chess.SQUARES)
    piece = st.builds(
        chess.Piece, st.sampled_from(chess.PIECE_TYPES[:-1]), st.sampled_from(chess.COLORS)
    )
    men = st.lists(st.tuples(square, piece), min_size=6, max_size=20, unique_by=lambda man: man[0])
    kings = st.tuples(square, square)
    boards = st.builds(_board_of_men, men, kings, st.sampled_from(chess.COLORS))
    return boards.filter(lambda board: not board.status() & UNPLAYABLE)


def example_boards() -> list[chess.Board]:
    """All positions of both variants that the tests themselves hold."""
    return [chess.Board(fen) for fen in STANDARD] + [
        chess.Board(fen, chess960=True) for fen in CHESS960
    ]

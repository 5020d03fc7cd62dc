# SPDX-License-Identifier: GPL-3.0-or-later
"""Stockfish's `.binpack`: positions of games as chains of moves and differences of scores.

    file    chunks: b"BINP", size u32 (little-endian), chains
    chain   a position of 32 bytes, a number of further plies u16, and a bit string for these
    bits    highest first: for each ply the moving man among the mover's, the target among those it
            may reach, then the difference of scores in groups of four bits and one for "more"

Numbers are big-endian; signed ones keep their sign in the lowest bit. Positions are those of the
mover, and so are scores and results.
"""

import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import chess

MAGIC = b"BINP"
CHUNK_HEAD = struct.Struct("<4sI")
MAX_CHUNK_BYTES = 100 << 20
STEM = struct.Struct(">Q16sHHHH")
PLY_COUNT = struct.Struct(">H")

RESULT_SHIFT, PLY_MASK = 14, (1 << 14) - 1
RESULTS = {0: 0, 1: -1, 2: 1}
ORIGIN_SHIFT, TARGET_SHIFT, KIND_SHIFT = 8, 2, 14
SQUARE_MASK, PROMOTION_MASK = 63, 3
PROMOTION_KIND = 1
FIRST_PROMOTION = chess.KNIGHT
PROMOTIONS = 4
SCORE_BITS = 4
WORD_MASK, SIGN_BIT, SIGN_SHIFT = 0xFFFF, 0x8000, 15
# The score of positions that their makers left out.
NO_SCORE = 32_002

PLAIN_NIBBLES = 12
EN_PASSANT_PAWN, WHITE_CASTLING_ROOK, BLACK_CASTLING_ROOK, BLACK_KING_TO_MOVE = range(12, 16)


class BinpackError(ValueError):
    """Bytes that are no chain of positions."""


class Labelled(NamedTuple):
    """A position and its labels, both the mover's: a score in Stockfish's internal units, and the
    game's result, 1 for a win. The board must not be kept: it changes with the next position."""

    board: chess.Board
    move: chess.Move
    score: int
    result: int


def read_binpack(path: Path, fault: Callable[[str], None]) -> Iterator[Labelled]:
    """All positions of a file. A damaged chunk is given up at the damage; `fault` hears of it. May
    raise OSError."""
    with path.open("rb") as file:
        while head := file.read(CHUNK_HEAD.size):
            start = file.tell() - len(head)
            if len(head) < CHUNK_HEAD.size:
                fault(f"{path}: ends inside the head of a chunk at offset {start}")
                return
            magic, size = CHUNK_HEAD.unpack(head)
            if magic != MAGIC or size > MAX_CHUNK_BYTES:
                fault(f"{path}: no chunk at offset {start}")
                return
            data = file.read(size)
            if len(data) < size:
                fault(f"{path}: the chunk at offset {start} is cut short")
            try:
                yield from _positions_of(data)
            except BinpackError as error:
                fault(f"{path}: chunk at offset {start}: {error}; skipping the rest of it")


def _positions_of(data: bytes) -> Iterator[Labelled]:
    offset = 0
    while offset < len(data):
        if len(data) - offset < STEM.size + PLY_COUNT.size:
            raise BinpackError(f"a chain at byte {offset} is cut short")
        labelled = _stem(data, offset)
        (plies,) = PLY_COUNT.unpack_from(data, offset + STEM.size)
        offset += STEM.size + PLY_COUNT.size
        yield labelled
        bits = _Bits(data, offset)
        board, move, score, result = labelled
        for _ in range(plies):
            if not board.is_pseudo_legal(move):
                raise BinpackError(f"move {move.uci()} is not possible in {board.fen()}")
            board.push(move)
            move = _next_move(board, bits)
            score = _wrapped(-score + _signed(bits.number()))
            result = -result
            yield Labelled(board, move, score, result)
        offset += bits.bytes_read


def _stem(data: bytes, offset: int) -> Labelled:
    occupied, men, move, score, ply_and_result, fifty_plies = STEM.unpack_from(data, offset)
    board = _board(occupied, men)
    board.halfmove_clock = fifty_plies
    board.fullmove_number = (ply_and_result & PLY_MASK) // 2 + 1
    result = RESULTS.get(ply_and_result >> RESULT_SHIFT)
    if result is None or not board.is_valid():
        raise BinpackError(f"no position at byte {offset}")
    promotion = None
    if move >> KIND_SHIFT == PROMOTION_KIND:
        promotion = FIRST_PROMOTION + (move & PROMOTION_MASK)
    first = chess.Move(
        move >> ORIGIN_SHIFT & SQUARE_MASK, move >> TARGET_SHIFT & SQUARE_MASK, promotion
    )
    return Labelled(board, _spelled(board, first), _signed(score), result)


def _board(occupied: int, men: bytes) -> chess.Board:
    """A position from its squares and nibbles, the low one of a byte first."""
    if occupied.bit_count() > 2 * len(men):
        raise BinpackError(f"{occupied.bit_count()} men")
    board = chess.Board(None)
    for index, square in enumerate(chess.scan_forward(occupied)):
        nibble = men[index // 2] >> 4 * (index % 2) & 15
        if nibble < PLAIN_NIBBLES:
            piece = chess.Piece(nibble // 2 + chess.PAWN, nibble % 2 == 0)
        elif nibble == EN_PASSANT_PAWN:
            is_white = chess.square_rank(square) == 3
            piece = chess.Piece(chess.PAWN, is_white)
            board.ep_square = square - 8 if is_white else square + 8
        elif nibble == BLACK_KING_TO_MOVE:
            piece = chess.Piece(chess.KING, chess.BLACK)
            board.turn = chess.BLACK
        else:
            piece = chess.Piece(chess.ROOK, nibble == WHITE_CASTLING_ROOK)
            board.castling_rights |= chess.BB_SQUARES[square]
        board.set_piece_at(square, piece)
    return board


class _Bits:
    """Reads a bit string, highest bits first."""

    def __init__(self, data: bytes, offset: int) -> None:
        self._data = data
        self._offset = offset
        self._place = 0

    @property
    def bytes_read(self) -> int:
        """Bytes begun so far."""
        return -(-self._place // 8)

    def take(self, count: int) -> int:
        """The next bits as a number."""
        end = self._place + count
        last = -(-end // 8)
        window = self._data[self._offset + self._place // 8 : self._offset + last]
        if len(window) < last - self._place // 8:
            raise BinpackError("a chain is cut short")
        value = int.from_bytes(window, "big") >> (8 * last - end)
        self._place = end
        return value & (1 << count) - 1

    def choice(self, count: int) -> int:
        """One of `count` possibilities, in as few bits as these need."""
        chosen = self.take((count - 1).bit_length() if count > 1 else 0)
        if chosen >= count:
            raise BinpackError(f"possibility {chosen} of {count}")
        return chosen

    def number(self) -> int:
        """An unsigned number in groups of four bits, lowest first."""
        value = shift = 0
        while True:
            group = self.take(SCORE_BITS + 1)
            value |= (group & (1 << SCORE_BITS) - 1) << shift
            if not group >> SCORE_BITS:
                return value & WORD_MASK
            shift += SCORE_BITS
            if shift > 16:
                raise BinpackError("a score without an end")


def _next_move(board: chess.Board, bits: _Bits) -> chess.Move:
    own = list(chess.scan_forward(board.occupied_co[board.turn]))
    origin = own[bits.choice(len(own))]
    kind = board.piece_type_at(origin)
    targets = list(chess.scan_forward(_targets(board, origin, kind)))
    if kind == chess.KING:
        return _king_move(board, origin, targets, bits)
    if kind == chess.PAWN and chess.square_rank(origin) == (6 if board.turn else 1):
        chosen = bits.choice(PROMOTIONS * len(targets))
        target, promotion = divmod(chosen, PROMOTIONS)
        return chess.Move(origin, targets[target], FIRST_PROMOTION + promotion)
    return chess.Move(origin, targets[bits.choice(len(targets))] if targets else origin)


def _targets(board: chess.Board, origin: int, kind: int | None) -> int:
    """Squares that a man may reach by its manner of moving, checks not heeded."""
    own = board.occupied_co[board.turn]
    if kind != chess.PAWN:
        return board.attacks_mask(origin) & ~own
    captured = board.occupied_co[not board.turn]
    if board.ep_square is not None and board.has_legal_en_passant():
        captured |= chess.BB_SQUARES[board.ep_square]
    reached = board.attacks_mask(origin) & captured
    step = 8 if board.turn else -8
    start = 1 if board.turn else 6
    if not board.occupied & chess.BB_SQUARES[origin + step]:
        reached |= chess.BB_SQUARES[origin + step]
        twice = origin + 2 * step
        if chess.square_rank(origin) == start and not board.occupied & chess.BB_SQUARES[twice]:
            reached |= chess.BB_SQUARES[twice]
    return reached


def _king_move(board: chess.Board, origin: int, targets: list[int], bits: _Bits) -> chess.Move:
    """A step, or castling: the long one first, where there is a right to it."""
    has_long = board.has_queenside_castling_rights(board.turn)
    castlings = [chess.C1] * has_long + [chess.G1] * board.has_kingside_castling_rights(board.turn)
    chosen = bits.choice(len(targets) + len(castlings))
    if chosen < len(targets):
        return chess.Move(origin, targets[chosen])
    target = castlings[chosen - len(targets)]
    return chess.Move(origin, target if board.turn else chess.square_mirror(target))


def _spelled(board: chess.Board, move: chess.Move) -> chess.Move:
    """Castling is stored as the king taking its rook; python-chess wants its own spelling."""
    try:
        return board.parse_uci(move.uci())
    except ValueError:
        return move


def _signed(value: int) -> int:
    """A signed number whose sign is the lowest bit and whose other bits are flipped if it is
    set."""
    word = value >> 1 | (value & 1) << SIGN_SHIFT
    return (word ^ WORD_MASK >> 1) - (1 << 16) if word & SIGN_BIT else word


def _wrapped(value: int) -> int:
    """As sixteen bits hold it."""
    return (value + SIGN_BIT) % (1 << 16) - SIGN_BIT

# SPDX-License-Identifier: GPL-3.0-or-later
"""Static exchange evaluation the slow way: pieces are really taken off a python-chess board."""

import chess

from kingcobra.board.position_handle import PositionHandle

VALUES_CP = {
    chess.PAWN: 100,
    chess.KNIGHT: 320,
    chess.BISHOP: 330,
    chess.ROOK: 500,
    chess.QUEEN: 950,
    chess.KING: 0,
}

NEAR_CP = (-1000, -101, -100, -10, -1, 0, 1, 10, 100, 101, 1000)
HUGE_CP = 1 << 40

# Pinned pieces with the sliders that pin them, by the colour of the pinned side.
Pins = dict[chess.Color, tuple[chess.SquareSet, chess.SquareSet]]


def exchange_value(board: chess.Board, move: chess.Move) -> int:
    """What a legal move and the captures that follow on its square gain the mover, both sides
    capturing with their least valuable piece and stopping when they like."""
    if board.is_castling(move):
        return 0
    pins = {colour: _pins(board, colour) for colour in chess.COLORS}
    after = board.copy(stack=False)
    gain = 0
    if board.is_capture(move):
        victim_square = move.to_square
        if board.is_en_passant(move):
            victim_square += -8 if board.turn == chess.WHITE else 8
        victim = after.remove_piece_at(victim_square)
        gain = VALUES_CP[victim.piece_type]
    mover = after.remove_piece_at(move.from_square)
    if move.promotion:
        gain += VALUES_CP[move.promotion] - VALUES_CP[chess.PAWN]
        mover = chess.Piece(move.promotion, board.turn)
    after.set_piece_at(move.to_square, mover)
    return gain - _best_reply(after, move.to_square, not board.turn, pins)


def _pins(board: chess.Board, colour: chess.Color) -> tuple[chess.SquareSet, chess.SquareSet]:
    """Pieces whose absence would let an enemy through to their king, and those enemies."""
    pinned, pinners = chess.SquareSet(), chess.SquareSet()
    king = board.king(colour)
    before = board.attackers(not colour, king)
    for square in chess.SquareSet(board.occupied_co[colour] & ~board.kings):
        without = board.copy(stack=False)
        without.remove_piece_at(square)
        uncovered = without.attackers(not colour, king) - before
        if uncovered:
            pinned.add(square)
            pinners |= uncovered
    return pinned, pinners


def _best_reply(board: chess.Board, target: int, colour: chess.Color, pins: Pins) -> int:
    """What the side gains by capturing on the target and going on, or 0 by leaving it."""
    candidates = board.attackers(colour, target)
    pinned, pinners = pins[colour]
    # A pinner that stood on the target has been captured; others leave their square only to
    # capture there.
    if any(square != target and board.piece_at(square) for square in pinners):
        candidates -= pinned
    if not candidates:
        return 0
    captor_square = min(candidates, key=lambda square: (board.piece_type_at(square), square))
    after = board.copy(stack=False)
    at_risk = VALUES_CP[after.piece_type_at(target)]
    captor = after.remove_piece_at(captor_square)
    if captor.piece_type == chess.KING and after.attackers(not colour, target):
        return 0
    after.set_piece_at(target, captor)
    return max(0, at_risk - _best_reply(after, target, not colour, pins))


def require_exchanges_like_twin(board: PositionHandle, reference: chess.Board) -> None:
    """Every legal move, asked about thresholds all around the twin's answer."""
    for twin in reference.legal_moves:
        move = board.parse_move(reference.uci(twin))
        value = exchange_value(reference, twin)
        thresholds = {value + near for near in NEAR_CP} | {-HUGE_CP, -1, 0, 1, HUGE_CP}
        for threshold in thresholds:
            assert board.exchange_reaches(move, threshold) == (value >= threshold), (
                reference.fen(),
                twin.uci(),
                value,
                threshold,
            )

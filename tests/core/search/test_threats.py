# SPDX-License-Identifier: GPL-3.0-or-later
"""What the opponent attacks, in plain Python, beside python-chess."""

import chess
import numpy as np
import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules import movegen, position
from kingcobra.core.rules.attacks import BISHOP_STEPS, ROOK_STEPS, walk
from kingcobra.core.rules.basics import KNIGHT, PAWN, QUEEN, ROOK
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.layout import QUIET, MoveList, Position
from kingcobra.core.search import threats as module
from kingcobra.core.search.layout import BY_ALL, BY_MINORS, BY_PAWNS, BY_ROOKS, THREAT_MAPS
from kingcobra.core.search.threats import THREAT_WEIGHTS, note_threats, threat_score
from kingcobra.kernel.records import record_at

FENS = [
    chess.STARTING_FEN,
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
]
ATTACKERS = {
    BY_PAWNS: [chess.PAWN],
    BY_MINORS: [chess.PAWN, chess.KNIGHT, chess.BISHOP],
    BY_ROOKS: [chess.PAWN, chess.KNIGHT, chess.BISHOP, chess.ROOK],
    BY_ALL: chess.PIECE_TYPES,
}
# Of the king's steps some are attacked, by a queen and a king too.
KINGS_STEPS = "8/8/8/8/2k5/q7/8/3RK2R w K - 0 1"
# A white pawn on d4 attacks e5; Black's pieces stand on e5 and a8.
PAWN_ATTACKS_E5 = "r3k3/8/8/4n3/3P4/8/8/4K3 b - - 0 1"


@pytest.fixture(autouse=True)
def slow_sliders(monkeypatch):
    """Attacks step by step: the table is filled in compiled code only."""

    def walker(steps):
        return lambda square, occupied: sum(
            (walk(square, *step, occupied) for step in steps), start=EMPTY
        )

    for user in (module, movegen, position):
        monkeypatch.setattr(user, "rook_attacks", walker(ROOK_STEPS))
        monkeypatch.setattr(user, "bishop_attacks", walker(BISHOP_STEPS))


def attacked_by(board, colour, piece_types):
    squares = chess.SquareSet()
    for piece_type in piece_types:
        for square in board.pieces(piece_type, colour):
            squares |= board.attacks(square)
    return int(squares)


def threats_in(core, fen):
    maps = [0] * THREAT_MAPS
    note_threats(PositionHandle(core, fen).record, maps)
    return maps


@pytest.mark.parametrize("fen", FENS)
@pytest.mark.parametrize("turn", [chess.WHITE, chess.BLACK])
def test_squares_agree_with_python_chess(core, fen, turn):
    board = chess.Board(fen)
    board.turn = turn
    threats = threats_in(core, board.fen())
    for number, piece_types in ATTACKERS.items():
        assert int(threats[number]) == attacked_by(board, not turn, piece_types)


@pytest.mark.parametrize("fen", [*FENS, KINGS_STEPS])
def test_quiet_moves_beside_attacked_squares(core, fen):
    board = PositionHandle(core, fen)
    attacked = np.uint64(threats_in(core, fen)[BY_ALL])
    moves = MoveList()
    twin = record_at(Position)(board.address)
    count = movegen.generate_quiet_beside(twin, moves, 0, attacked)
    assert moves.moves[:count] == list(board.moves(QUIET))
    assert moves.count == count


@pytest.mark.parametrize(
    ("piece_type", "origin", "target", "sign"),
    [
        (KNIGHT, "e5", "d7", 1),
        (KNIGHT, "d7", "e5", -1),
        (ROOK, "e5", "e7", 1),
        (QUEEN, "a8", "c5", -1),
        (QUEEN, "a8", "a7", 0),
        (PAWN, "e5", "e4", 0),
    ],
)
def test_leaving_and_entering_a_threat(core, piece_type, origin, target, sign):
    threats = threats_in(core, PAWN_ATTACKS_E5)
    squares = chess.parse_square(origin), chess.parse_square(target)
    assert threat_score(threats, piece_type, *squares) == sign * THREAT_WEIGHTS[piece_type]

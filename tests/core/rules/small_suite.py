# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules in small: trees of at most 20,000 leaves, short games, every entry point.

Run as a process, so that the core can run in any mode and at any level. The first failure ends it
with a traceback; otherwise its last line says what was run.
"""

import random
import sys

import chess
import numpy as np

from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.board.position_handle import CHECK, CHECKMATE, NOTHING, PositionHandle
from kingcobra.core.objects import CORE
from kingcobra.core.rules import attacks
from kingcobra.core.rules.basics import MOVE_CODES, SQUARES
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import target_level
from kingcobra.kernel.mode import OBJECT, current_mode
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.exchange_twin import require_exchanges_like_twin
from tests.core.rules.invariants import (
    require_generators_agree,
    require_legal_codes_are_the_moves,
    require_moves_leave_no_trace,
)
from tests.core.rules.reference import board_like, example_boards, reference_fen

MAX_LEAVES = 20_000
MADE_LEAVES = 400
MAX_DEPTH = 3
GAME_PLIES = 24
CODES_APART = 61
MOVE_BITS = 16
SEED = 20_000


def slow_perft(reference: chess.Board, depth: int) -> int:
    """Leaves by python-chess."""
    if depth == 1:
        return reference.legal_moves.count()
    leaves = 0
    for move in list(reference.legal_moves):
        reference.push(move)
        leaves += slow_perft(reference, depth - 1)
        reference.pop()
    return leaves


def check_perft(core: LoadedObject, reference: chess.Board) -> None:
    """Both counters, as deep as the leaves allow."""
    board = board_like(core, reference)
    counter = LeafCounter(core, board)
    expected = reference.legal_moves.count()
    branching = max(expected, 1)
    for depth in range(1, MAX_DEPTH + 1):
        if depth > 1:
            if expected * branching > MAX_LEAVES:
                break
            expected = slow_perft(reference, depth)
        assert counter.count(depth) == expected, (reference, depth)
        if expected <= MADE_LEAVES:
            assert counter.count_made(depth) == expected, reference


def sampled_codes(board: PositionHandle, choose: random.Random) -> set[int]:
    """Codes from everywhere, and all that differ from a legal move in one bit."""
    moves = board.moves()
    near = {move ^ 1 << place for move in moves for place in range(MOVE_BITS)}
    return near | set(moves) | set(range(choose.randrange(CODES_APART), MOVE_CODES, CODES_APART))


def check_moves(core: LoadedObject, reference: chess.Board, choose: random.Random) -> None:
    """Generators, legality, exchanges, make and unmake in one position."""
    board = board_like(core, reference)
    assert sorted(board.legal_moves()) == sorted(map(reference.uci, reference.legal_moves))
    require_generators_agree(board)
    require_legal_codes_are_the_moves(board, sampled_codes(board, choose))
    require_exchanges_like_twin(board, reference)
    require_moves_leave_no_trace(core, board)


def check_game(core: LoadedObject, reference: chess.Board, choose: random.Random) -> None:
    """A short game: FEN, checks, repetitions and material after each move."""
    board = board_like(core, reference)
    for _ in range(GAME_PLIES):
        moves = sorted(reference.legal_moves, key=chess.Move.uci)
        if not moves:
            break
        move = choose.choice(moves)
        effect = board.effect_of(board.parse_move(reference.uci(move)))
        board.play(reference.uci(move))
        reference.push(move)
        mate_or_check = CHECKMATE if reference.is_checkmate() else CHECK
        assert effect == (mate_or_check if reference.is_check() else NOTHING), reference
        assert board.fen() == reference_fen(reference)
        assert board.checkers() == sorted(reference.checkers())
        assert board.is_fifty_moves() == reference.is_fifty_moves()
        assert board.is_insufficient_material() == reference.is_insufficient_material()
        found = board.earlier_occurrences()
        assert reference.is_repetition(found + 1)
        assert not reference.is_repetition(found + 2)


def check_sliders() -> None:
    """The attack table, for every square and every occupancy of the squares that matter."""
    kinds = (
        (attacks.rook_attacks, attacks.ROOK_MASKS, chess.BB_RANK_ATTACKS, chess.BB_FILE_ATTACKS),
        (attacks.bishop_attacks, attacks.BISHOP_MASKS, chess.BB_DIAG_ATTACKS, None),
    )
    masks = (chess.BB_RANK_MASKS, chess.BB_FILE_MASKS, chess.BB_DIAG_MASKS)
    for attacked, relevant, first, second in kinds:
        for square in range(SQUARES):
            mask = int(relevant[square])
            occupied = 0
            while True:
                expected = first[square][
                    (masks[2] if second is None else masks[0])[square] & occupied
                ]
                if second is not None:
                    expected |= second[square][masks[1][square] & occupied]
                assert int(attacked(np.int64(square), np.uint64(occupied))) == expected, square
                occupied = (occupied - mask) & mask
                if not occupied:
                    break


def main() -> None:
    """All checks in all positions."""
    builder = Builder(CORE, report=lambda _text: None)
    core = builder.obtain()
    choose = random.Random(SEED)
    boards = example_boards()
    for reference in boards:
        check_perft(core, reference)
        check_moves(core, reference, choose)
        check_game(core, reference, choose)
    if current_mode() != OBJECT:
        check_sliders()
    assert "numba" not in sys.modules or current_mode() != OBJECT
    print(f"{current_mode()} {target_level().name}: {len(boards)} positions")


if __name__ == "__main__":
    main()

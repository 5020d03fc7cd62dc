# SPDX-License-Identifier: GPL-3.0-or-later
"""What must hold in every position, however it was reached and however the core runs."""

import ctypes
from collections.abc import Iterable

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import (
    CASTLING,
    CASTLINGS,
    EN_PASSANT,
    NO_PIECE,
    NO_SQUARE,
    PROMOTION,
    SQUARES,
    move_kind,
    move_to,
)
from kingcobra.core.rules.layout import ALL, EVASIONS, MAX_MOVES, NOISY, QUIET, Position, State
from kingcobra.kernel.objects import LoadedObject

STATE_FIELDS_OF_A_POSITION = (
    "key",
    "pawn_key",
    "minor_key",
    "non_pawn_key",
    "checkers",
    "blockers",
    "pinners",
    "fifty_plies",
    "castling_rights",
    "en_passant",
)
POSITION_FIELDS = ("by_type", "by_colour", "board", "side", "game_ply", "chess960")


def _value(record: ctypes.Structure, field: str) -> int | list[int]:
    value = getattr(record, field)
    return list(value) if isinstance(value, ctypes.Array) else value


def memory_up_to_now(board: PositionHandle) -> bytes:
    """The record's bytes, states above the present one apart: they are scratch."""
    end = Position.states.offset + (board.record.ply + 1) * ctypes.sizeof(State)
    return bytes(board.record)[:end]


# --- the record -------------------------------------------------------------------------------


def require_as_if_set_up(core: LoadedObject, board: PositionHandle) -> None:
    """The record equals one that is set up from the position's FEN."""
    fresh = PositionHandle(core, board.fen(), board.chess960)
    for field in POSITION_FIELDS:
        assert _value(board.record, field) == _value(fresh.record, field), (field, board)
    for field in STATE_FIELDS_OF_A_POSITION:
        assert _value(board.state, field) == _value(fresh.state, field), (field, board)
    _require_same_castling_tables(board, fresh)


def _require_same_castling_tables(board: PositionHandle, fresh: PositionHandle) -> None:
    """For the rights there still are: those that are lost leave their tables behind."""
    rights = board.state.castling_rights
    for right in range(CASTLINGS):
        if rights >> right & 1:
            for field in ("castling_rook", "castling_empty", "castling_safe"):
                assert _value(board.record, field)[right] == _value(fresh.record, field)[right]
    for square in range(SQUARES):
        assert (
            board.record.rights_kept[square] & rights == fresh.record.rights_kept[square] & rights
        )
    assert board.record.castling_keys[rights] == fresh.record.castling_keys[rights]


def replayed(men: list[int], state: State) -> list[int]:
    """The men of a board after the changes that a state records."""
    men = list(men)
    changes = range(state.dirty_count)
    for number in changes:
        origin = state.dirty_from[number]
        if origin != NO_SQUARE:
            assert men[origin] == state.dirty_piece[number]
            men[origin] = NO_PIECE
    for number in changes:
        target = state.dirty_to[number]
        if target != NO_SQUARE:
            assert men[target] == NO_PIECE
            men[target] = state.dirty_piece[number]
    return men


def _captured(men: list[int], move: int) -> int:
    if move_kind(move) == CASTLING:
        return NO_PIECE
    return men[move_to(move) ^ 8 if move_kind(move) == EN_PASSANT else move_to(move)]


def require_move_made_and_unmade(core: LoadedObject, board: PositionHandle, move: int) -> None:
    """A move leaves the record as if it had been set up, and taking it back leaves no trace."""
    memory = memory_up_to_now(board)
    men = list(board.record.board)
    since_null = board.state.plies_since_null
    core.make(board.address, move)
    require_as_if_set_up(core, board)
    state = board.state
    assert state.plies_since_null == since_null + 1
    assert state.captured == _captured(men, move)
    assert replayed(men, state) == list(board.record.board)
    core.unmake(board.address, move)
    assert memory_up_to_now(board) == memory


def require_pass_made_and_unmade(core: LoadedObject, board: PositionHandle) -> None:
    """The same for a pass of a side that is not in check."""
    memory = memory_up_to_now(board)
    fifty_plies = board.state.fifty_plies
    core.make_null(board.address)
    require_as_if_set_up(core, board)
    state = board.state
    assert (state.captured, state.dirty_count) == (NO_PIECE, 0)
    assert state.plies_since_null == 0
    assert state.fifty_plies == fifty_plies + 1
    assert board.earlier_occurrences() == 0
    core.unmake_null(board.address)
    assert memory_up_to_now(board) == memory


def require_moves_leave_no_trace(core: LoadedObject, board: PositionHandle) -> None:
    """Every legal move, and a pass where it is allowed."""
    for move in board.moves():
        require_move_made_and_unmade(core, board, move)
    if not board.is_check():
        require_pass_made_and_unmade(core, board)


# --- moves ------------------------------------------------------------------------------------


def require_generators_agree(board: PositionHandle) -> None:
    """Noisy and quiet moves are all moves; noisy ones are the captures and promotions."""
    everything = board.moves(ALL)
    noisy = board.moves(NOISY)
    quiet = board.moves(QUIET)
    assert len(everything) <= MAX_MOVES
    assert len(set(everything)) == len(everything)
    assert sorted(noisy + quiet) == sorted(everything)
    assert set(noisy) == {
        move for move in everything if board.is_capture(move) or move_kind(move) == PROMOTION
    }
    if board.is_check():
        assert sorted(board.moves(EVASIONS)) == sorted(everything)


def require_legal_codes_are_the_moves(board: PositionHandle, codes: Iterable[int]) -> None:
    """Of these 16-bit codes, those that pass for legal are the generated ones."""
    moves = set(board.moves())
    wrong = [code for code in codes if board.is_legal(code) != (code in moves)]
    assert not wrong, (board, wrong)

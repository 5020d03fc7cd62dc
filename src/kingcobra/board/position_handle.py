# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain Python's handle on a position in compiled memory.

The rules are not implemented here: every question about moves is a call into the compiled core.
"""

import ctypes
from typing import Any

from kingcobra.board.fen import START_FEN, FenError, fen_error, flipped_fen
from kingcobra.board.move_text import MoveError
from kingcobra.board.quick_calls import LOCAL, QuickCalls, ascii_bytes, quick_calls
from kingcobra.core.rules.basics import (
    CASTLING,
    EN_PASSANT,
    NO_PIECE,
    NO_SQUARE,
    NORTH,
    PAWN,
    SQUARES,
    move_kind,
    move_to,
    type_of,
)
from kingcobra.core.rules.layout import ALL, CHECK, CHECKMATE, NOTHING, Position, Setup, State
from kingcobra.kernel.objects import LoadedObject
from kingcobra.text_values import quoted

__all__ = ["CHECK", "CHECKMATE", "NOTHING", "FenError", "MoveError", "PositionHandle"]


DOUBLE_STEP = 2 * NORTH


def set_up(quick: QuickCalls, reference: Any, fen: str, chess960: bool) -> int:
    """Makes a record the position of the text. Returns the square of the en-passant field,
    NO_SQUARE if there is none. On FenError the record is meaningless."""
    data = ascii_bytes(fen)
    answer = quick.set_fen(reference, LOCAL.space.setup, data, len(data), chess960)
    if answer < 0:
        raise fen_error(fen, -answer, chess960)
    return answer


def described(core: LoadedObject, fen: str, chess960: bool) -> Setup:
    """What the text says, read by compiled code. FenError for everything that is wrong with the
    text itself, not for a side that has just moved and is in check."""
    setup = Setup()
    data = ascii_bytes(fen)
    reference = ctypes.byref(setup)
    fault = quick_calls(core).describe_fen(reference, data, len(data), chess960)
    if fault:
        raise fen_error(fen, fault, chess960)
    return setup


class PositionHandle:
    """A game: a position, and the past that still matters for repetitions."""

    def __init__(self, core: LoadedObject, fen: str = START_FEN, chess960: bool = False) -> None:
        self._core = core
        self._quick = quick_calls(core)
        self.set_fen(fen, chess960)

    # --- the position -------------------------------------------------------------------------

    @property
    def record(self) -> Position:
        """The record itself, for reading."""
        return self._position

    @property
    def state(self) -> State:
        """The record of the present ply: keys, checkers, pins, counters."""
        return self._position.states[self._position.ply]

    @property
    def address(self) -> int:
        """The record's address, for compiled code. `set_fen` and `flip` change it."""
        return self._address

    @property
    def chess960(self) -> bool:
        """Whether castling is spelled the Chess960 way."""
        return bool(self._position.chess960)

    def set_fen(self, fen: str, chess960: bool | None = None) -> None:
        """Replaces the game by a position without a past, in the same variant unless one is given.
        On FenError nothing changes."""
        position = Position()
        is_chess960 = self.chess960 if chess960 is None else chess960
        self._take(position, set_up(self._quick, ctypes.byref(position), fen, is_chess960))

    def _take(self, position: Position, passed_in_fen: int) -> None:
        self._position = position
        self._reference = ctypes.byref(position)
        self._address = ctypes.addressof(position)
        self._passed_in_fen = passed_in_fen

    def copy(self) -> "PositionHandle":
        """The same position with the same past, from now on independent."""
        return self.copy_for(self._core)

    def copy_for(self, core: LoadedObject) -> "PositionHandle":
        """The same for calls into another object, the engine's for example."""
        twin = PositionHandle(core)
        self.copy_to(twin.address)
        twin._passed_in_fen = self._passed_in_fen
        return twin

    def copy_to(self, address: int) -> None:
        """Writes the position, with the part of its past that matters, to a Position record."""
        ctypes.memmove(address, self._address, ctypes.sizeof(Position))

    def fen(self) -> str:
        """The position as FEN; the en-passant square appears only when it can be used."""
        space = LOCAL.space
        return space.written(self._quick.write_fen(self._reference, space.text))

    def flip(self) -> None:
        """Mirrors the ranks and swaps colours, rights and the side to move."""
        self.set_fen(flipped_fen(self.fen()))

    def __repr__(self) -> str:
        return f"PositionHandle({self.fen()!r})"

    @property
    def key(self) -> int:
        """Equal for positions that repeat each other, else different but for rare collisions."""
        return int(self.state.key)

    def square_passed_by_pawn(self) -> int:
        """The square behind a pawn that has just advanced two squares, NO_SQUARE where none has;
        whether anybody can take it there does not matter."""
        state = self.state
        if state.dirty_count == 0:
            return int(self._passed_in_fen)
        origin, target = state.dirty_from[0], state.dirty_to[0]
        is_double_step = (
            type_of(state.dirty_piece[0]) == PAWN
            and target != NO_SQUARE
            and abs(target - origin) == DOUBLE_STEP
        )
        return (origin + target) // 2 if is_double_step else NO_SQUARE

    def checkers(self) -> list[int]:
        """Squares of the pieces that give check."""
        word = self.state.checkers
        return [square for square in range(SQUARES) if word >> square & 1]

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return bool(self.checkers())

    # --- moves --------------------------------------------------------------------------------

    def moves(self, which: int = ALL) -> list[int]:
        """Legal moves as 16-bit numbers; `which` is one of layout's ALL, EVASIONS, NOISY, QUIET."""
        space = LOCAL.space
        count = self._core.generate(self._address, space.moves_address, which)
        return space.move_list.moves[:count]

    def legal_moves(self) -> list[str]:
        """Legal moves as UCI text."""
        space = LOCAL.space
        count = self._quick.write_uci_moves(self._reference, space.moves, space.text)
        return space.written(count).split()

    def is_legal(self, move: int) -> bool:
        """Whether sixteen bits are a legal move here."""
        return bool(self._core.is_legal(self._address, move))

    def parse_move(self, text: str) -> int:
        """The legal move that UCI text stands for; MoveError if there is none."""
        data = ascii_bytes(text)
        move = self._quick.read_uci_move(self._reference, data, len(data))
        if not move:
            raise MoveError(f"illegal move {quoted(text)}")
        return move

    def play(self, text: str) -> None:
        """Plays a move given as UCI text. On MoveError nothing changes."""
        self.play_move(self.parse_move(text))

    def play_move(self, move: int) -> None:
        """Plays a legal 16-bit move."""
        self._core.play(self._address, move)

    def effect_of(self, move: int) -> int:
        """Whether a legal move gives CHECK, CHECKMATE or NOTHING."""
        return self._core.effect_of(self._address, move, LOCAL.space.moves_address)

    def exchange_reaches(self, move: int, threshold_cp: int) -> bool:
        """Whether the exchange that a legal move starts gains at least that much."""
        return bool(self._core.exchange_reaches(self._address, move, threshold_cp))

    def piece_at(self, square: int) -> int:
        """The piece on a square, or NO_PIECE."""
        return int(self._position.board[square])

    def is_capture(self, move: int) -> bool:
        """Whether a legal move is a capture."""
        kind = move_kind(move)
        return kind == EN_PASSANT or (kind != CASTLING and self.piece_at(move_to(move)) != NO_PIECE)

    def occurrences_before(self, move: int) -> int:
        """How often the position after a legal move has stood on the board before."""
        after = Position.from_buffer_copy(self._position)
        address = ctypes.addressof(after)
        self._core.play(address, move)
        return self._core.earlier_occurrences(address)

    # --- draws --------------------------------------------------------------------------------

    def earlier_occurrences(self) -> int:
        """How often this position has occurred before; 2 means a threefold repetition."""
        return self._core.earlier_occurrences(self._address)

    def is_fifty_moves(self) -> bool:
        """Whether the game is drawn by the fifty-move rule; checkmate comes first."""
        return bool(self._core.is_fifty_moves(self._address, LOCAL.space.moves_address))

    def is_insufficient_material(self) -> bool:
        """Whether neither side can ever mate."""
        return bool(self._core.is_insufficient_material(self._address))

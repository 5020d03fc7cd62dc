# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.Board: a game to ask about and to play on.

Compiled code trusts its arguments, so all of them are checked here. One of the wrong type is a
TypeError; one of the right type with a wrong value is a ValueError, and FenError and MoveError are
subclasses of that. The message names the value, and the board stays as it was.
"""

import operator
import reprlib
import threading
from typing import NoReturn

from kingcobra.api.core import loaded_core
from kingcobra.board import position_handle as handle
from kingcobra.board import san
from kingcobra.board.diagram import diagram
from kingcobra.board.fen import START_FEN, FenError, square_number
from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.board.move_text import MoveError
from kingcobra.core.rules.basics import MOVE_CODES, SQUARES
from kingcobra.core.rules.layout import ALL, EVASIONS, NOISY, QUIET, Position
from kingcobra.text_values import quoted

__all__ = ["Board", "FenError", "MoveError"]

MOVE_KINDS = (ALL, EVASIONS, NOISY, QUIET)
# No exchange gains or loses that much.
MOST_CENTIPAWNS = 1_000_000


class Board(handle.PositionHandle):
    """A game: a position, and the past that still matters for repetitions.

    >>> board = Board("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    >>> sorted(move for move in board.san_moves() if move.endswith("#"))
    ['Qe8#', 'Qf8#', 'Qg7#', 'Qh7#']
    """

    def __init__(self, fen: str = START_FEN, *, chess960: bool = False) -> None:
        _require_text(fen, "fen", "FEN text")
        _require_bool(chess960)
        super().__init__(loaded_core(), fen, chess960)

    def set_fen(self, fen: str, chess960: bool | None = None) -> None:
        """Replaces the game by a position without a past, in the same variant unless one is given.
        On FenError nothing changes."""
        _require_text(fen, "fen", "FEN text")
        if chess960 is not None:
            _require_bool(chess960)
        super().set_fen(fen, chess960)

    def piece_at(self, square: int | str) -> int:
        """The piece on a square, given as a number, 0 for a1 to 63 for h8, or as a name such as
        'e4'. 0 is an empty square, 1 to 6 are White's pawn, knight, bishop, rook, queen and king,
        9 to 14 Black's."""
        return super().piece_at(_square(square))

    # --- moves --------------------------------------------------------------------------------

    def push(self, text: str) -> "Board":
        """Plays a move given as UCI text or SAN and returns the board. MoveError names text that
        is neither; nothing changes then."""
        try:
            move = self.parse_move(text)
        except MoveError:
            move = san.parse_san(self, text)
        super().play_move(move)
        return self

    def parse_move(self, text: str) -> int:
        """The legal move that UCI text stands for; MoveError if there is none."""
        _require_text(text, "move", "text such as 'e2e4'; play_move takes numbers")
        return super().parse_move(text)

    def moves(self, which: int = ALL) -> list[int]:
        """Legal moves as 16-bit numbers; `which` is one of layout's ALL, EVASIONS, NOISY, QUIET."""
        kind = _integer(which, "which")
        if kind not in MOVE_KINDS:
            raise ValueError(f"which {kind}, expected one of {', '.join(map(str, MOVE_KINDS))}")
        return super().moves(kind)

    def san_moves(self) -> list[str]:
        """Legal moves in standard algebraic notation."""
        return [san.format_san(self, move) for move in self.moves()]

    def is_legal(self, move: int) -> bool:
        """Whether a number is a legal move here."""
        code = _integer(move, "move")
        return 0 <= code < MOVE_CODES and super().is_legal(code)

    def play_move(self, move: int) -> None:
        """Plays a 16-bit move. MoveError, here and below, if it is not legal."""
        super().play_move(self._legal(move))

    def occurrences_before(self, move: int) -> int:
        """How often the position after a legal move has stood on the board before."""
        return super().occurrences_before(self._legal(move))

    def effect_of(self, move: int) -> int:
        """Whether a legal move gives CHECK, CHECKMATE or NOTHING."""
        return super().effect_of(self._legal(move))

    def exchange_reaches(self, move: int, threshold_cp: int) -> bool:
        """Whether the exchange that a legal move starts gains at least that much."""
        wanted = _integer(threshold_cp, "threshold_cp")
        bounded = max(-MOST_CENTIPAWNS, min(wanted, MOST_CENTIPAWNS))
        return super().exchange_reaches(self._legal(move), bounded)

    def is_capture(self, move: int) -> bool:
        """Whether a legal move is a capture."""
        return super().is_capture(self._legal(move))

    def _legal(self, move: int) -> int:
        if not self.is_legal(move):
            raise MoveError(f"illegal move {move}")
        return operator.index(move)

    def perft(self, depth: int) -> int:
        """The number of leaves of the tree of legal moves at that depth. Ctrl-C interrupts it."""
        depth = _integer(depth, "depth")
        counter = LeafCounter(loaded_core(), self)
        counts: list[int] = []
        thread = threading.Thread(target=lambda: counts.append(counter.count(depth)))
        counter.require_depth(depth)
        thread.start()
        try:
            thread.join()
        except KeyboardInterrupt:
            counter.stop()
            thread.join()
            raise
        return counts[0]

    # --- as a Python object -------------------------------------------------------------------

    def copy(self) -> "Board":
        """The same game, from now on independent: position, past and variant."""
        twin = Board()
        twin._take(Position.from_buffer_copy(self.record), self._passed_in_fen)
        return twin

    def __copy__(self) -> "Board":
        return self.copy()

    def __deepcopy__(self, _memo: object) -> "Board":
        return self.copy()

    def __reduce__(self) -> NoReturn:
        raise TypeError("a Board refers to compiled memory and cannot be pickled; keep its fen()")

    def __str__(self) -> str:
        return diagram(self)

    def __repr__(self) -> str:
        variant = ", chess960=True" if self.chess960 else ""
        return f"Board({self.fen()!r}{variant})"


# --- arguments --------------------------------------------------------------------------------


def _square(square: int | str) -> int:
    """The number of a square given by number or name."""
    if isinstance(square, str):
        found = square_number(square)
        if found is None:
            raise ValueError(f"square {quoted(square)}, expected a1 to h8")
        return found
    number = _integer(square, "square", "an integer or a name such as 'e4'")
    if not 0 <= number < SQUARES:
        raise ValueError(f"square {number}, expected 0 (a1) to {SQUARES - 1} (h8)")
    return number


def _integer(value: object, name: str, expected: str = "an integer") -> int:
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise _wrong_type(value, name, expected) from None


def _require_text(value: object, name: str, expected: str) -> None:
    if not isinstance(value, str):
        raise _wrong_type(value, name, expected)


def _require_bool(chess960: object) -> None:
    if not isinstance(chess960, bool):
        raise _wrong_type(chess960, "chess960", "True or False")


def _wrong_type(value: object, name: str, expected: str) -> TypeError:
    return TypeError(f"{name} {reprlib.repr(value)} ({type(value).__name__}), expected {expected}")

# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.Board: a game to ask about and to play on.

Compiled code trusts its arguments, so all of them are checked here. One of the wrong type is a
TypeError; one of the right type with a wrong value is a ValueError, and FenError and MoveError are
subclasses of that. The message names the value, and the board stays as it was.
"""

import ctypes
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from kingcobra.api.arguments import integer, require_bool, require_text, wrong_type
from kingcobra.api.checked_position import CheckedPosition, GivenMove, uci_of
from kingcobra.api.core import loaded_board
from kingcobra.api.game_record import FIRST_STATES, game_record, grown, write_position
from kingcobra.api.interruptible import interruptible
from kingcobra.board.diagram import diagram
from kingcobra.board.fen import START_FEN, FenError
from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.board.move_text import MoveError, format_move
from kingcobra.board.position_handle import set_up
from kingcobra.board.quick_calls import LOCAL, ascii_bytes, quick_calls
from kingcobra.core.notation.games.layout import AMBIGUOUS_MOVE, PACKED_BYTES
from kingcobra.core.notation.layout import ERROR_MASK, MOVE_BYTES, OFFSET_SHIFT
from kingcobra.core.rules.basics import MOVE_CODES, NO_SQUARE
from kingcobra.core.rules.layout import Position
from kingcobra.text_values import quoted

if TYPE_CHECKING:
    import chess

__all__ = ["Board", "FenError", "MoveError"]

NUMBERED = 1


class Board(CheckedPosition):
    """A game: a position, and the moves that led to it.

    >>> board = Board("7k/5Q2/6K1/8/8/8/8/8 w - - 0 1")
    >>> sorted(move for move in board.san_moves() if move.endswith("#"))
    ['Qe8#', 'Qf8#', 'Qg7#', 'Qh7#']
    >>> board.push("Qg7#").outcome()
    Outcome(termination=<Termination.CHECKMATE: 1>, winner=True)
    >>> board.pop()
    'f7g7'
    """

    def __init__(self, fen: str = START_FEN, *, chess960: bool = False) -> None:
        require_text(fen, "fen", "FEN text")
        require_bool(chess960, "chess960")
        self._core = loaded_board()
        self._quick = quick_calls(self._core)
        self._begin(fen, chess960)

    def _begin(self, fen: str, chess960: bool) -> None:
        """A new game from a position on. On FenError nothing changes."""
        record = game_record(FIRST_STATES)()
        passed_in_fen = set_up(self._quick, ctypes.byref(record), fen, chess960)
        self._start(record, passed_in_fen)

    def _start(self, record: Position, passed_in_fen: int) -> None:
        """A new game with a record of its own."""
        self._take(record, passed_in_fen)
        self._states = FIRST_STATES
        self._stack: list[int] = []

    # --- the position -------------------------------------------------------------------------

    def set_fen(self, fen: str, chess960: bool | None = None) -> None:
        """Replaces the game by a position without a past, in the same variant unless one is given.
        On FenError nothing changes."""
        require_text(fen, "fen", "FEN text")
        if chess960 is not None:
            require_bool(chess960, "chess960")
        self._begin(fen, self.chess960 if chess960 is None else chess960)

    def set_packed(self, packed: bytes) -> bool:
        """Replaces the game by a packed position (kingcobra.batches). Whether it is one; else
        nothing changes."""
        if not isinstance(packed, bytes) or len(packed) != PACKED_BYTES:
            raise wrong_type(packed, "packed", f"{PACKED_BYTES} bytes")
        record = game_record(FIRST_STATES)()
        reference = ctypes.byref(record)
        if not self._quick.unpack_position(reference, LOCAL.space.setup, packed):
            return False
        self._start(record, NO_SQUARE)
        return True

    # --- playing ------------------------------------------------------------------------------

    def push(self, move: "str | chess.Move") -> "Board":
        """Plays a move given as UCI text, as SAN, or as a chess.Move, and returns the board.
        MoveError names a move that is not legal; nothing changes then."""
        text = move if isinstance(move, str) else uci_of(move)
        self._make_room(1)
        data = ascii_bytes(text)
        code = self._quick.push_text(self._reference, data, len(data))
        if code <= 0:
            raise MoveError(f"{'ambiguous' if code < 0 else 'illegal'} move {quoted(text)}")
        self._stack.append(code)
        return self

    def push_game(self, text: str) -> "Board":
        """Plays all moves of a text as a PGN has it below its tags, and returns the board. Numbers,
        comments, variations and the result are skipped. MoveError names the first move that is not
        legal; nothing changes then.

        >>> Board().push_game("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6?? 4. Qxf7# 1-0").is_checkmate()
        True
        """
        require_text(text, "text", "the moves of a game")
        data = ascii_bytes(text)
        # A move has two characters at least, and a blank behind it.
        room = len(data) // 3 + 1
        self._make_room(room)
        moves = (ctypes.c_uint16 * room)()
        count = self._quick.push_game(self._reference, data, len(data), moves, room)
        if count < 0:
            raise game_error(text, -count)
        self._stack += moves[:count]
        return self

    def play(self, text: str) -> None:
        """Plays a move given as UCI text. On MoveError nothing changes."""
        self.play_move(self.parse_move(text))

    def play_move(self, move: int) -> None:
        """Plays a 16-bit move. MoveError, here and below, if it is not legal."""
        code = integer(move, "move")
        self._make_room(1)
        if not (0 <= code < MOVE_CODES and self._quick.push_move(self._reference, code)):
            raise MoveError(f"illegal move {move}")
        self._stack.append(code)

    def pop(self) -> str:
        """Takes the last move back and returns it as UCI text. IndexError if there is none."""
        if not self._stack:
            raise IndexError("no move to take back")
        move = self._stack.pop()
        self._quick.pop_move(self._reference, move)
        return format_move(move, self._position)

    def peek(self) -> str:
        """The last move as UCI text. IndexError if there is none."""
        if not self._stack:
            raise IndexError("no move has been played")
        return format_move(self._stack[-1], self._position)

    @property
    def move_stack(self) -> list[str]:
        """The moves that were played, as UCI text."""
        return [format_move(move, self._position) for move in self._stack]

    def _make_room(self, plies: int) -> None:
        """Room for so many moves, and one more for questions about the last position."""
        needed = len(self._stack) + plies + 2
        if needed > self._states:
            self._states = max(needed, 2 * self._states)
            self._take(grown(self._position, self._states), self._passed_in_fen)

    # --- lines and counts ---------------------------------------------------------------------

    def variation_san(self, moves: Iterable[GivenMove]) -> str:
        """Moves that follow each other, with move numbers. The board does not change.

        >>> Board().variation_san(["e2e4", "e7e5", "g1f3"])
        '1. e4 e5 2. Nf3'
        """
        twin = self.copy()
        for move in moves:
            twin.play_move(twin._code_of(move))
        codes = twin._stack[len(self._stack) :]
        self._make_room(len(codes))
        line = (ctypes.c_uint16 * len(codes))(*codes)
        # Each move may have a number before it.
        text = ctypes.create_string_buffer((len(codes) + 1) * 2 * MOVE_BYTES)
        count = self._quick.write_line(self._reference, line, len(codes), text, NUMBERED)
        return text.raw[:count].decode("ascii")

    def occurrences_before(self, move: GivenMove) -> int:
        """How often the position after a legal move has stood on the board before."""
        code = self._code_of(move)
        self._quick.push_move(self._reference, code)
        count = self._core.earlier_occurrences(self._address)
        self._quick.pop_move(self._reference, code)
        return count

    def perft(self, depth: int) -> int:
        """The number of leaves of the tree of legal moves at that depth. Ctrl-C interrupts it."""
        depth = integer(depth, "depth")
        counter = LeafCounter(self._core, self)
        counter.require_depth(depth)
        return interruptible(lambda: counter.count(depth), counter.stop)

    # --- the end of the game ------------------------------------------------------------------

    def has_legal_moves(self) -> bool:
        """Whether the side to move can move at all."""
        return self._quick.count_moves(self._reference) > 0

    def is_checkmate(self) -> bool:
        """Whether the side to move is mated."""
        return self.is_check() and not self.has_legal_moves()

    def is_stalemate(self) -> bool:
        """Whether the side to move has no move and is not in check."""
        return not self.is_check() and not self.has_legal_moves()

    def is_repetition(self, count: int = 3) -> bool:
        """Whether the position has stood on the board so often, this time included."""
        return self.earlier_occurrences() + 1 >= integer(count, "count")

    def outcome(self, *, claim_draw: bool = False) -> "chess.Outcome | None":
        """How the game has ended: checkmate, stalemate, insufficient material, 75 moves without a
        capture or pawn move, or a position for the fifth time. None if it goes on. With
        `claim_draw` also what a player may claim: 50 moves, or a third time."""
        from kingcobra.api.outcomes import outcome_of

        require_bool(claim_draw, "claim_draw")
        return outcome_of(self, claim_draw)

    def is_game_over(self, *, claim_draw: bool = False) -> bool:
        """Whether there is an outcome."""
        return self.outcome(claim_draw=claim_draw) is not None

    def result(self, *, claim_draw: bool = False) -> str:
        """'1-0', '0-1', '1/2-1/2', or '*' for a game that goes on."""
        outcome = self.outcome(claim_draw=claim_draw)
        return outcome.result() if outcome else "*"

    # --- python-chess -------------------------------------------------------------------------

    @classmethod
    def from_chess(cls, board: "chess.Board") -> "Board":
        """The game of a chess.Board, with its moves back to the last null move. FenError for a
        position that cannot be played."""
        from kingcobra.api.python_chess import from_chess

        return from_chess(board)

    def to_chess(self) -> "chess.Board":
        """The game as a chess.Board, with its moves.

        >>> Board().push("e4").to_chess().peek()
        Move.from_uci('e2e4')
        """
        from kingcobra.api.python_chess import to_chess

        return to_chess(self)

    def _repr_svg_(self) -> str:
        """The board as a picture, for notebooks: python-chess draws it."""
        from kingcobra.api.python_chess import board_svg

        return board_svg(self)

    # --- as a Python object -------------------------------------------------------------------

    def copy(self) -> "Board":
        """The same game, from now on independent: position, moves and variant."""
        twin = Board.__new__(Board)
        twin._core, twin._quick = self._core, self._quick
        twin._states, twin._stack = self._states, self._stack.copy()
        twin._take(type(self._position).from_buffer_copy(self._position), self._passed_in_fen)
        return twin

    def root(self) -> "Board":
        """The position that the game began with."""
        twin = self.copy()
        while twin._stack:
            twin.pop()
        return twin

    def copy_to(self, address: int) -> None:
        """Writes the position, with the part of its past that matters, to a Position record."""
        write_position(self._position, address)

    def __copy__(self) -> "Board":
        return self.copy()

    def __deepcopy__(self, _memo: object) -> "Board":
        return self.copy()

    def __reduce__(self) -> tuple[Callable[..., "Board"], tuple[Any, ...]]:
        return _restored, (self.root().fen(), self.chess960, tuple(self._stack))

    def __eq__(self, other: object) -> bool:
        """Equal positions with equal counters in the same variant; the moves before do not
        matter."""
        if not isinstance(other, Board):
            return NotImplemented
        return (
            self.key == other.key and self.chess960 == other.chess960 and self.fen() == other.fen()
        )

    def __hash__(self) -> int:
        """Follows the position: a board that serves as a key must not be played on."""
        return hash((self.key, self.halfmove_clock, self.ply()))

    def __str__(self) -> str:
        return diagram(self)

    def __repr__(self) -> str:
        variant = ", chess960=True" if self.chess960 else ""
        return f"Board({self.fen()!r}{variant})"


def _restored(fen: str, chess960: bool, moves: Iterable[int]) -> Board:
    """A pickled board."""
    board = Board(fen, chess960=chess960)
    for move in moves:
        board.play_move(move)
    return board


def game_error(text: str, fault: int) -> MoveError:
    """What is wrong with the moves of a game, as an exception."""
    number, offset = fault & ERROR_MASK, fault >> OFFSET_SHIFT
    kind = "ambiguous" if number == AMBIGUOUS_MOVE else "illegal"
    return MoveError(f"{kind} move {quoted(text[offset:].split()[0])} at character {offset + 1}")

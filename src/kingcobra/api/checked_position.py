# SPDX-License-Identifier: GPL-3.0-or-later
"""A position whose arguments are checked: compiled code trusts its own. One of the wrong type is a
TypeError; one of the right type with a wrong value is a ValueError, and MoveError is a subclass of
that. The message names the value."""

from typing import TYPE_CHECKING, TypeAlias, Union

from kingcobra.api.arguments import integer, require_text, square_of, wrong_type
from kingcobra.board.move_text import MoveError, format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.board.quick_calls import LOCAL, ascii_bytes
from kingcobra.core.rules.basics import MOVE_CODES, WHITE
from kingcobra.core.rules.layout import ALL, EVASIONS, NOISY, QUIET
from kingcobra.text_values import quoted

if TYPE_CHECKING:
    import chess

# A 16-bit number, UCI text, SAN, or python-chess's move.
GivenMove: TypeAlias = Union[int, str, "chess.Move"]

MOVE_KINDS = (ALL, EVASIONS, NOISY, QUIET)
# No exchange gains or loses that much.
MOST_CENTIPAWNS = 1_000_000
MOVE_EXPECTED = "text such as 'e2e4' or 'Nf3', or a chess.Move; play_move takes numbers"


class CheckedPosition(PositionHandle):
    """What can be asked about a position and its moves. A move is given as a 16-bit number, as UCI
    text, as SAN or as a chess.Move; MoveError names one that is not legal."""

    # --- the position -------------------------------------------------------------------------

    def epd(self) -> str:
        """The position without its counters: the first four fields of the FEN."""
        space = LOCAL.space
        return space.written(self._quick.write_epd(self._reference, space.text))

    @property
    def turn(self) -> bool:
        """True if White is to move, as chess.WHITE is."""
        return bool(self._position.side == WHITE)

    @property
    def fullmove_number(self) -> int:
        """The number of the move to come; White and Black together make one."""
        return int(self._position.game_ply) // 2 + 1

    @property
    def halfmove_clock(self) -> int:
        """Plies since the last capture or pawn move."""
        return int(self.state.fifty_plies)

    def ply(self) -> int:
        """Plies since the start of the game, by its move number."""
        return int(self._position.game_ply)

    def piece_at(self, square: int | str) -> int:
        """The piece on a square, given as a number, 0 for a1 to 63 for h8, or as a name such as
        'e4'. 0 is an empty square, 1 to 6 are White's pawn, knight, bishop, rook, queen and king,
        9 to 14 Black's."""
        return super().piece_at(square_of(square))

    def is_check(self) -> bool:
        """Whether the side to move is in check."""
        return bool(self.state.checkers)

    # --- moves --------------------------------------------------------------------------------

    def parse_move(self, text: str) -> int:
        """The legal move that UCI text stands for; MoveError if there is none."""
        require_text(text, "move", MOVE_EXPECTED)
        return super().parse_move(text)

    def parse_san(self, text: str) -> int:
        """The legal move that SAN stands for; MoveError if there is none, or more than one."""
        require_text(text, "move", MOVE_EXPECTED)
        data = ascii_bytes(text)
        code = self._quick.read_san(self._reference, data, len(data))
        if code <= 0:
            raise MoveError(f"{'ambiguous' if code < 0 else 'illegal'} move {quoted(text)}")
        return code

    def moves(self, which: int = ALL) -> list[int]:
        """Legal moves as 16-bit numbers; `which` is one of layout's ALL, EVASIONS, NOISY, QUIET."""
        kind = integer(which, "which")
        if kind not in MOVE_KINDS:
            raise ValueError(f"which {kind}, expected one of {', '.join(map(str, MOVE_KINDS))}")
        return super().moves(kind)

    def san_moves(self) -> list[str]:
        """Legal moves in standard algebraic notation."""
        space = LOCAL.space
        count = self._quick.write_san_moves(self._reference, space.moves, space.text)
        return space.written(count).split()

    def uci(self, move: GivenMove) -> str:
        """A legal move as UCI text."""
        return format_move(self._code_of(move), self._position)

    def san(self, move: GivenMove) -> str:
        """A legal move in standard algebraic notation.

        >>> from kingcobra import Board
        >>> Board().san("g1f3")
        'Nf3'
        """
        space = LOCAL.space
        code = self._code_of(move)
        return space.written(self._quick.write_san(self._reference, code, space.text))

    def is_legal(self, move: GivenMove) -> bool:
        """Whether a move is legal here.

        >>> from kingcobra import Board
        >>> Board().is_legal("Nf3"), Board().is_legal("e2e5")
        (True, False)
        """
        try:
            self._code_of(move)
        except MoveError:
            return False
        return True

    def effect_of(self, move: GivenMove) -> int:
        """Whether a legal move gives CHECK, CHECKMATE or NOTHING."""
        return super().effect_of(self._code_of(move))

    def exchange_reaches(self, move: GivenMove, threshold_cp: int) -> bool:
        """Whether the exchange that a legal move starts gains at least that much."""
        wanted = integer(threshold_cp, "threshold_cp")
        bounded = max(-MOST_CENTIPAWNS, min(wanted, MOST_CENTIPAWNS))
        return super().exchange_reaches(self._code_of(move), bounded)

    def is_capture(self, move: GivenMove) -> bool:
        """Whether a legal move is a capture."""
        return super().is_capture(self._code_of(move))

    def _code_of(self, move: GivenMove) -> int:
        """The legal move that is given."""
        if isinstance(move, str):
            data = ascii_bytes(move)
            code = self._quick.read_uci_move(self._reference, data, len(data))
            return code or self.parse_san(move)
        if hasattr(move, "uci"):
            return self.parse_move(uci_of(move))
        code = integer(move, "move", "a number, text or a chess.Move")
        if not (0 <= code < MOVE_CODES and super().is_legal(code)):
            raise MoveError(f"illegal move {move}")
        return code


def uci_of(move: object) -> str:
    """The text of a chess.Move. TypeError for what is none."""
    text = getattr(move, "uci", None)
    if not callable(text):
        raise wrong_type(move, "move", MOVE_EXPECTED)
    return str(text())

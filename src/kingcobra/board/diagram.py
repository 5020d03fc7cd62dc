# SPDX-License-Identifier: GPL-3.0-or-later
"""The board as a text diagram."""

from kingcobra.board.fen import FILE_LETTERS, LETTERS, square_name
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import FILES, NO_PIECE, RANKS

_RULE = " +" + "---+" * FILES


def diagram(board: PositionHandle) -> str:
    """The board with White below, then its FEN, key and checkers."""
    lines = [_RULE]
    for rank in reversed(range(RANKS)):
        men = (board.piece_at(rank * FILES + file) for file in range(FILES))
        cells = (LETTERS[man] if man != NO_PIECE else " " for man in men)
        lines += [f" | {' | '.join(cells)} | {rank + 1}", _RULE]
    lines += ["   " + "   ".join(FILE_LETTERS), ""]
    checkers = " ".join(square_name(square) for square in board.checkers())
    lines += [f"Fen: {board.fen()}", f"Key: {board.key:016X}", f"Checkers: {checkers}".rstrip()]
    return "\n".join(lines)

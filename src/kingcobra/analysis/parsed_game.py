# SPDX-License-Identifier: GPL-3.0-or-later
"""The text of a game as a tree of moves that can be annotated, or the reason why it cannot."""

from io import StringIO
from typing import NamedTuple

import chess
import chess.pgn

from kingcobra.text_values import quoted

# The longest game that the rules allow is shorter.
MOST_PLIES = 12_000


class BrokenGameError(Exception):
    """A game that cannot be annotated; the message says why, in one line."""


class ParsedGame(NamedTuple):
    """A game whose main line is sound: the boards of the main line, the first one before the first
    move, and what was wrong with variations."""

    tree: chess.pgn.Game
    boards: list[chess.Board]
    warnings: list[str]

    @property
    def nodes(self) -> list[chess.pgn.ChildNode]:
        """The moves of the main line."""
        return list(self.tree.mainline())


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps errors of the main line apart from those of variations."""

    def __init__(self) -> None:
        super().__init__(Game=chess.pgn.Game)
        self.main_errors: list[str] = []
        self.variation_errors: list[str] = []

    def handle_error(self, error: Exception) -> None:
        is_main = len(self.variation_stack) == 1
        (self.main_errors if is_main else self.variation_errors).append(str(error))


def parse_game(text: str) -> ParsedGame:
    """The first game of a text. BrokenGameError if there is none, if its main line has an error, or
    if it is not chess."""
    builder = _Builder()
    try:
        tree = chess.pgn.read_game(StringIO(text), Visitor=lambda: builder)
    except (ValueError, RecursionError) as error:
        raise BrokenGameError(_line(str(error))) from None
    if tree is None:
        raise BrokenGameError("no game in the text")
    if builder.main_errors:
        raise BrokenGameError(_line(builder.main_errors[0]))
    return ParsedGame(tree, _boards(tree), [_line(error) for error in builder.variation_errors])


def _boards(tree: chess.pgn.Game) -> list[chess.Board]:
    board = tree.board()
    if type(board) is not chess.Board:
        raise BrokenGameError(f"variant {quoted(tree.headers['Variant'])}, only chess is supported")
    boards = [board.copy(stack=False)]
    for move in tree.mainline_moves():
        if not move:
            raise BrokenGameError(f"a null move at ply {len(boards)}")
        board.push(move)
        boards.append(board.copy(stack=False))
        if len(boards) > MOST_PLIES:
            raise BrokenGameError(f"more than {MOST_PLIES} plies")
    return boards


def tags_of(tree: chess.pgn.Game) -> dict[str, str]:
    """The tags with quotes and backslashes as they are meant."""
    return {
        name: value.replace('\\"', '"').replace("\\\\", "\\")
        for name, value in tree.headers.items()
    }


def _line(text: str) -> str:
    return " ".join(text.split())

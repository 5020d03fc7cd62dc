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
    move, and what was wrong beside it."""

    tree: chess.pgn.Game
    boards: list[chess.Board]
    warnings: list[str]

    @property
    def nodes(self) -> list[chess.pgn.ChildNode]:
        """The moves of the main line."""
        return list(self.tree.mainline())


class _Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
    """Keeps errors, and can leave variations out."""

    def __init__(self, skips_variations: bool) -> None:
        super().__init__(Game=chess.pgn.Game)
        self._skips_variations = skips_variations
        self.errors: list[str] = []
        self.is_empty = True

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        self.is_empty = False
        super().visit_header(tagname, tagvalue)

    def visit_move(self, board: chess.Board, move: chess.Move) -> None:
        self.is_empty = False
        super().visit_move(board, move)

    def begin_variation(self) -> chess.pgn.SkipType | None:  # type: ignore[override]
        if self._skips_variations:
            return chess.pgn.SKIP
        super().begin_variation()
        return None

    def end_variation(self) -> None:
        if not self._skips_variations:
            super().end_variation()

    def handle_error(self, error: Exception) -> None:
        self.errors.append(" ".join(str(error).split()))


def parse_game(text: str) -> ParsedGame:
    """The first game of a text. BrokenGameError if there is none, if its main line has an error, or
    if it is not chess. With an error in a variation, all variations are left out."""
    tree, errors = _read(text, skips_variations=False)
    warnings = []
    if errors:
        # After an error in a variation python-chess loses its way in the main line, too.
        tree, main_errors = _read(text, skips_variations=True)
        if main_errors:
            raise BrokenGameError(main_errors[0])
        warnings.append(f"{errors[0]}; the variations of this game are left out")
    return ParsedGame(tree, _boards(tree), warnings)


def _read(text: str, skips_variations: bool) -> tuple[chess.pgn.Game, list[str]]:
    builder = _Builder(skips_variations)
    try:
        tree = chess.pgn.read_game(StringIO(text), Visitor=lambda: builder)
    except ValueError as error:
        raise BrokenGameError(" ".join(str(error).split())) from None
    if tree is None or (builder.is_empty and not builder.errors):
        raise BrokenGameError("neither tags nor moves in the text")
    return tree, builder.errors


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

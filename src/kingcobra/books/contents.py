# SPDX-License-Identifier: GPL-3.0-or-later
"""What a book holds: counts for all of it, and the moves of one position."""

from typing import NamedTuple

import chess
import chess.polyglot

from kingcobra.api.board import Board
from kingcobra.board.move_text import format_move
from kingcobra.books.games import legal_move
from kingcobra.engine.opening_book import HEADER_KEY, BookFile, book_moves

# Positions that a walk from the start visits at most: books with more are told as "or more".
WALK_LIMIT = 200_000


class Walk(NamedTuple):
    """What book moves lead to from the start position: at least this where the walk was ended."""

    reached: int
    deepest_ply: int
    is_complete: bool


class BookSummary(NamedTuple):
    """The size of a book."""

    entries: int
    positions: int
    most_moves: int
    heaviest: int
    learned: int
    walk: Walk


class ShownMove(NamedTuple):
    """A book move for people."""

    san: str
    uci: str
    weight: int
    share: float
    learn: int


def summary(book: BookFile) -> BookSummary:
    """Counts over the whole file, and over what is reached from the start position."""
    positions = most_moves = heaviest = learned = run = 0
    key_before = None
    for entry in book:
        if entry.key == HEADER_KEY:
            continue
        run = run + 1 if entry.key == key_before else 1
        positions += run == 1
        most_moves = max(most_moves, run)
        heaviest = max(heaviest, entry.weight)
        learned += entry.learn != 0
        key_before = entry.key
    return BookSummary(len(book), positions, most_moves, heaviest, learned, _walk(book))


def _walk(book: BookFile) -> Walk:
    """Breadth first, so that each position is met at its smallest ply."""
    start = chess.Board()
    seen = {chess.polyglot.zobrist_hash(start)}
    layer = [start]
    reached = ply = deepest = 0
    while layer:
        following: list[chess.Board] = []
        for board in layer:
            entries = book.entries_of(chess.polyglot.zobrist_hash(board))
            if not entries:
                continue
            reached += 1
            deepest = ply
            if reached >= WALK_LIMIT:
                return Walk(reached, deepest, is_complete=False)
            for entry in entries:
                after = board_after(board, entry.move_code)
                if after is None:
                    continue
                key = chess.polyglot.zobrist_hash(after)
                if key not in seen:
                    seen.add(key)
                    following.append(after)
        layer = following
        ply += 1
    return Walk(reached, deepest, is_complete=True)


def board_after(board: chess.Board, code: int) -> chess.Board | None:
    """The position after a book's move, None where the move is not legal."""
    move = legal_move(board, code)
    if move is None:
        return None
    after = board.copy(stack=False)
    after.push(move)
    return after


def shown_moves(book: BookFile, position: Board) -> list[ShownMove]:
    """The moves of a position, heaviest first, with their shares of all weight."""
    moves = book_moves(book, position)
    total = sum(choice.weight for choice in moves)
    return [
        ShownMove(
            san=position.san(choice.move),
            uci=format_move(choice.move, position.record),
            weight=choice.weight,
            share=choice.weight / total if total else 0.0,
            learn=choice.learn,
        )
        for choice in moves
    ]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening books: EPD or FEN lines, or PGN games, in an order that a seed determines. A book may
have hundreds of thousands of openings, so only those that are played are parsed."""

import io
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import chess
import chess.pgn

from kingcobra.arena.errors import read_text
from kingcobra.board.epd import position_lines

PGN_SUFFIX = ".pgn"
_TAG = re.compile(r'\[\w+\s+"')


class OpeningsError(ValueError):
    """A book that cannot be used."""


@dataclass(frozen=True)
class Opening:
    """The start of a game: a position, and moves already played from it."""

    fen: str = chess.STARTING_FEN
    moves: tuple[str, ...] = ()

    def board(self, chess960: bool) -> chess.Board:
        """The position after the moves, which are on the stack."""
        board = chess.Board(self.fen, chess960=chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


@dataclass(frozen=True)
class Book:
    """The openings to play, and how many the file has; the first is its number `start`. Without a
    file, the starting position alone."""

    openings: tuple[Opening, ...] = (Opening(),)
    name: str = ""
    size: int = 1
    start: int = 0

    def settings(self) -> dict[str, Any]:
        """What must not change when a match is resumed."""
        return {
            "book": self.name,
            "openings": self.size,
            "book_start": self.start or None,
        }


@dataclass(frozen=True)
class _Entry:
    """The FEN of a line or the text of a game, and its place in the file, for error messages."""

    place: str
    text: str


def read_book(
    path: Path, chess960: bool, count: int, seed: int | None = None, start: int = 0
) -> Book:
    """`count` openings of the file, or all if it has fewer, from number `start` on, in the order
    that the seed determines (None: that of the file). OpeningsError, with its place in the file,
    for an opening that cannot be played."""
    is_pgn = path.suffix.lower() == PGN_SUFFIX
    entries = list(_games(path) if is_pgn else _lines(path))
    if not entries:
        raise OpeningsError(f"{path}: no opening in it")
    if seed is not None:
        random.Random(seed).shuffle(entries)
    start %= len(entries)
    chosen = (entries[start:] + entries[:start])[:count]
    openings = (
        _opening_from_game(entry) if is_pgn else _opening_from_line(entry, chess960)
        for entry in chosen
    )
    return Book(tuple(openings), path.name, len(entries), start)


def _lines(path: Path) -> Iterator[_Entry]:
    for line in position_lines(read_text(path).splitlines()):
        yield _Entry(f"{path}, line {line.number}", line.whole_fen)


def _opening_from_line(entry: _Entry, chess960: bool) -> Opening:
    fen = entry.text
    try:
        board = chess.Board(fen, chess960=chess960)
    except ValueError as error:
        raise OpeningsError(f"{entry.place}: {error}") from None
    if not board.is_valid():
        is_chess960 = not chess960 and chess.Board(fen, chess960=True).is_valid()
        hint = " (it is legal in Chess960: --chess960)" if is_chess960 else ""
        raise OpeningsError(f"{entry.place}: not a legal position: {fen}{hint}")
    return Opening(fen)


def _games(path: Path) -> Iterator[_Entry]:
    """A game begins with the first of its tags."""
    game: list[str] = []
    number = 1
    was_tag = True
    for line in read_text(path).splitlines(keepends=True):
        is_tag = _TAG.match(line) is not None
        if is_tag and not was_tag and any(map(str.strip, game)):
            yield _Entry(f"{path}, game {number}", "".join(game))
            game = []
            number += 1
        if line.strip():
            was_tag = is_tag
        game.append(line)
    if any(map(str.strip, game)):
        yield _Entry(f"{path}, game {number}", "".join(game))


def _opening_from_game(entry: _Entry) -> Opening:
    game = chess.pgn.read_game(io.StringIO(entry.text))
    is_game = game is not None and (game.variations or _TAG.search(entry.text))
    if game is None or game.errors or not is_game:
        problem = game.errors[0] if game is not None and game.errors else "no game in it"
        raise OpeningsError(f"{entry.place}: {problem}")
    return Opening(game.board().fen(), tuple(move.uci() for move in game.mainline_moves()))

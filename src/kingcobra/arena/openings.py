# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening books: EPD or FEN lines, and PGN games, in an order that a seed repeats."""

import io
import random
from dataclasses import dataclass
from pathlib import Path

import chess
import chess.pgn

from kingcobra.arena.complaints import read_text

FIELDS_WITH_COUNTERS = 6
FIELDS_OF_EPD = 4
PGN_SUFFIX = ".pgn"


class BookError(ValueError):
    """A book that cannot be used."""


@dataclass(frozen=True)
class Opening:
    """Where a game starts: a position, and moves already played from it."""

    fen: str = chess.STARTING_FEN
    moves: tuple[str, ...] = ()

    def board(self, chess960: bool) -> chess.Board:
        """The position, its moves on the stack."""
        board = chess.Board(self.fen, chess960=chess960)
        for move in self.moves:
            board.push_uci(move)
        return board


def read_book(path: Path, chess960: bool) -> list[Opening]:
    """Every opening of the file, in its order. A line or game that is no playable position
    raises BookError with its number."""
    openings = _read_pgn(path) if path.suffix.lower() == PGN_SUFFIX else _read_epd(path, chess960)
    if not openings:
        raise BookError(f"{path}: no opening in it")
    return openings


def ordered(openings: list[Opening], seed: int | None, start: int = 0) -> list[Opening]:
    """Shuffled by the seed (None: in the book's order), beginning at number `start` from 0."""
    openings = list(openings)
    if seed is not None:
        random.Random(seed).shuffle(openings)
    start %= len(openings)
    return openings[start:] + openings[:start]


def _read_epd(path: Path, chess960: bool) -> list[Opening]:
    openings: list[Opening] = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        words = line.split(";")[0].split()
        if not words or words[0].startswith("#"):
            continue
        has_counters = len(words) >= FIELDS_WITH_COUNTERS and words[4].isdigit()
        fields = words[: FIELDS_WITH_COUNTERS if has_counters else FIELDS_OF_EPD]
        if not has_counters:
            fields += ["0", "1"]
        fen = " ".join(fields)
        try:
            board = chess.Board(fen, chess960=chess960)
        except ValueError as error:
            raise BookError(f"{path}, line {number}: {error}") from None
        if not board.is_valid():
            raise BookError(f"{path}, line {number}: no legal position: {fen}")
        openings.append(Opening(fen))
    return openings


def _read_pgn(path: Path) -> list[Opening]:
    openings: list[Opening] = []
    text = io.StringIO(read_text(path))
    while (game := chess.pgn.read_game(text)) is not None:
        if game.errors:
            raise BookError(f"{path}, game {len(openings) + 1}: {game.errors[0]}")
        moves = tuple(move.uci() for move in game.mainline_moves())
        openings.append(Opening(game.board().fen(), moves))
    return openings

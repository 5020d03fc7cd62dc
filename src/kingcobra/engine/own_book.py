# SPDX-License-Identifier: GPL-3.0-or-later
"""The engine's own book: whether it is used, which file it is, and the move that it plays. Reading
books is imported when a book is opened: most games are played without one."""

from typing import TYPE_CHECKING, NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.skill import DEFAULT_SEED, fraction, next_state

if TYPE_CHECKING:
    from kingcobra.engine.opening_book import BookFile

# The one that comes with the package.
DEFAULT_BOOK = "kingcobra.book.bin"
DEFAULT_BOOK_DEPTH = 255
PLIES_PER_MOVE = 2


class BookChoice(NamedTuple):
    """A book's move, and the reply that the book expects, None where it has none."""

    move: int
    reply: int | None


class OwnBook:
    """What the options about the book say. `is_used` is off by default."""

    def __init__(self) -> None:
        self.is_used = False
        self.takes_best = False
        # In moves of the game.
        self.depth = DEFAULT_BOOK_DEPTH
        self._file: BookFile | None = None
        self._is_default = True
        self._random_state = DEFAULT_SEED

    def use(self, is_used: bool) -> None:
        """Switches the book on or off. BookError if the default book cannot be opened; it is then
        off."""
        self.is_used = False
        if is_used and self._file is None and self._is_default:
            self.open(DEFAULT_BOOK)
        self.is_used = is_used

    def open(self, name: str) -> None:
        """Takes another book, none for an empty name. On BookError the old one stays."""
        from kingcobra.engine.opening_book import open_book

        file = open_book(name) if name else None
        if self._file is not None:
            self._file.close()
        self._file = file
        self._is_default = name == DEFAULT_BOOK

    def choice(
        self, position: PositionHandle, limits: SearchLimits, analyse_mode: bool
    ) -> BookChoice | None:
        """The book's move for this search, None where the engine must think: also whenever a
        search is asked for that is more than a move in a game."""
        if not self.is_used or self._file is None or analyse_mode:
            return None
        if limits.infinite or limits.ponder or limits.mate:
            return None
        if position.record.game_ply // PLIES_PER_MOVE >= self.depth:
            return None
        from kingcobra.engine.opening_book import choose_book_move

        self._random_state = next_state(self._random_state)
        chance = fraction(self._random_state)
        move = choose_book_move(self._file, position, self.takes_best, chance, limits.root_moves)
        if move is None:
            return None
        after = position.copy()
        after.play_move(move)
        return BookChoice(move, choose_book_move(self._file, after, True, chance))

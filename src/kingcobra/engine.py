# SPDX-License-Identifier: GPL-3.0-or-later
"""Engine: owns the game, the hash table and the thread that works for the user."""

import threading
from collections.abc import Callable

from kingcobra.board.board import Board
from kingcobra.board.leaves import LeafCounter
from kingcobra.board.moves import format_move
from kingcobra.kernel.memory import Memory, OutOfMemory
from kingcobra.kernel.objects import Core

MEBIBYTE = 1024 * 1024
DEFAULT_HASH_MB = 16

Say = Callable[[str], None]


class Engine:
    """One engine as a user sees it. Its methods are called from one thread."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self.chess960 = False
        self.board = Board(core)
        self.table = Memory.anonymous(DEFAULT_HASH_MB * MEBIBYTE)
        self._counter: LeafCounter | None = None
        self._worker: threading.Thread | None = None
        self._done = threading.Event()

    # --- the game -----------------------------------------------------------------------------

    def new_game(self) -> None:
        """The start position; nothing is left of what was learnt before."""
        self.board = Board(self._core, chess960=self.chess960)
        self.table.clear()

    def set_position(self, fen: str) -> None:
        """Sets up a position. On FenError the previous one stays."""
        self.board.set_fen(fen, self.chess960)

    # --- options ------------------------------------------------------------------------------

    def set_hash_mb(self, size_mb: int) -> None:
        """An empty table of that size. On OutOfMemory the old one stays."""
        try:
            table = Memory.anonymous(size_mb * MEBIBYTE)
        except OutOfMemory as error:
            raise OutOfMemory(f"Hash {size_mb} MiB cannot be had: {error}") from None
        self.table.release()
        self.table = table

    def set_chess960(self, chess960: bool) -> None:
        """How the positions to come are read and written."""
        self.chess960 = chess960

    # --- work ---------------------------------------------------------------------------------

    @property
    def busy(self) -> bool:
        """Whether work is under way. False when `when_done` is called, although the thread that
        calls it still lives."""
        return self._worker is not None and not self._done.is_set()

    def start_perft(self, depth: int, say: Say, when_done: Callable[[], None]) -> None:
        """Counts leaves in the background: a line for each root move and one for the sum. Work
        under way is stopped first."""
        self.stop()
        self._counter = counter = LeafCounter(self._core, self.board)
        self._done = done = threading.Event()
        position = type(self.board.record).from_buffer_copy(self.board.record)

        def count() -> None:
            total = 0
            for move, leaves in counter.divide(depth):
                total += leaves
                say(f"{format_move(move, position)}: {leaves}")
            say("info string perft stopped" if counter.stopped else f"\nNodes searched: {total}\n")

        def work() -> None:
            try:
                count()
            finally:
                done.set()
                when_done()

        self._worker = threading.Thread(target=work, name="perft", daemon=True)
        self._worker.start()

    def stop(self) -> None:
        """Ends the work under way and waits until it has said its last word."""
        if self._counter is not None and self._worker is not None:
            self._counter.stop()
            self._worker.join()
        self._counter = self._worker = None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of play that the tables correct and continue to their end."""

from collections.abc import Callable
from typing import NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import FIFTY_MOVES_PLIES, NO_MOVE
from kingcobra.core.search.scores import MAX_PLY
from kingcobra.core.tables.layout import UNKNOWN, WIN
from kingcobra.engine.tablebases.files import TablebaseFiles
from kingcobra.engine.tablebases.prober import TableProber
from kingcobra.kernel.host import monotonic_ns
from kingcobra.kernel.objects import LoadedObject

# So many earlier occurrences make a draw.
DRAWING_REPETITIONS = 2
# How many answers are kept: more lines are hardly shown at once.
MOST_KEPT = 256


class ContinuedLine(NamedTuple):
    """Legal moves from the root on, and whether they end in a draw by the fifty-move rule."""

    moves: list[int]
    is_drawn: bool = False


class TableLines:
    """Lines of one search, from its root. They end with mate, with a draw, where the tables know no
    further, after `line_ns` (zero: never), or when `is_stopped` says so."""

    def __init__(
        self,
        files: TablebaseFiles,
        root: PositionHandle,
        is_fifty_rule: bool,
        line_ns: int,
        is_stopped: Callable[[], bool],
    ) -> None:
        self._core = files.core
        self._prober = TableProber(files)
        self._root = root
        self._is_fifty_rule = is_fifty_rule
        self._line_ns = line_ns
        self._is_stopped = is_stopped
        self._known: dict[tuple[int, ...], ContinuedLine] = {}

    def continued(self, moves: list[int]) -> ContinuedLine:
        """The line up to the last move that keeps the result, and what the tables would play from
        there. The first move stays in any case; all stay where there is no time to check them."""
        asked = tuple(moves)
        if asked not in self._known:
            if len(self._known) >= MOST_KEPT:
                self._known.clear()
            self._known[asked] = self._continued(moves, monotonic_ns())
        return self._known[asked]

    def _continued(self, moves: list[int], begun_ns: int) -> ContinuedLine:
        line = _Line(self._core, self._root, self._is_fifty_rule)
        for number, move in enumerate(moves):
            if self._is_late(begun_ns):
                return ContinuedLine(moves)
            if number and not self._keeps_result(line.position, move):
                break
            line.play(move)
            if line.is_over:
                if number:
                    line.take_back()
                break
        self._extend(line, begun_ns)
        return ContinuedLine(line.moves, line.is_fifty_moves)

    def _keeps_result(self, position: PositionHandle, move: int) -> bool:
        """Whether a legal move is as good as any by the tables, or they do not know."""
        best = self._core.probe_wdl(self._prober.address, position.address)
        if best == UNKNOWN:
            return True
        after = self._core.wdl_after(self._prober.address, position.address, move)
        if after in (UNKNOWN, best) and best == WIN and self._is_fifty_rule:
            distance = self._core.dtz_after(self._prober.address, position.address, move)
            passed = position.state.fifty_plies
            return distance == UNKNOWN or distance + passed <= FIFTY_MOVES_PLIES
        return after in (UNKNOWN, best)

    def _extend(self, line: "_Line", begun_ns: int) -> None:
        """Plays the tables' moves."""
        while len(line.moves) < MAX_PLY and not line.is_over and not self._is_late(begun_ns):
            move = self._core.best_table_move(self._prober.address, line.position.address)
            if move == NO_MOVE:
                return
            line.play(move)

    def _is_late(self, begun_ns: int) -> bool:
        is_over_time = self._line_ns > 0 and monotonic_ns() - begun_ns >= self._line_ns
        return is_over_time or self._is_stopped()


class _Line:
    """Moves that are played on a board of their own."""

    def __init__(self, core: LoadedObject, root: PositionHandle, is_fifty_rule: bool) -> None:
        self.position = root.copy()
        self.moves: list[int] = []
        self.is_over = False
        self._core = core
        self._is_fifty_rule = is_fifty_rule
        self._keys = {root.key}

    def play(self, move: int) -> None:
        """Plays a legal move. It is over where that repeats a position of the line, or ends in a
        draw."""
        self._core.make(self.position.address, move)
        self.moves.append(move)
        repeats = (
            self.position.key in self._keys
            or self.position.earlier_occurrences() >= DRAWING_REPETITIONS
        )
        self._keys.add(self.position.key)
        self.is_over = repeats or self.is_fifty_moves

    def take_back(self) -> None:
        """Undoes the move that ended the line."""
        self._core.unmake(self.position.address, self.moves.pop())
        self.is_over = False

    @property
    def is_fifty_moves(self) -> bool:
        """Whether the line has ended in a draw by the fifty-move rule."""
        return self._is_fifty_rule and self.position.is_fifty_moves()

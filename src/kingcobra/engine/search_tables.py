# SPDX-License-Identifier: GPL-3.0-or-later
"""What one search does with the endgame tables: it ranks its root moves, and says by them what its
lines are worth and how they go on."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import EXACT, SearchWorker
from kingcobra.core.search.scores import DRAW, MATE_BAND, TABLE_BAND
from kingcobra.engine.endgame_tables import EndgameTables
from kingcobra.engine.search_thread import SearchThread
from kingcobra.kernel.host import monotonic_ns

if TYPE_CHECKING:
    from kingcobra.engine.root_ranking import RootRanking

# In memory a probe takes microseconds.
SLOW_PROBE_NS = 1_000_000
SLOW_PROBES = 3


class RankingDeadline:
    """When to give up ranking: half of the time that was left is gone, or the search was stopped,
    and it is the probes that are slow. One slow probe may only be another process's turn."""

    def __init__(self, record: SearchWorker, hard_ns: int) -> None:
        self._record = record
        self._hard_ns = hard_ns
        self._begun_ns = self._last_ns = monotonic_ns()
        self._slow_probes = 0

    def is_passed(self) -> bool:
        """To be asked before each probe. While pondering no time passes."""
        now_ns = monotonic_ns()
        self._slow_probes += now_ns - self._last_ns > SLOW_PROBE_NS
        self._last_ns = now_ns
        if self._slow_probes < SLOW_PROBES:
            return False
        hard_ns = 0 if self._record.pondering else self._hard_ns
        left_ns = hard_ns - (self._begun_ns - self._record.limits.started_ns)
        return bool(self._record.stop) or (hard_ns > 0 and 2 * (now_ns - self._begun_ns) > left_ns)


class ShownLine(NamedTuple):
    """A line as people see it."""

    moves: list[int]
    score: int
    bound: int


class SearchTables:
    """The tables of one search from a root position. A line is continued for at most `line_ns`
    (zero: as long as it takes), and no longer than until `is_stopped`."""

    def __init__(
        self,
        tables: EndgameTables | None,
        root: PositionHandle,
        is_used: bool,
        line_ns: int,
        is_stopped: Callable[[], bool],
    ) -> None:
        self._tables = tables
        self._root = root
        self._is_used = is_used
        self._ranking: RootRanking | None = None
        self._lines = tables.lines(root, line_ns, is_stopped) if tables and is_used else None
        # Root moves that the tables have answered for.
        self.hits = 0

    def connect(self, thread: SearchThread) -> None:
        """Tells a thread what it may probe."""
        if self._tables is not None:
            self._tables.connect(thread.record, self._is_used)

    def rank(
        self,
        threads: list[SearchThread],
        root_moves: list[int],
        lines: int,
        is_late: Callable[[], bool],
    ) -> None:
        """Ranks the root moves of the threads where the tables know them all. With one line, only
        the best are searched."""
        if self._tables is None or not self._is_used:
            return
        ranking = self._tables.rank_root(self._root, root_moves, is_late)
        if ranking is None:
            return
        self._ranking = ranking
        self.hits = len(root_moves)
        searched = ranking.best if lines == 1 else ranking.moves
        for thread in threads:
            thread.set_root_moves([(one.move, one.rank) for one in searched])
            if ranking.is_settled:
                thread.record.table_men = 0

    def shown(self, moves: list[int], score: int, bound: int, continues: bool = True) -> ShownLine:
        """A line of the search, corrected and, if `continues`, carried on by the tables."""
        if self._ranking is not None:
            by_tables = self._ranking.shown_score(moves[0], score)
            bound = bound if by_tables == score else EXACT
            score = by_tables
        is_by_tables = bound == EXACT and TABLE_BAND <= abs(score) < MATE_BAND
        if self._lines is None or not continues or not is_by_tables:
            return ShownLine(moves, score, bound)
        line = self._lines.continued(moves)
        return ShownLine(line.moves, DRAW if line.is_drawn else score, bound)

    def report_damage(self) -> None:
        """One line for each file in which a probe has met damaged blocks."""
        if self._tables is not None:
            self._tables.report_damage()

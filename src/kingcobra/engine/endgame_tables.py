# SPDX-License-Identifier: GPL-3.0-or-later
"""The endgame tables of an engine: which there are, how searches use them, and the ranking of the
root moves."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import FIFTY_MOVES_PLIES
from kingcobra.core.search.layout import SearchWorker
from kingcobra.core.search.scores import DRAW, TABLE_WIN
from kingcobra.kernel.objects import LoadedObject

if TYPE_CHECKING:
    from kingcobra.engine.tablebases.files import TablebaseFiles
    from kingcobra.engine.tablebases.prober import RankedMove, TableProber

DEFAULT_PROBE_DEPTH = 1
MOST_MEN = 7
EMPTY_PATHS = ("", "<empty>")

# Ranks of moves: sure wins, then wins that the fifty-move rule may take away, then draws.
SURE, UNSURE = 1 << 18, 1 << 17
# Two positions before make the third a draw.
TWICE = 2

Report = Callable[[str], None]


class RankedRoot(NamedTuple):
    """The root moves of the best rank, what they are worth, and whether distances decided: then,
    and without a win, the tree need not ask the tables again."""

    moves: list[int]
    score: int
    is_settled: bool


class EndgameTables:
    """The tables of one engine. Nothing of theirs is imported before a path is set."""

    def __init__(self, core: LoadedObject, report: Report) -> None:
        self._core = core
        self._report = report
        self._files: TablebaseFiles | None = None
        self._prober: TableProber | None = None
        # As the user sets them; `is_fifty_rule` is whether the fifty-move rule counts.
        self.probe_depth = DEFAULT_PROBE_DEPTH
        self.probe_limit = MOST_MEN
        self.is_fifty_rule = True

    def open(self, path: str) -> None:
        """The tables of these folders instead of those before; no search may be running."""
        from kingcobra.engine.tablebases.files import TablebaseFiles
        from kingcobra.engine.tablebases.prober import TableProber

        self.close()
        if path.strip() in EMPTY_PATHS:
            return
        self._files = TablebaseFiles(self._core, path, self._report)
        self._prober = TableProber(self._files)
        self._report(self._files.summary())

    def close(self) -> None:
        """No tables."""
        if self._files is not None:
            self._files.close()
        self._files = self._prober = None

    @property
    def men(self) -> int:
        """Up to how many men the tables are asked; zero for never."""
        return min(self.probe_limit, self._files.largest) if self._files else 0

    def connect(self, record: SearchWorker, is_used: bool) -> None:
        """Tells a thread what its next search may ask."""
        record.table_hits = 0
        record.table_men = self.men if is_used else 0
        record.table_fifty = int(self.is_fifty_rule)
        record.prober.tables = self._files.address if self._files else 0
        # With more men allowed than there are tables for, every depth may ask.
        is_bounded = self._files is not None and self.probe_limit > self._files.largest
        record.table_depth = 0 if is_bounded else self.probe_depth

    def report_damage(self) -> None:
        """One line for each file in which a probe has met damaged blocks."""
        if self._files is not None:
            self._files.report_damage()

    def describe(self, position: PositionHandle) -> tuple[int | None, int | None]:
        """WDL and DTZ of a position, None where the tables do not say."""
        from kingcobra.engine.tablebases.prober import TablebaseError, TableProber

        if self._files is None:
            return None, None
        # A search may be reading the position, and ranking its moves with the other prober.
        copy = position.copy()
        prober = TableProber(self._files)
        answers: list[int | None] = []
        for probe in (prober.wdl, prober.dtz):
            try:
                answers.append(probe(copy.address))
            except TablebaseError:
                answers.append(None)
        return answers[0], answers[1]

    # --- the root -----------------------------------------------------------------------------

    def rank_root(
        self, position: PositionHandle, moves: list[int], is_late: Callable[[], bool]
    ) -> RankedRoot | None:
        """The best of the root moves by the tables: by distance, or by result where distances are
        missing. None where the tables do not know all moves, or where it gets late meanwhile."""
        men = sum(1 for man in position.record.board if man)
        if self._prober is None or men > self.men or position.state.castling_rights:
            return None
        ranked = self._ranked(position, moves, is_late)
        if not ranked:
            return None
        by_distance = all(one.dtz is not None for one in ranked)
        ranks = [self._rank(position, one, by_distance) for one in ranked]
        best = max(ranks)
        kept = [one.move for one, rank in zip(ranked, ranks, strict=True) if rank == best]
        return RankedRoot(kept, self._score(best), by_distance or best <= 0)

    def _ranked(
        self, position: PositionHandle, moves: list[int], is_late: Callable[[], bool]
    ) -> "list[RankedMove]":
        from kingcobra.engine.tablebases.prober import TablebaseError

        assert self._prober is not None
        copy = position.copy()
        ranked = []
        for move in moves:
            if is_late():
                return []
            try:
                ranked += self._prober.rank(copy.address, [move])
            except TablebaseError:
                return []
        return ranked

    def _rank(self, position: PositionHandle, one: "RankedMove", by_distance: bool) -> int:
        """Equal for moves that the search may choose between. Wins within the fifty-move counter
        are all sure, unless a position has repeated already: then the shortest is played."""
        if position.occurrences_before(one.move) >= TWICE:
            return 0
        if not by_distance:
            return self._rank_of_result(one.wdl)
        distance = one.dtz or 0
        if not self.is_fifty_rule:
            return SURE - distance if distance > 0 else -SURE - distance if distance else 0
        passed = position.state.fifty_plies
        if distance > 0:
            if distance + passed < FIFTY_MOVES_PLIES:
                return SURE - (distance if _has_repeated(position) else 0)
            return UNSURE - distance - passed
        if distance < 0:
            if passed - 2 * distance < FIFTY_MOVES_PLIES:
                return -SURE - distance
            return -UNSURE - distance + passed
        return 0

    def _rank_of_result(self, wdl: int) -> int:
        if abs(wdl) == 1 and self.is_fifty_rule:
            return wdl * UNSURE
        return SURE * ((wdl > 0) - (wdl < 0))

    def _score(self, rank: int) -> int:
        """The score that a search shows for moves of that rank."""
        if rank > UNSURE:
            return TABLE_WIN
        if rank < -UNSURE:
            return -TABLE_WIN
        return DRAW


def _has_repeated(position: PositionHandle) -> bool:
    """Whether a position since the last irreversible move has stood on the board twice."""
    record = position.record
    plies = min(position.state.fifty_plies, record.ply)
    keys = [record.states[record.ply - back].key for back in range(plies + 1)]
    return len(set(keys)) < len(keys)

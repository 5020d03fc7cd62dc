# SPDX-License-Identifier: GPL-3.0-or-later
"""The endgame tables of an engine: which there are, how searches use them, and the ranking of the
root moves."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import SearchWorker
from kingcobra.kernel.objects import LoadedObject

if TYPE_CHECKING:
    from kingcobra.engine.root_ranking import RootRanking
    from kingcobra.engine.tablebases.files import TablebaseFiles
    from kingcobra.engine.tablebases.lines import TableLines
    from kingcobra.engine.tablebases.prober import TableProber

DEFAULT_PROBE_DEPTH = 1
MOST_MEN = 7

Report = Callable[[str], None]


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
        """The tables of these folders instead of those before, none for a blank path; no search may
        be running."""
        from kingcobra.engine.tablebases.files import TablebaseFiles
        from kingcobra.engine.tablebases.prober import TableProber

        self.close()
        if not path.strip():
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
    ) -> "RootRanking | None":
        """The root moves ranked by the tables: by distance, or by result where distances are
        missing. None where the tables do not know all moves. Where it gets late meanwhile, the
        rest is left out if a win has been found, else None."""
        men = sum(1 for man in position.record.board if man)
        if self._prober is None or men > self.men or position.state.castling_rights:
            return None
        from kingcobra.engine.root_probing import probed_ranking

        return probed_ranking(self._prober, position, moves, self.is_fifty_rule, is_late)

    def lines(
        self, position: PositionHandle, line_ns: int, is_stopped: Callable[[], bool]
    ) -> "TableLines | None":
        """What continues the lines of a search of that position; None without tables."""
        if self._files is None or not self.men:
            return None
        from kingcobra.engine.tablebases.lines import TableLines

        return TableLines(self._files, position, self.is_fifty_rule, line_ns, is_stopped)

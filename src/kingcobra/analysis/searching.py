# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluating the positions of a game: each at the same number of nodes, on one thread, with a
memory that is empty when a game begins. So the answers depend on the game alone."""

from collections.abc import Callable
from typing import NamedTuple

from kingcobra.analysis.men_values import MenValues
from kingcobra.analysis.pgn_comments import MOST_LINE_PLIES
from kingcobra.analysis.score import Score
from kingcobra.analysis.settings import AnnotationError, AnnotationSettings
from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.objects import CORE
from kingcobra.core.rules.basics import WHITE
from kingcobra.core.search.layout import EXACT
from kingcobra.engine.evaluator import EvaluatorError
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.reports import LineReport, SearchListener
from kingcobra.engine.search import Search
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.engine.shown_score import ShownScore, shown_score
from kingcobra.kernel.build import Builder, settle_level
from kingcobra.kernel.system.memory import OutOfMemory
from kingcobra.networks.scale import PERMILLE, WinDrawLoss, points_of

_WON, _LOST = WinDrawLoss(PERMILLE, 0, 0), WinDrawLoss(0, 0, PERMILLE)


class Evaluation(NamedTuple):
    """A position's score, White's chances, the best line as UCI text, and how deep it was searched;
    `depth` is None where a score was taken from the file, or needs no search."""

    score: Score
    white_wdl: WinDrawLoss
    line: tuple[str, ...] = ()
    depth: int | None = None


class _LastLine(SearchListener):
    """Keeps the last exact report."""

    def __init__(self) -> None:
        self.depth = 0

    def on_line(self, report: LineReport) -> None:
        """Later reports are deeper."""
        if report.bound == EXACT:
            self.depth = report.depth


class GameSearcher:
    """An engine that evaluates the positions of one game after another."""

    def __init__(
        self, settings: AnnotationSettings, on_progress: Callable[[str], None] | None = None
    ) -> None:
        """AnnotationError if the network cannot be used, or memory is missing."""
        settle_level()
        self._nodes = settings.nodes
        self._engine = SearchEngine(Builder(CORE, on_progress or _ignore).obtain())
        self._engine.settings.analyse_mode = True
        try:
            self._engine.set_hash_mb(settings.hash_mb)
            if settings.network:
                self._engine.set_network(settings.network)
        except (EvaluatorError, OutOfMemory) as error:
            raise AnnotationError(str(error)) from None
        self._men_values = MenValues(self._engine)
        self._search: Search | None = None

    def new_game(self, start_fen: str, chess960: bool) -> PositionHandle:
        """Forgets everything and sets up a position. FenError if that is not possible."""
        self._engine.new_game()
        return PositionHandle(self._engine.core, start_fen, chess960)

    def evaluate(self, position: PositionHandle) -> Evaluation:
        """Searches a position. Without legal moves there is nothing to search: it is checkmate or
        a draw."""
        white_to_move = position.record.side == WHITE
        if not position.moves():
            if position.is_check():
                return self.judged(position, Score.checkmate(white_wins=not white_to_move))
            return self.judged(position, Score.in_cp(0))
        listener = _LastLine()
        limits = SearchLimits(nodes=self._nodes)
        self._search = self._engine.search(position, limits, listener)
        result = self._search.run()
        score = _white_score(shown_score(result.score, self._engine.scale), white_to_move)
        line = tuple(format_move(move, position.record) for move in result.moves[:MOST_LINE_PLIES])
        return self.judged(position, score)._replace(line=line, depth=listener.depth)

    def stop(self) -> None:
        """Ends the search under way, if any, from any thread. Its answer is of no use then."""
        if self._search is not None:
            self._search.stop()

    def close(self) -> None:
        """Returns the memory; nothing can be evaluated any more."""
        self._engine.release()

    def judged(self, position: PositionHandle, score: Score) -> Evaluation:
        """A score that needs no search, with the chances that it means."""
        if score.white_cp is None:
            wdl = _WON if score.mate_winner > 0 else _LOST
        else:
            scale = self._engine.scale
            wdl = scale.win_draw_loss(scale.units(score.white_cp), points_of(position.record))
        return Evaluation(score, wdl)

    def heat(self, position: PositionHandle) -> dict[str, int]:
        """What each man is worth to the evaluation: see MenValues."""
        return self._men_values.men_cp(position)


def _white_score(shown: ShownScore, white_to_move: bool) -> Score:
    sign = 1 if white_to_move else -1
    if shown.mate is not None:
        return Score.in_moves(sign * shown.mate)
    assert shown.centipawns is not None
    return Score.in_cp(sign * shown.centipawns)


def _ignore(_text: str) -> None:
    """Nobody reads progress."""

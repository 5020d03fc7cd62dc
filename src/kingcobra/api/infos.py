# SPDX-License-Identifier: GPL-3.0-or-later
"""What a search reports, as python-chess's InfoDict."""

from collections.abc import Callable
from typing import Any, TypeAlias, cast

from chess import Color
from chess.engine import (
    INFO_CURRLINE,
    INFO_PV,
    INFO_REFUTATION,
    INFO_SCORE,
    Cp,
    Info,
    InfoDict,
    Mate,
    PovScore,
    PovWdl,
    Score,
    Wdl,
)

from kingcobra.api.positions import chess_move, chess_moves
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.basics import WHITE
from kingcobra.core.search.layout import LOWER, UPPER
from kingcobra.engine.reports import (
    CurrentMove,
    LineReport,
    SearchListener,
    SearchProgress,
    SearchResult,
)
from kingcobra.engine.shown_score import shown_score
from kingcobra.networks.scale import Scale, points_of

NS_PER_S = 1_000_000_000
LOWER_BOUND, UPPER_BOUND = "lowerbound", "upperbound"

Post: TypeAlias = Callable[[InfoDict], None]


def pov_score(score: int, scale: Scale, turn: Color) -> PovScore:
    """A score of the side to move, in internal units, as python-chess has it."""
    centipawns, mate = shown_score(score, scale)
    relative: Score = Mate(mate) if mate is not None else Cp(cast(int, centipawns))
    return PovScore(relative, turn)


class InfoListener(SearchListener):
    """Makes an InfoDict of each report and posts it. `selector` says what is left out, as in
    python-chess; with INFO_NONE nothing is posted."""

    def __init__(
        self,
        position: PositionHandle,
        scale: Scale,
        selector: Info,
        post: Post,
        shows_wdl: bool = True,
    ) -> None:
        self._position = position
        self._scale = scale
        self._selector = selector
        self._send = post
        self._shows_wdl = shows_wdl
        self._turn: Color = position.record.side == WHITE
        self._points = points_of(position.record)
        self._best_line: LineReport | None = None

    @property
    def chess960(self) -> bool:
        """Whether castling is spelled the Chess960 way."""
        return self._position.chess960

    def on_line(self, report: LineReport) -> None:
        """A line with its score."""
        if report.number == 1:
            self._best_line = report
        self._post(lambda: self._line(report))

    def on_current_move(self, current: CurrentMove) -> None:
        """The root move that is being searched."""
        self._post(
            lambda: {
                "depth": current.depth,
                "currmove": self._move(current.move),
                "currmovenumber": current.number,
            }
        )

    def on_refutation(self, moves: list[int]) -> None:
        """A root move and what refutes it."""
        if self._selector & INFO_REFUTATION:
            refuted, *replies = chess_moves(moves, self.chess960)
            self._post(lambda: {"refutation": {refuted: replies}})

    def on_progress(self, progress: SearchProgress) -> None:
        """Nodes and time between two lines."""
        self._post(lambda: self._progress(progress))

    def close(self, result: SearchResult) -> None:
        """What the last line did not have: the final nodes and time, the end of a game, a mate
        that does not exist."""
        line = self._best_line
        if not result.moves:
            self._post(self._end_of_game)
        elif line is None:
            self._post(lambda: self._effort(result))
        elif line.nodes != result.nodes:
            closing = line._replace(
                nodes=result.nodes,
                elapsed_ns=result.elapsed_ns,
                hashfull_permille=result.hashfull_permille,
                table_hits=result.table_hits,
            )
            self._post(lambda: self._line(closing))
        if result.refuted_mate:
            self._post(lambda: {"string": f"no mate in {result.refuted_mate}"})

    # --- in python-chess's words --------------------------------------------------------------

    def _post(self, make: Callable[[], InfoDict]) -> None:
        if self._selector:
            self._send(make())

    def _line(self, report: LineReport) -> InfoDict:
        info = self._effort(report)
        info["depth"] = report.depth
        info["seldepth"] = max(report.deepest_ply, 1)
        info["multipv"] = report.number
        if self._shows_wdl:
            chances = self._scale.win_draw_loss(report.score, self._points)
            info["wdl"] = PovWdl(Wdl(*chances), self._turn)
        if self._selector & INFO_SCORE:
            info["score"] = pov_score(report.score, self._scale, self._turn)
            # As python-chess, beyond the keys of its type.
            if report.bound in (LOWER, UPPER):
                bound = LOWER_BOUND if report.bound == LOWER else UPPER_BOUND
                cast(dict[str, Any], info)[bound] = True
        if self._selector & INFO_PV:
            info["pv"] = chess_moves(report.moves, self.chess960)
        return info

    def _progress(self, progress: SearchProgress) -> InfoDict:
        info = self._effort(progress)
        info["cpuload"] = progress.load_permille
        if progress.current_lines and self._selector & INFO_CURRLINE:
            info["currline"] = {
                number: chess_moves(moves, self.chess960)
                for number, moves in enumerate(progress.current_lines, 1)
            }
        return info

    def _effort(self, report: LineReport | SearchProgress | SearchResult) -> InfoDict:
        elapsed_ns = max(report.elapsed_ns, 1)
        return {
            "nodes": report.nodes,
            "nps": report.nodes * NS_PER_S // elapsed_ns,
            "hashfull": report.hashfull_permille,
            "tbhits": report.table_hits,
            "time": elapsed_ns / NS_PER_S,
        }

    def _end_of_game(self) -> InfoDict:
        info: InfoDict = {"depth": 0}
        if self._selector & INFO_SCORE:
            score: Score = Mate(0) if self._position.is_check() else Cp(0)
            info["score"] = PovScore(score, self._turn)
        return info

    def _move(self, move: int) -> Any:
        return chess_move(move, self.chess960)

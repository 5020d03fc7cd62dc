# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of an analysis that notebooks show as a board with its lines. They are python-chess's
dictionaries and lists in all other respects."""

from typing import Any, cast

import chess
from chess.engine import InfoDict

from kingcobra.board.position_handle import PositionHandle


class ShownInfo(dict[str, Any]):
    """Information about one line, and the position it begins in."""

    def __init__(self, info: InfoDict, fen: str, chess960: bool) -> None:
        super().__init__(info)
        self._board = (fen, chess960)

    def _repr_html_(self) -> str:
        return _html(self._board, [cast(InfoDict, self)])


class ShownInfos(list[InfoDict]):
    """Information about several lines of one position, the best first."""

    def __init__(self, infos: list[InfoDict], fen: str, chess960: bool) -> None:
        super().__init__(cast(InfoDict, ShownInfo(info, fen, chess960)) for info in infos)
        self._board = (fen, chess960)

    def _repr_html_(self) -> str:
        return _html(self._board, self)


def shown_infos(infos: list[InfoDict], position: PositionHandle) -> list[InfoDict]:
    """The same information, which shows itself."""
    return ShownInfos(infos, position.fen(), position.chess960)


def _html(board: tuple[str, bool], infos: list[InfoDict]) -> str:
    from kingcobra.pictures.analysis_picture import analysis_html  # only notebooks need it

    fen, chess960 = board
    return analysis_html(chess.Board(fen, chess960=chess960), infos)

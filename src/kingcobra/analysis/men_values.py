# SPDX-License-Identifier: GPL-3.0-or-later
"""What each man of a position is worth to the evaluation in use: what would be lost with it."""

import chess

from kingcobra.board.fen import FenError
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.evaluator import StaticEvaluator
from kingcobra.engine.search_engine import SearchEngine

CENTIPAWNS_PER_PAWN = 100


class MenValues:
    """Evaluates a position again without each man, by the network or by the classical
    evaluation."""

    def __init__(self, engine: SearchEngine) -> None:
        self._engine = engine
        self._static = StaticEvaluator(engine.evaluator)

    def men_cp(self, position: PositionHandle) -> dict[str, int]:
        """By the name of the square, for each man but the kings: hundredths of a pawn, White's
        view. The classical evaluation cannot tell for a man whose absence would leave the king of
        the side that has just moved in check."""
        network = self._engine.evaluator.network
        if network is None or not self._engine.evaluator.uses_network:
            return self._classical_cp(position)
        from kingcobra.engine.network_view import NetworkView

        pawns = NetworkView(network, position).men_pawns()
        return {
            chess.square_name(square): round(value * CENTIPAWNS_PER_PAWN)
            for square, value in pawns.items()
        }

    def _classical_cp(self, position: PositionHandle) -> dict[str, int]:
        board = chess.Board(position.fen(), chess960=position.chess960)
        whole = self._white_cp(position)
        values = {}
        for square, piece in board.piece_map().items():
            if piece.piece_type == chess.KING:
                continue
            rest = board.copy(stack=False)
            rest.remove_piece_at(square)
            try:
                without = PositionHandle(self._engine.core, rest.fen(), position.chess960)
            except FenError:
                continue
            values[chess.square_name(square)] = whole - self._white_cp(without)
        return values

    def _white_cp(self, position: PositionHandle) -> int:
        return round(self._static.white_pawns(position) * CENTIPAWNS_PER_PAWN)

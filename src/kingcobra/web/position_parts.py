# SPDX-License-Identifier: GPL-3.0-or-later
"""What the evaluation in use makes of a position: what each man is worth, and the parts that the
whole is made of. All figures are hundredths of a pawn, White's view."""

from typing import Any, NamedTuple

import chess

from kingcobra.analysis.men_values import MenValues
from kingcobra.api.positions import position_of
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.classical.evaluate import FULL_PHASE
from kingcobra.engine.classical_breakdown import Worth, break_down
from kingcobra.engine.evaluator import StaticEvaluator
from kingcobra.engine.network_view import NetworkView
from kingcobra.engine.search_engine import SearchEngine

CENTIPAWNS = 100


class CoursePoint(NamedTuple):
    """What is shown of each position of a game. `bucket` counts from one and is None, and `parts`
    are empty, for the classical evaluation."""

    total_cp: int
    bucket: int | None
    parts: list[tuple[str, int]]


class PositionParts(NamedTuple):
    """`parts` are in the order in which they are shown."""

    evaluation: str
    total_cp: int
    men_cp: dict[str, int]
    parts: list[tuple[str, int]]

    def as_json(self) -> dict[str, Any]:
        """What the page shows."""
        return self._asdict()


def course_point(engine: SearchEngine, board: chess.Board) -> CoursePoint:
    """The evaluation of a position and, of a network, its parts."""
    position = position_of(board)
    total_cp = round(StaticEvaluator(engine.evaluator).white_pawns(position) * CENTIPAWNS)
    network = engine.evaluator.network
    if network is None or not engine.evaluator.uses_network:
        return CoursePoint(total_cp, None, [])
    view = NetworkView(network, position)
    psqt, positional = view.answer(view.bucket)
    parts = _rounded([("men and squares", psqt), ("positional", positional)])
    return CoursePoint(total_cp, view.bucket + 1, parts)


def position_parts(engine: SearchEngine, board: chess.Board) -> PositionParts:
    """A position taken apart, by the network if the engine has one."""
    position = position_of(board)
    men_cp = MenValues(engine).men_cp(position)
    point = course_point(engine, board)
    network = engine.evaluator.network
    if network is None or point.bucket is None:
        parts = _classical_parts(engine, position)
        return PositionParts("classical evaluation", point.total_cp, men_cp, parts)
    name = f"{network.name}, bucket {point.bucket} of {network.architecture.stacks}"
    return PositionParts(name, point.total_cp, men_cp, point.parts)


def _classical_parts(engine: SearchEngine, position: PositionHandle) -> list[tuple[str, int]]:
    breakdown = break_down(position)

    def pawns(worth: Worth) -> float:
        middlegame = worth.middlegame * breakdown.phase
        endgame = worth.endgame * (FULL_PHASE - breakdown.phase)
        return (middlegame + endgame) / FULL_PHASE / engine.scale.units_per_pawn

    return _rounded(
        [
            (name.lower(), pawns(white.less(black)))
            for name, (white, black) in breakdown.groups.items()
        ]
    )


def _rounded(parts: list[tuple[str, float]]) -> list[tuple[str, int]]:
    return [(name, round(value * CENTIPAWNS)) for name, value in parts]

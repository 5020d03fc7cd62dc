# SPDX-License-Identifier: GPL-3.0-or-later
"""`eval`: the evaluation in use, in detail. The reports are imported when needed: they bring NumPy
or the modules of networks."""

from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.evaluator import Evaluator


def evaluation_report(
    evaluator: Evaluator, board: PositionHandle, given_white_cp: int | None = None
) -> str:
    """Of a network man by man and bucket by bucket, of the classical evaluation term by term. The
    last line is the figure that a search starts from: the value that the user gave to the position,
    where there is one."""
    if evaluator.uses_network:
        from kingcobra.uci.network_report import network_report

        return network_report(evaluator, board, given_white_cp)
    from kingcobra.uci.evaluation_table import evaluation_text

    return evaluation_text(evaluator, board, given_white_cp)

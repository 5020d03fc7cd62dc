# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions with the labels of another teacher, whoever made them."""

from collections.abc import Callable

from kingcobra.training.data.blocks import Block
from kingcobra.training.data.evaluations import raw_values
from kingcobra.training.selfplay.player import Teacher


class Relabeller:
    """Labels positions by an evaluation: that of a network's file, "default" or "classical"."""

    def __init__(self, evaluation: str, report: Callable[[str], None]) -> None:
        """Raises what loading a network may raise."""
        self._evaluation = evaluation
        self._teacher = Teacher.named(evaluation, report)

    def relabelled(self, block: Block) -> Block:
        """The same positions; results of games stay. DataError for a record that is no
        position."""
        records = block.records.copy()
        records["score"] = raw_values(records, self._evaluation)
        origin = {
            "relabelled": block.origin,
            "teacher": self._teacher.name,
            "teacher_sha256": self._teacher.digest,
            "raw_per_pawn": self._teacher.raw_per_pawn,
        }
        return Block(origin, records)

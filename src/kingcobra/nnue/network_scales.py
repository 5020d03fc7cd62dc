# SPDX-License-Identifier: GPL-3.0-or-later
"""What networks call a pawn. Each generation was trained in units of its own; the search wants all
evaluations in one, so that its margins fit."""

from kingcobra.nnue.architectures import Architecture

# Parts of one in a network's raw integers.
OUTPUT_SCALE = 16
# Units of Stockfish's in a pawn of the classical evaluation, by feature set; measured.
_PAWNS = {"HalfKP": 208, "HalfKAv2": 208}
_LATER_PAWN = 208


def raw_per_pawn(architecture: Architecture) -> int:
    """A pawn in the raw integers that a network of this architecture returns."""
    return _PAWNS.get(architecture.features.name, _LATER_PAWN) * OUTPUT_SCALE

# SPDX-License-Identifier: GPL-3.0-or-later
"""The terms of a classical evaluation for each side: what `eval` shows.

It belongs to no compiled object. Without Numba a function marked as compiled runs as plain Python;
that is thousands of times slower, but for one evaluation still instant, while compiling an object
would keep the user waiting for ten seconds and more.
"""

from kingcobra.core.classical import evaluate as classical
from kingcobra.core.rules import layout
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

position_at = record_at(layout.Position)


@entry
def winning_parts_of(position_address, strong):
    """How much of an advantage of this side counts, in parts of ALL_PARTS."""
    return classical.winning_parts(position_at(position_address), strong)


@entry
def count_terms(position_address, us, counts_address):
    """Adds one side's terms to 16-bit counts at an address: upwards for White, downwards for
    Black. Returns the phase of the game."""
    pos = position_at(position_address)
    pawns = classical.pawn_structure(pos, counts_address, us)
    classical.king_shelter(pos, counts_address, us)
    ours = classical.piece_activity(pos, counts_address, us)
    theirs = classical.piece_activity(pos, None, us ^ 1)
    classical.against_each_other(pos, counts_address, us, pawns.passed, ours, theirs)
    if pos.side == us:
        classical.credit(counts_address, us, classical.TEMPO, 1)
    return classical.game_phase(pos)

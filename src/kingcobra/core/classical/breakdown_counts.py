# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation for people: which terms occur, side by side.

Nothing is compiled for it. Outside Numba a function marked as compiled runs as the Python it is,
and one evaluation, thousands of times slower than in the search, is still done before anybody
notices; an object of its own would take its user ten seconds and more to compile.
"""

from kingcobra.core.classical import evaluate as classical
from kingcobra.core.rules import layout
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

position_at = record_at(layout.Position)


@entry
def count_terms(position_address, us, counts_address):
    """Adds one side's terms to 16-bit counts at an address: upwards for White, downwards for
    Black. Returns the phase of the game."""
    pos = position_at(position_address)
    _pawns, passed = classical.pawn_structure(pos, counts_address, us)
    classical.king_shelter(pos, counts_address, us)
    ours = classical.piece_activity(pos, counts_address, us)
    theirs = classical.piece_activity(pos, None, us ^ 1)
    classical.against_each_other(pos, counts_address, us, passed, ours, theirs)
    if pos.side == us:
        classical.credit(counts_address, us, classical.TEMPO, 1)
    return classical.game_phase(pos)

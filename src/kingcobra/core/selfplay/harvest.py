# SPDX-License-Identifier: GPL-3.0-or-later
"""An evaluation that keeps some of the positions it is asked about, with the teacher's label.

The search calls it through its address as any other evaluation, so the search itself knows nothing
of it and loses no time when nobody harvests.
"""

import numpy as np

from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.core.network.layout import NetworkThread
from kingcobra.core.rules.bitboards import EMPTY
from kingcobra.core.rules.exchange import exchange_reaches
from kingcobra.core.rules.movegen import generate_noisy
from kingcobra.core.rules.position import occupied, present
from kingcobra.core.selfplay.chance import happens, random_below
from kingcobra.core.selfplay.layout import MAX_MEN, POSITION_BYTES, UNKNOWN
from kingcobra.core.selfplay.packing import pack_position
from kingcobra.kernel.compiled import compiled
from kingcobra.kernel.instructions.bits import call_address, popcount
from kingcobra.kernel.records import record_at

thread_at = record_at(NetworkThread)

# A capture or promotion that gains this much, a pawn, makes a position noisy.
WINNING_GAIN = 100


@compiled
def is_quiet(pos, moves):
    """Whether the mover has no capture or promotion that wins material."""
    for index in range(generate_noisy(pos, moves, np.int64(0))):
        if exchange_reaches(pos, np.int64(moves.moves[index]), np.int64(WINNING_GAIN)):
            return False
    return True


@compiled
def raw_label(harvest, value):
    """What the teacher says, undamped and uncorrected: a network's own integers, or the classical
    evaluation's value in the same unit. A teacher that evaluates has said it with the value."""
    if harvest.label:
        value = call_address(harvest.label, harvest.label_argument)
    if harvest.label_network:
        thread = thread_at(harvest.label_network)
        return thread.psqt + thread.positional
    return value * harvest.raw_per_pawn // PAWN_UNITS


@compiled
def consider(player, value):
    """Keeps the present position if it is worth learning from and there is room."""
    harvest = player.harvest
    pos = player.worker.position
    if (
        player.count + POSITION_BYTES > player.room
        or popcount(occupied(pos)) > MAX_MEN
        or present(pos).checkers != EMPTY
        or not (is_quiet(pos, player.list) or happens(player, harvest.noisy_share))
    ):
        return
    raw = raw_label(harvest, value)
    if abs(raw) > harvest.max_raw:
        return
    pack_position(pos, player.buffer + player.count, raw, np.int64(UNKNOWN))
    player.count += POSITION_BYTES


@compiled
def evaluate_and_harvest(player, address):
    """What the evaluation says of the worker's position."""
    value = call_address(player.harvest.evaluate, address)
    player.harvest.wait -= 1
    if player.harvest.wait <= 0:
        player.harvest.wait = 1 + random_below(player, 2 * player.harvest.one_in - 1)
        consider(player, value)
    return value


@compiled
def harvest_board(player):
    """Considers the position on the board itself, as often as the share says."""
    harvest = player.harvest
    if harvest.game_share and happens(player, harvest.game_share):
        consider(player, call_address(harvest.evaluate, player.worker.address))

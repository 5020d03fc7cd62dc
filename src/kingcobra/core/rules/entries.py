# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules as plain Python calls them. Records cross as addresses, truth values as 0 and 1."""

import numpy as np

from kingcobra.core.rules import (
    attacks,
    draws,
    exchange,
    layout,
    legality,
    movegen,
    perft,
    position,
    setup,
)
from kingcobra.core.rules.layout import ALL, CHECK, CHECKMATE, EVASIONS, NOISY, NOTHING
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

position_at = record_at(layout.Position)
setup_at = record_at(layout.Setup)
moves_at = record_at(layout.MoveList)
run_at = record_at(layout.PerftRun)


@entry
def initialise():
    """Fills the attack table; once, before anything else is called."""
    attacks.fill_slider_table()
    return 0


@entry
def set_up(position_address, setup_address):
    """1 when the position stands, 0 when the side that has just moved is in check."""
    return np.int64(setup.set_up(position_at(position_address), setup_at(setup_address)))


@entry
def generate(position_address, moves_address, which):
    """How many legal moves are now in the list: ALL of them, or the NOISY, the QUIET, or the
    EVASIONS of a side in check."""
    pos = position_at(position_address)
    moves = moves_at(moves_address)
    if which == ALL:
        return movegen.generate_all(pos, moves)
    if which == EVASIONS:
        return movegen.generate_evasions(pos, moves)
    if which == NOISY:
        return movegen.generate_noisy(pos, moves, 0)
    return movegen.generate_quiet(pos, moves, 0)


@entry
def is_legal(position_address, move):
    """Whether these sixteen bits are a legal move."""
    return np.int64(legality.is_legal(position_at(position_address), move))


@entry
def make(position_address, move):
    """Plays a legal move, to be taken back by `unmake`."""
    position.make(position_at(position_address), move)
    return 0


@entry
def unmake(position_address, move):
    """Takes back the move that was made last."""
    position.unmake(position_at(position_address), move)
    return 0


@entry
def make_null(position_address):
    """Passes, for a side that is not in check."""
    position.make_null(position_at(position_address))
    return 0


@entry
def unmake_null(position_address):
    """Takes back a pass."""
    position.unmake_null(position_at(position_address))
    return 0


@entry
def play(position_address, move):
    """Plays a legal move of the game: it is not taken back, and a past that can no longer
    matter is forgotten."""
    pos = position_at(position_address)
    position.make(pos, move)
    position.forget_unreachable_past(pos)
    return 0


@entry
def effect_of(position_address, move, moves_address):
    """What a legal move does to the opponent: NOTHING, CHECK or CHECKMATE. Uses the list."""
    pos = position_at(position_address)
    position.make(pos, move)
    effect = NOTHING
    if position.present(pos).checkers:
        evasions = movegen.generate_evasions(pos, moves_at(moves_address))
        effect = CHECK if evasions else CHECKMATE
    position.unmake(pos, move)
    return effect


@entry
def exchange_reaches(position_address, move, threshold):
    """Whether the exchange that a legal move begins gains at least the threshold."""
    return np.int64(exchange.exchange_reaches(position_at(position_address), move, threshold))


@entry
def earlier_occurrences(position_address):
    """How often the present position has stood on the board before."""
    return draws.earlier_occurrences(position_at(position_address))


@entry
def is_fifty_moves(position_address, moves_address):
    """Whether the fifty-move rule makes a draw. Uses the list."""
    return np.int64(draws.is_fifty_moves(position_at(position_address), moves_at(moves_address)))


@entry
def is_insufficient_material(position_address):
    """Whether neither side can ever mate."""
    return np.int64(draws.is_insufficient_material(position_at(position_address)))


@entry
def count_leaves(run_address, depth):
    """Leaves below a run's position, the last ply counted without being played."""
    return perft.perft(run_at(run_address), depth)


@entry
def count_made_leaves(run_address, depth):
    """Leaves below a run's position, every one of them played."""
    return perft.perft_making_all(run_at(run_address), depth)

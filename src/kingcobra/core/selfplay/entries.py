# SPDX-License-Identifier: GPL-3.0-or-later
"""What Python, and the search, call of self-play."""

import numpy as np

from kingcobra.core.rules import attacks
from kingcobra.core.rules.layout import Setup
from kingcobra.core.selfplay import game, harvest, openings
from kingcobra.core.selfplay.layout import Player
from kingcobra.kernel.compiled import entry
from kingcobra.kernel.records import record_at

player_at = record_at(Player)
setup_at = record_at(Setup)


@entry
def initialise_selfplay():
    """Fills the attack table; once, before anything else is called."""
    attacks.fill_slider_table()
    return 0


@entry
def play_on(player_address):
    """Plays until a game is over or there is another reason to return; says which."""
    return np.int64(game.play_on(player_at(player_address)))


@entry
def evaluate_and_harvest(address):
    """The evaluation of a search whose worker begins a player's record."""
    return harvest.evaluate_and_harvest(player_at(address), address)


@entry
def describe_start(setup_address, white_number, black_number):
    """Writes the start position with two home ranks of Chess960's numbering."""
    openings.describe_start(setup_at(setup_address), white_number, black_number)
    return 0

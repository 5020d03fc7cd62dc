# SPDX-License-Identifier: GPL-3.0-or-later
"""Matches of two evaluations inside compiled code."""

import dataclasses

from kingcobra.core.rules.basics import BLACK, WHITE
from kingcobra.training.data.games import games_in
from kingcobra.training.selfplay.network_match import NetworkMatch, play_game
from kingcobra.training.selfplay.player import GAME_OVER, SelfPlayer, Teacher
from kingcobra.training.selfplay.settings import match_settings
from tests.training.selfplay.playing import replayed

SETTINGS = match_settings(soft_nodes=50, seed=1)


def played_match(objects, one, two, pairs, threads=1):
    players = [SelfPlayer(objects, SETTINGS, one, None, two) for _ in range(threads)]
    match = NetworkMatch(players, pairs)
    match.run(lambda: None)
    return match


def test_an_evaluation_is_as_strong_as_itself(objects):
    match = played_match(objects, Teacher(), Teacher(), pairs=6)
    assert match.pairs == [0, 0, 6, 0, 0]
    losses, draws, wins = match.games
    assert losses == wins > 0
    assert losses + draws + wins == 12


def test_the_better_evaluation_wins_from_either_side(objects, teacher):
    match = played_match(objects, Teacher(), teacher, pairs=5)
    reverse = played_match(objects, teacher, Teacher(), pairs=5)
    assert match.games[2] >= 9
    assert reverse.games == match.games[::-1]


def test_threads_do_not_change_the_result(objects, teacher):
    one = played_match(objects, Teacher(), teacher, pairs=5)
    two = played_match(objects, Teacher(), teacher, pairs=5, threads=2)
    assert (one.games, one.pairs) == (two.games, two.pairs)


def test_each_opening_is_played_twice_by_both_colours(objects, teacher):
    settings = dataclasses.replace(SETTINGS, chess960_share=0.5)
    player = SelfPlayer(objects, settings, Teacher(), None, teacher)
    starts, colours, results = [], [], []
    for number in range(8):
        player.begin(number)
        assert player.play_on() == GAME_OVER
        (game,) = games_in(player.take())
        replayed(game)
        starts.append(game.start_fen)
        colours.append(player.record.opponent_colour)
        results.append(game.white_result)
    assert starts[::2] == starts[1::2]
    assert len(set(starts)) == 4
    assert colours == [BLACK, WHITE] * 4
    assert "1-0" in results
    assert "0-1" in results


def test_exact_nodes_are_what_a_search_takes(objects):
    """In games of one move: behind an opening no mate is so near that a search ends before."""
    settings = dataclasses.replace(SETTINGS, soft_nodes=500, exact=True, most_plies=1)
    player = SelfPlayer(objects, settings, Teacher(), None, Teacher())
    nodes = []
    for number in range(20):
        nodes_before = player.record.nodes
        assert play_game(player, number) is not None
        nodes.append(player.record.nodes - nodes_before)
    assert nodes == [settings.soft_nodes] * 20
    assert player.record.searches == 20


def test_no_search_of_a_whole_game_takes_more(objects):
    """Some take less: the last depth may be finished where mate is near."""
    settings = dataclasses.replace(SETTINGS, soft_nodes=500, exact=True)
    player = SelfPlayer(objects, settings, Teacher(), None, Teacher())
    for number in range(4):
        assert play_game(player, number) is not None
    most = settings.soft_nodes * player.record.searches
    assert 0.99 * most < player.record.nodes <= most


def test_each_side_has_tunables_of_its_own(objects):
    """Colours are reversed, so only different parameters can tell the sides apart."""
    player = SelfPlayer(objects, SETTINGS, Teacher(), None, Teacher())
    other = {"late_base": 1, "futility_margin": 22}

    def pairs(own, opponent):
        player.set_tunables(own, opponent)
        match = NetworkMatch([player], end_pair=4)
        match.run(lambda: None)
        player.record.stop = 0
        return match.pairs

    assert pairs({}, other) != [0, 0, 4, 0, 0]
    assert pairs(other, other) == [0, 0, 4, 0, 0]

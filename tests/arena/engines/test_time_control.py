# SPDX-License-Identifier: GPL-3.0-or-later
"""The text of time controls, and the runner's clock."""

import pytest

from kingcobra.arena.engines.time_control import (
    Clock,
    TimeControl,
    TimeControlError,
    parse_time_control,
)
from kingcobra.arena.games.game_record import pgn_time_control


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("40/60+0.6", TimeControl(60, 0.6, 40)),
        ("8+0.08", TimeControl(8, 0.08)),
        ("5", TimeControl(5)),
        ("40/300", TimeControl(300, 0, 40)),
        ("nodes=1000", TimeControl(nodes=1000)),
        ("depth=8", TimeControl(depth=8)),
        ("movetime=100", TimeControl(movetime_s=0.1)),
    ],
)
def test_forms(text, control):
    assert parse_time_control(text) == control


@pytest.mark.parametrize(
    "text", ["", "x", "1+", "+1", "0", "0/5", "-3", "depth=0", "depth=x", "speed=3", "1/2/3"]
)
def test_nonsense_is_named(text):
    with pytest.raises(TimeControlError, match=f"'{text.replace('+', '[+]')}'"):
        parse_time_control(text)


@pytest.mark.parametrize("text", ["fast", "speed=3", "depth=0"])
def test_what_is_expected_instead_is_said(text):
    with pytest.raises(TimeControlError) as caught:
        parse_time_control(text)
    for form in ("40/60+0.6", "nodes=N", "depth=N", "movetime=MS"):
        assert form in str(caught.value)


@pytest.mark.parametrize("text", ["40/60+0.6", "8+0.08", "5"])
def test_pgn_writes_it_the_same_way(text):
    assert pgn_time_control(parse_time_control(text)) == text


def test_pgn_has_no_clock_for_fixed_limits():
    assert pgn_time_control(TimeControl(depth=3)) == "-"


def test_increment_comes_after_the_move():
    clock = Clock(TimeControl(1.0, 0.5), margin_s=0)
    assert clock.charge(0.75)
    assert clock.remaining_s == pytest.approx(0.75)
    assert not clock.charge(0.76)


def test_margin_is_forgiven_but_not_given():
    clock = Clock(TimeControl(1.0, 0.5), margin_s=0.1)
    assert clock.allowed_s == pytest.approx(1.1)
    assert clock.charge(1.05)
    assert clock.remaining_s == pytest.approx(0.5)
    assert not clock.charge(0.61)


def test_a_new_period_brings_its_time():
    clock = Clock(TimeControl(10.0, 0, 2), margin_s=0)
    assert clock.charge(4)
    assert (clock.remaining_s, clock.moves_to_go) == (6, 1)
    assert clock.charge(4)
    assert (clock.remaining_s, clock.moves_to_go) == (12, 2)


def test_movetime_is_the_same_for_every_move():
    clock = Clock(TimeControl(movetime_s=0.1), margin_s=0.02)
    assert all(clock.charge(0.119) for _ in range(5))
    assert not clock.charge(0.121)


def test_nodes_and_depth_have_no_clock():
    clock = Clock(TimeControl(nodes=5), margin_s=0)
    assert clock.allowed_s is None
    assert clock.charge(1e6)

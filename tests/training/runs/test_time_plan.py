# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything is out before the deadline, by a clock of the test's own."""

import pytest

pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.training.runs.settings import SettingsError
from kingcobra.training.runs.time_plan import FINISHING_S, TimePlan


class Clock:
    now = 100.0

    def __call__(self):
        return self.now


def test_without_a_deadline_the_settings_say():
    clock = Clock()
    plan = TimePlan(learning_s=600, match_s=60, clock=clock)
    clock.now += 1000
    assert plan.learning_left_s(0) == 600
    assert plan.learning_left_s(200) == 400
    assert plan.learning_left_s(700) == 0
    assert plan.match_left_s() == 60


def test_a_deadline_keeps_time_for_the_end():
    clock = Clock()
    plan = TimePlan(learning_s=600, match_s=200, deadline_s=1440, clock=clock)
    clock.now += 100  # to prepare
    learning = plan.learning_left_s(0)
    assert learning == 1440 - 100 - 200 - FINISHING_S
    assert plan.learning_left_s(500) == learning
    clock.now += learning + FINISHING_S / 3
    assert plan.match_left_s() == 200
    clock.now += 100  # something was slow: the match is shorter
    assert plan.match_left_s() == 200 - 100 + FINISHING_S / 2 - FINISHING_S / 3
    clock.now += 1000
    assert plan.match_left_s() == plan.learning_left_s(0) == 0


def test_a_short_deadline_keeps_little():
    plan = TimePlan(learning_s=600, match_s=0, deadline_s=20)
    assert plan.finishing_s == pytest.approx(3)


def test_a_match_that_leaves_no_time():
    with pytest.raises(SettingsError, match=r"a match of 50 s .* leaves too little of 60 s"):
        TimePlan(learning_s=600, match_s=50, deadline_s=60)

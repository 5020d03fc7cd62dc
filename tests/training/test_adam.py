# SPDX-License-Identifier: GPL-3.0-or-later
"""Adam against its first steps by hand, and on a parabola."""

import numpy as np
import pytest

from kingcobra.training.adam import FIRST_DECAY, SECOND_DECAY, Adam


def test_the_first_step_is_the_sign_of_the_gradient():
    adam = Adam(np.zeros(3), 1e-12)
    assert adam.direction(np.array([4.0, -0.01, 0.0])) == pytest.approx([1, -1, 0])


def test_the_second_step_by_hand():
    adam = Adam(np.zeros(1), 1e-12)
    adam.direction(np.array([1.0]))
    mean = (FIRST_DECAY * (1 - FIRST_DECAY) + (1 - FIRST_DECAY) * 3) / (1 - FIRST_DECAY**2)
    square = (SECOND_DECAY * (1 - SECOND_DECAY) + (1 - SECOND_DECAY) * 9) / (1 - SECOND_DECAY**2)
    assert adam.direction(np.array([3.0])) == pytest.approx([mean / square**0.5])


def test_it_finds_the_bottom_of_a_parabola():
    values = np.array([5.0, -3.0])
    adam = Adam(values, 1e-12)
    for left in np.linspace(1, 0, 500):
        values -= 0.1 * left * adam.direction(2 * (values - np.array([1.0, 2.0])))
    assert values == pytest.approx([1.0, 2.0], abs=1e-3)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Adam for the fits that need no torch: gradient descent with a step size for each parameter."""

import numpy as np

FIRST_DECAY, SECOND_DECAY = 0.9, 0.999


class Adam:
    """The running moments of the gradients of some parameters. `epsilon` keeps the steps finite
    where gradients vanish."""

    def __init__(self, parameters: np.ndarray, epsilon: float) -> None:
        self._first = np.zeros_like(parameters)
        self._second = np.zeros_like(parameters)
        self._epsilon = epsilon
        self._turn = 0

    def direction(self, gradient: np.ndarray) -> np.ndarray:
        """What to subtract from the parameters, times the learning rate."""
        self._turn += 1
        self._first += (1 - FIRST_DECAY) * (gradient - self._first)
        self._second += (1 - SECOND_DECAY) * (gradient**2 - self._second)
        mean = self._first / (1 - FIRST_DECAY**self._turn)
        size = np.sqrt(self._second / (1 - SECOND_DECAY**self._turn)) + self._epsilon
        return np.asarray(mean / size)

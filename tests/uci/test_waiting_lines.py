# SPDX-License-Identifier: GPL-3.0-or-later
"""The queue of waiting lines against its two questions asked the slow way."""

import random

from kingcobra.uci.commands.table import QUIT, STARTS_WORK, command_word, is_measurement
from kingcobra.uci.waiting_lines import WaitingLines

LINES = ("quit", "bench", "go perft 3", "go depth 3", "stop", "isready", "", "nonsense")


def slow_quit_waits(lines):
    for line in lines:
        if is_measurement(line):
            return False
        if command_word(line) == QUIT:
            return True
    return False


def test_answers_are_those_of_a_look_at_every_line():
    rng = random.Random(1)
    queue = WaitingLines()
    lines = []
    for _ in range(5000):
        if lines and rng.random() < 0.5:
            assert queue.popleft() == lines.pop(0)
        else:
            line = rng.choice(LINES)
            queue.append(line)
            lines.append(line)
        assert list(queue) == lines
        assert len(queue) == len(lines)
        assert queue.quit_waits == slow_quit_waits(lines)
        assert queue.work_waits == any(command_word(line) in STARTS_WORK for line in lines)

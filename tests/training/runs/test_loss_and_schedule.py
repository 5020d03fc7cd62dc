# SPDX-License-Identifier: GPL-3.0-or-later
"""The loss has its minimum where it should, and the rate goes where it should."""

import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed")

from kingcobra.training.data.packed import DRAW, UNKNOWN, WIN  # noqa: E402
from kingcobra.training.model.decoding import Labels  # noqa: E402
from kingcobra.training.model.scales import OUTPUT_ONE  # noqa: E402
from kingcobra.training.runs.loss import LossRule  # noqa: E402
from kingcobra.training.runs.schedule import Schedule  # noqa: E402


def labels(scores, result=UNKNOWN):
    return Labels(torch.tensor(scores), torch.full((len(scores),), result))


def best_value(rule, wanted):
    """The value with the least loss, by trying."""
    values = torch.linspace(-3, 3, 6001)
    losses = [rule.loss(value[None], wanted).item() for value in values]
    return values[losses.index(min(losses))].item() * OUTPUT_ONE


def test_the_teacher_is_the_fixed_point():
    rule = LossRule()
    assert rule.loss(torch.tensor([0.5]), labels([round(0.5 * OUTPUT_ONE)])).item() == 0
    assert best_value(rule, labels([4321])) == pytest.approx(4321, abs=10)


def test_results_pull_towards_themselves():
    rule = LossRule(result_weight=0.5)
    assert best_value(rule, labels([4321], WIN)) > 4321 > best_value(rule, labels([4321], DRAW))
    assert best_value(rule, labels([4321], UNKNOWN)) == pytest.approx(4321, abs=10)


def test_the_rate_rises_falls_and_ends_low():
    schedule = Schedule(peak=1.0, end=0.01, warm_up=0.1)
    rates = [schedule.rate(step / 100) for step in range(101)]
    assert rates[0] == pytest.approx(0.01)
    assert max(rates) == rates[10] == pytest.approx(1.0)
    assert rates[10:] == sorted(rates[10:], reverse=True)
    assert rates[-1] == pytest.approx(0.01)
    assert schedule.rate(1.5) == pytest.approx(0.01)


def test_weights_are_rounded_at_the_end():
    schedule = Schedule(rounded=0.25)
    assert [schedule.rounds(share) for share in (0, 0.7, 0.75, 1.0)] == [False, False, True, True]

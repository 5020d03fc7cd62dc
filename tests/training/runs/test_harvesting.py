# SPDX-License-Identifier: GPL-3.0-or-later
"""Games in the background: what they find can be collected, their failures too."""

import numpy as np
import pytest

from kingcobra.training.data.validation import faults_of
from kingcobra.training.runs.harvesting import Harvest, HarvestSource
from kingcobra.training.runs.settings import HarvestSettings
from kingcobra.training.selfplay.player import Objects

pytest.importorskip("torch", reason="PyTorch is not installed")

PATIENCE_S = 300.0


def silent(_text):
    """Nobody listens."""


@pytest.fixture(scope="module")
def source():
    settings = HarvestSettings(teacher="classical", nodes=30, threads=2, one_in=1)
    return HarvestSource(settings, Objects.obtain(silent), silent)


def test_positions_arrive_while_games_go_on(source):
    harvest = source.background()
    harvest.start()
    found = []
    while sum(map(len, found)) < 1000:
        harvest.wait(PATIENCE_S)
        found.append(harvest.collect())
    harvest.stop()
    found.append(harvest.collect())
    assert harvest.positions == sum(map(len, found))
    assert not list(faults_of(np.concatenate(found)[:200]))


def test_positions_to_validate_with_are_counted_and_different(source):
    held = source.validation(300)
    again = source.validation(300)
    assert len(held) == len(again) == 300
    harvest = source.background()
    harvest.start()
    harvest.wait(PATIENCE_S)
    harvest.stop()
    seen = {record.tobytes()[:24] for record in harvest.collect()}
    shared = [record for record in held if record.tobytes()[:24] in seen]
    assert len(shared) < len(held) // 2


def test_a_run_that_goes_on_plays_other_games(source):
    def first_games(step):
        harvest = source.background(step)
        harvest.start()
        harvest.wait(PATIENCE_S)
        harvest.stop()
        return {record.tobytes()[:24] for record in harvest.collect()}

    first, other = first_games(0), first_games(7)
    assert len(first & other) < min(len(first), len(other)) // 2


def test_a_failure_is_raised_where_it_is_collected(source, monkeypatch):
    harvest = source.background()

    def fail(_tell):
        raise MemoryError("no more")

    monkeypatch.setattr(harvest._run, "run", fail)
    harvest.start()
    harvest.wait(PATIENCE_S)
    harvest.stop()
    with pytest.raises(MemoryError, match="no more"):
        harvest.collect()


def test_what_nobody_collects_is_bounded():
    harvest = Harvest([], most_waiting=100)
    for number in range(10):
        harvest._take(bytes([number]) * 32)
    assert harvest.collect().tobytes() == b"".join(bytes([number]) * 32 for number in (7, 8, 9))

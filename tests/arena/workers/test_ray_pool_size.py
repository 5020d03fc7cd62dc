# SPDX-License-Identifier: GPL-3.0-or-later
"""How many workers a cluster gets, and whose SIGTERM is afterwards, with a Ray that pretends."""

import signal
import sys
from types import SimpleNamespace

import pytest

from kingcobra.arena.engines.time_control import TimeControl
from kingcobra.arena.games.game import Rules
from kingcobra.arena.workers.worker_pool import PoolError, open_pool

RULES = Rules(TimeControl(nodes=1), 0.02, 1.0, 1.0)


class PretendedRay:
    """A cluster of so many CPUs, to which one is connected by `init` if that does not fail. Takes
    SIGTERM for itself as Ray does."""

    def __init__(self, cpus, fault=None):
        self._cpus = cpus
        self._fault = fault
        self.actors = 0
        self.connected = False

    def is_initialized(self):
        return self.connected

    def init(self, **_):
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        if self._fault is not None:
            raise self._fault
        self.connected = True

    def shutdown(self):
        self.connected = False

    def cluster_resources(self):
        return {"memory": 1e9, **({"CPU": float(self._cpus)} if self._cpus else {})}

    def remote(self, **_):
        return lambda _class: SimpleNamespace(remote=self._new_actor)

    def _new_actor(self, _rules):
        self.actors += 1
        return SimpleNamespace(close=SimpleNamespace(remote=lambda: None))

    def wait(self, *_, **__):
        return [], []

    def kill(self, _actor):
        self.actors -= 1


@pytest.fixture
def pretend(monkeypatch):
    def install(*settings):
        ray = PretendedRay(*settings)
        monkeypatch.setitem(sys.modules, "ray", ray)
        return ray

    before = signal.getsignal(signal.SIGTERM)
    yield install
    signal.signal(signal.SIGTERM, before)


@pytest.mark.parametrize(("wanted", "workers"), [(1, 1), (3, 3), (8, 3)])
def test_no_more_workers_than_the_cluster_has_cpus(pretend, capsys, wanted, workers):
    ray = pretend(3)
    with open_pool(RULES, wanted, "auto"):
        assert ray.actors == workers
    assert (ray.actors, ray.connected) == (0, False)
    said = capsys.readouterr().out
    assert ("--concurrency 8: the cluster has CPUs for 3" in said) == (wanted > workers)


def test_a_cluster_without_cpus_is_an_error(pretend):
    ray = pretend(0)
    with pytest.raises(PoolError, match="--cluster auto: it has no CPU"):
        open_pool(RULES, 1, "auto")
    assert not ray.connected


@pytest.mark.parametrize("fault", [None, RuntimeError("no"), KeyboardInterrupt()])
def test_sigterm_is_given_back(pretend, fault):
    def ours(*_):
        """A handler to be known again."""

    signal.signal(signal.SIGTERM, ours)
    pretend(1, fault)
    if fault is None:
        open_pool(RULES, 1, "auto").close()
    else:
        with pytest.raises((PoolError, KeyboardInterrupt)):
            open_pool(RULES, 1, "auto")
    assert signal.getsignal(signal.SIGTERM) is ours

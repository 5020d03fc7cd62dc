# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes per second with the default network and with Stockfish's, one thread, beside Stockfish with
its own; and the time in which an architecture is compiled."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.compiled_core import load
from benchmarks.engines import PEER_IS_MISSING, find_peer
from benchmarks.figures import Figure
from benchmarks.nodes import MILLION, nodes_per_second, our_nodes_per_second
from kingcobra.core.network.architectures import SQUARED
from kingcobra.core.network_objects import network_object
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import choose_level

# The network of the peer's Debian package.
NETWORK = "nn-ad9b42354671.nnue"
NETWORKS_VARIABLE = "KINGCOBRA_TEST_NETWORKS"
PEER_BENCH = ("bench", "16", "1", "13", "default", "depth", "NNUE")


@contextmanager
def network_file(peer: str | None) -> Iterator[Path | None]:
    """The network, from the folder that the environment names or exported by the peer; None if
    neither has it."""
    folder = os.environ.get(NETWORKS_VARIABLE)
    with TemporaryDirectory() as temporary:
        path = Path(folder or temporary) / NETWORK
        if not path.exists() and peer is not None:
            subprocess.run([peer, "export_net", str(path)], capture_output=True, check=False)
        yield path if path.exists() else None


def compile_seconds() -> float:
    """How long the largest family takes when nothing is cached."""
    level = choose_level().level
    with TemporaryDirectory() as folder:
        started = time.monotonic()
        Builder(network_object(SQUARED), lambda _text: None).compile(level, Path(folder))
        return time.monotonic() - started


def measure(rounds: int) -> Iterator[Figure]:
    """Best of several benches in turn."""
    load()  # so that the cache is warm
    peer = find_peer()
    if peer is None:
        print(PEER_IS_MISSING)
    with network_file(peer) as path:
        if path is None:
            print(f"no {NETWORK}; {NETWORKS_VARIABLE} may name its folder")
        else:
            yield from speeds(path, peer, rounds)
    yield Figure("compiling an architecture", compile_seconds(), "s")


def speeds(path: Path, peer: str | None, rounds: int) -> Iterator[Figure]:
    """Both engines with the same network, and ours with the default one."""
    ours, default, theirs = [], [], []
    setting = f"setoption name EvalFile value {path}"
    our_nodes_per_second(setting)  # so that its object and its weights are in the cache
    for _ in range(rounds):
        default.append(our_nodes_per_second())
        ours.append(our_nodes_per_second(setting))
        if peer is not None:
            theirs.append(nodes_per_second((peer, *PEER_BENCH)))
    yield Figure("bench, default network", max(default) / MILLION, "M nodes/s")
    yield Figure(f"bench, {NETWORK}", max(ours) / MILLION, "M nodes/s")
    if theirs:
        yield Figure("stockfish bench, NNUE", max(theirs) / MILLION, "M nodes/s")
        yield Figure("default network / stockfish, NNUE", max(default) / max(theirs), "x")
        yield Figure("kingcobra / stockfish, NNUE", max(ours) / max(theirs), "x")

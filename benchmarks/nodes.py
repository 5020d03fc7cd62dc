# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes per second of the whole search with the classical evaluation, one thread, beside
Stockfish's."""

import re
import subprocess
from collections.abc import Iterator, Sequence

from benchmarks.compiled_core import load
from benchmarks.engines import KINGCOBRA, PEER_IS_MISSING, EngineFailed, find_peer
from benchmarks.figures import Figure

MILLION = 1e6
# One thread, 16 MiB, depth 13 over its own positions, without its network.
PEER_BENCH = ("bench", "16", "1", "13", "default", "depth", "classical")
CLASSICAL = "setoption name Evaluation value classical"
BENCH = "bench 16 1 13"
SPEED = re.compile(r"Nodes/second\s*: (\d+)")


def nodes_per_second(command: Sequence[str]) -> int:
    """The speed that a bench prints. EngineFailed if it prints none."""
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    found = SPEED.search(result.stderr)
    if found is None:
        raise EngineFailed(f"{' '.join(command)}: no speed printed")
    return int(found[1])


def our_nodes_per_second(*settings: str) -> int:
    """The speed that our bench prints after these commands. EngineFailed if it prints none."""
    commands = "\n".join([*settings, BENCH, ""])
    result = subprocess.run(KINGCOBRA, input=commands, capture_output=True, text=True, check=False)
    found = SPEED.search(result.stderr)
    if found is None or "error" in result.stdout:
        raise EngineFailed(f"bench after {settings}: {result.stdout[-200:]}")
    return int(found[1])


def measure(rounds: int) -> Iterator[Figure]:
    """Best of several benches in turn."""
    load()  # so that the cache is warm
    peer = find_peer()
    if peer is None:
        print(PEER_IS_MISSING)
    ours, theirs = [], []
    for _ in range(rounds):
        ours.append(our_nodes_per_second(CLASSICAL))
        if peer is not None:
            theirs.append(nodes_per_second((peer, *PEER_BENCH)))
    yield Figure("bench, classical", max(ours) / MILLION, "M nodes/s")
    if theirs:
        yield Figure("stockfish bench, classical", max(theirs) / MILLION, "M nodes/s")
        yield Figure("kingcobra / stockfish", max(ours) / max(theirs), "x")

# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-play of one thread: positions harvested and moves searched a second of CPU time."""

import sys
import time
from collections.abc import Iterator

from benchmarks.engines import find_peer
from benchmarks.figures import Figure
from benchmarks.networks import NETWORK, NETWORKS_VARIABLE, network_file
from kingcobra.training.data.packed import RECORD_BYTES
from kingcobra.training.selfplay.player import GAME_OVER, Objects, SelfPlayer, Teacher
from kingcobra.training.selfplay.settings import GAMES, HARVEST, SelfPlaySettings

GAMES_A_ROUND = 40
HARVEST_NODES, GAME_NODES = 400, 100


def play(player: SelfPlayer, first: int) -> int:
    """Plays some games; returns how many bytes they wrote."""
    written = 0
    for number in range(first, first + GAMES_A_ROUND):
        player.begin(number)
        while player.play_on() != GAME_OVER:
            written += len(player.take())
        written += len(player.take())
    return written


def speeds(objects: Objects, teacher: Teacher, rounds: int) -> Iterator[Figure]:
    """The best round of each kind."""
    harvester = SelfPlayer(
        objects, SelfPlaySettings(kind=HARVEST, soft_nodes=HARVEST_NODES), teacher
    )
    gamer = SelfPlayer(objects, SelfPlaySettings(kind=GAMES, soft_nodes=GAME_NODES), teacher)
    harvests, searches = [], []
    for number in range(rounds):
        started = time.thread_time()
        positions = play(harvester, number * GAMES_A_ROUND) // RECORD_BYTES
        harvests.append(positions / (time.thread_time() - started))
        before, started = gamer.record.searches, time.thread_time()
        play(gamer, number * GAMES_A_ROUND)
        searches.append((gamer.record.searches - before) / (time.thread_time() - started))
    yield Figure(f"harvest, {teacher.name}, {HARVEST_NODES} nodes", max(harvests), "positions/s")
    yield Figure(f"games, {teacher.name}, {GAME_NODES} nodes", max(searches), "positions/s")


def measure(rounds: int) -> Iterator[Figure]:
    """With the classical evaluation, and with a network where there is one."""
    objects = Objects.obtain(_say)
    yield from speeds(objects, Teacher(), rounds)
    with network_file(find_peer()) as path:
        if path is None:
            print(f"no {NETWORK}; {NETWORKS_VARIABLE} may name its folder")
        else:
            yield from speeds(objects, Teacher.from_file(str(path), _say), rounds)


def _say(text: str) -> None:
    print(f"  {text}", file=sys.stderr)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaves a second, one thread, no table, beside Stockfish where it is installed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from benchmarks.clock import Contender, race
from benchmarks.compiled_core import counter, load
from benchmarks.engines import KINGCOBRA, PEER, PEER_IS_MISSING, Engine, EngineFailed, find_peer
from benchmarks.figures import Figure

MILLION = 1e6
LEAVES_UNIT = "M leaves/s"


@dataclass(frozen=True)
class Tree:
    """A position, a depth and the published number of leaves."""

    name: str
    fen: str
    depth: int
    leaves: int

    def counted_by(self, count: Callable[[int], int]) -> Callable[[], None]:
        """A run for the clock: counts, and fails where the count is wrong."""

        def run() -> None:
            found = count(self.depth)
            if found != self.leaves:
                raise EngineFailed(f"{self.name}: {found} leaves, expected {self.leaves}")

        return run

    def speed(self, contender: Contender, remark: str = "") -> Figure:
        """The contender's best round as a figure."""
        speed = self.leaves / contender.best_s / MILLION
        return Figure(f"{self.name}: {contender.name}", speed, LEAVES_UNIT, remark)


TREES = (
    Tree(
        "start position d6",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        depth=6,
        leaves=119_060_324,
    ),
    Tree(
        "Kiwipete d5",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        depth=5,
        leaves=193_690_690,
    ),
)


def measure(rounds: int) -> Iterator[Figure]:
    """Both ways of counting in this process, `go perft` in a process of its own, and the peer's
    `go perft` beside it."""
    core = load()
    peer_path = find_peer()
    if peer_path is None:
        print(f"  {PEER_IS_MISSING}")
    for tree in TREES:
        leaves = counter(core, tree.fen)
        bulk = Contender("bulk", tree.counted_by(leaves.count))
        made = Contender("every leaf made", tree.counted_by(leaves.count_made))
        with Engine(KINGCOBRA) as ours:
            prepare(ours, tree)
            typed = Contender("bulk, go perft", tree.counted_by(ours.perft))
            if peer_path is None:
                race([bulk, made, typed], rounds)
                yield from (tree.speed(contender) for contender in (bulk, made, typed))
                continue
            with Engine([peer_path]) as theirs:
                prepare(theirs, tree)
                peer = Contender(f"{PEER}, go perft", tree.counted_by(theirs.perft))
                race([bulk, made, typed, peer], rounds)
        yield from (tree.speed(contender) for contender in (bulk, made, typed, peer))
        ratio = peer.best_s / typed.best_s
        yield Figure(f"{tree.name}: kingcobra / {PEER}", ratio, "x", "both as go perft")


def prepare(engine: Engine, tree: Tree) -> None:
    """A warm engine with the tree's root on its board."""
    engine.request(f"uci\nisready\nposition fen {tree.fen}\nisready", "readyok")
    engine.request("isready", "readyok")

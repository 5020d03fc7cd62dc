# SPDX-License-Identifier: GPL-3.0-or-later
"""How fast tables are probed: random positions of the tables there are, again and again."""

import ctypes
import os
import random
import time
from collections.abc import Callable

from kingcobra.api.board import Board
from kingcobra.board.fen import FenError
from kingcobra.core.rules.layout import Position
from kingcobra.core.tables.layout import WDL
from kingcobra.engine.tablebases.names import SEPARATOR, name_of
from kingcobra.engine.tablebases.prober import TablebaseError, TableProber
from kingcobra.tablebases import Tablebases

SEED = 1
SQUARES, RANK = 64, 8
# Positions that a random one is chosen from may need tables that are not there.
MOST_TRIES = 100


def random_fens(tables: Tablebases, count: int) -> list[str]:
    """Positions with the men of randomly chosen tables, all known to the tables."""
    choose = random.Random(SEED)
    records = [tables.files.record(number) for number in range(len(tables.files.paths()))]
    names = [name_of(record.key) for record in records if record.kind == WDL]
    found: list[str] = []
    for _ in range(count * MOST_TRIES):
        if not names or len(found) == count:
            break
        try:
            board = Board(random_fen(choose.choice(names), choose))
            tables.probe_wdl(board)
        except (FenError, TablebaseError):
            continue
        found.append(board.fen())
    if not found:
        raise TablebaseError("no table answers for a position of its own")
    return found


def random_fen(name: str, choose: random.Random) -> str:
    """The men of `KQvKR` on random squares, either side to move; often no legal position."""
    white, black = name.split(SEPARATOR)
    men = white + black.lower()
    board = ["1"] * SQUARES
    for square, man in zip(choose.sample(range(SQUARES), len(men)), men, strict=True):
        board[square] = man
    ranks = ("".join(board[start : start + RANK]) for start in range(0, SQUARES, RANK))
    return f"{'/'.join(ranks)} {choose.choice('wb')} - - 0 1"


def measure(tables: Tablebases, count: int, seconds: float) -> dict[str, float]:
    """Probes a second of compiled code."""
    fens = random_fens(tables, count)
    positions = (Position * len(fens))()
    for number, fen in enumerate(fens):
        Board(fen).copy_to(ctypes.addressof(positions[number]))
    prober = TableProber(tables.files)
    address = ctypes.addressof(positions)
    rate = _rate(
        lambda rounds: tables.files.core.probe_again(prober.address, address, len(fens), rounds),
        len(fens),
        seconds,
    )
    return {"kingcobra": rate}


def measure_python_chess(path: str, tables: Tablebases, count: int, seconds: float) -> float:
    """The same of python-chess, on the same positions."""
    import chess.syzygy

    boards = [chess.Board(fen) for fen in random_fens(tables, count)]
    with chess.syzygy.Tablebase() as reference:
        for folder in path.split(os.pathsep):
            reference.add_directory(folder)

        def probe(rounds: int) -> None:
            for _ in range(rounds):
                for board in boards:
                    reference.probe_wdl(board)

        return _rate(probe, len(boards), seconds)


def _rate(probe: Callable[[int], object], count: int, seconds: float) -> float:
    """Probes a second, from rounds over all positions that take about so long."""
    rounds = 1
    while True:
        started = time.perf_counter()
        probe(rounds)
        elapsed = time.perf_counter() - started
        if elapsed >= seconds / 2:
            return rounds * count / elapsed
        rounds = max(2 * rounds, int(rounds * seconds / max(elapsed, 1e-6) * 0.7))

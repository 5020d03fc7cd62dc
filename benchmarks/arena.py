# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of the match runner per move. Two engines that move at once, from a list, play one long
game: all wall time is then overhead of the runner, between the moves or on the clocks of the
engines. Both together are to stay under 2 ms."""

import asyncio
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import chess

from benchmarks.figures import Figure
from kingcobra.arena.engines.engine_process import EngineProcess
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.time_control import TimeControl
from kingcobra.arena.games.game import Ending, Game, GameTask, Rules
from kingcobra.arena.games.openings import Opening

PLIES = 300
INFO_LINES_PER_MOVE = 20
MILLISECONDS = 1e3
HOUR_S = 3600

INSTANT_ENGINE = """
import sys
moves = MOVES
played = 0
info = "".join(
    f"info depth {d} seldepth {d} score cp 15 nodes {9 ** (d // 2)} nps 1000000 time {d} pv "
    + "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4 g8f6" + chr(10)
    for d in range(1, LINES + 1)
)
for line in sys.stdin:
    if line.startswith("position"):
        played = len(line.partition(" moves ")[2].split())
    elif line.startswith("go"):
        sys.stdout.write(info + f"bestmove {moves[played]}" + chr(10))
    elif line.startswith("uci") and "new" not in line:
        sys.stdout.write("uciok" + chr(10))
    elif line.startswith("isready"):
        sys.stdout.write("readyok" + chr(10))
    elif line.startswith("quit"):
        break
    sys.stdout.flush()
"""


def long_game(seed: int = 1) -> list[str]:
    """Moves of a game that is not over after PLIES plies."""
    source = random.Random(seed)
    while True:
        board = chess.Board()
        while len(board.move_stack) < PLIES and not board.is_game_over(claim_draw=True):
            board.push(source.choice(list(board.legal_moves)))
        if len(board.move_stack) == PLIES and not board.is_game_over(claim_draw=True):
            return [move.uci() for move in board.move_stack]


async def play(program: Path) -> tuple[float, float]:
    """Seconds per move: between the clocks, and on them."""
    specs = [EngineSpec((sys.executable, "-S", str(program)), name) for name in ("A", "B")]
    rules = Rules(TimeControl(HOUR_S, 0.0), 0.0, HOUR_S, HOUR_S, max_moves=PLIES // 2)
    task = GameTask(0, 0, Opening(), specs[0], specs[1])
    engines = [await EngineProcess.start(spec) for spec in specs]
    game = Game(task, rules, None)
    started = time.perf_counter()
    ending: Ending = await game.play({chess.WHITE: engines[0], chess.BLACK: engines[1]})
    wall_s = time.perf_counter() - started
    for engine in engines:
        await engine.close()
    assert len(game.moves) == PLIES, ending
    on_clock_s = sum(move.answer.seconds for move in game.moves)
    return (wall_s - on_clock_s) / PLIES, on_clock_s / PLIES


def measure(rounds: int) -> Iterator[Figure]:
    """The round with the least overhead, and its two parts."""
    with tempfile.TemporaryDirectory() as directory:
        program = Path(directory) / "instant_engine.py"
        text = INSTANT_ENGINE.replace("MOVES", repr(long_game()))
        program.write_text(text.replace("LINES", str(INFO_LINES_PER_MOVE)))
        between_s, on_clock_s = min((asyncio.run(play(program)) for _ in range(rounds)), key=sum)
    yield Figure("runner, a move", (between_s + on_clock_s) * MILLISECONDS, "ms")
    yield Figure("of it between the clocks", between_s * MILLISECONDS, "ms")
    yield Figure("of it on the clocks", on_clock_s * MILLISECONDS, "ms")

# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions that the cores make while the device learns."""

import os
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kingcobra.training.data.packed import RECORD
from kingcobra.training.runs.settings import HarvestSettings
from kingcobra.training.selfplay.book import load_book
from kingcobra.training.selfplay.player import (
    Objects,
    SelfPlayer,
    Teacher,
    origin_of,
    players_in_turn,
    students_named,
)
from kingcobra.training.selfplay.run import SelfPlayRun
from kingcobra.training.selfplay.run_output import RunLimits, RunOutput
from kingcobra.training.selfplay.settings import SelfPlaySettings

# What waits for the learner, in bytes. If it has no time for so long, the oldest are dropped.
MOST_WAITING = 1 << 32
# Positions to validate with are of other games, and fewer of each.
VALIDATION_SEED_STEP = 1_000_000_007
VALIDATION_SPARSITY = 4

Report = Callable[[str], None]


class HarvestSource:
    """Who plays, and how: everything that a harvest needs, loaded and compiled once."""

    def __init__(self, settings: HarvestSettings, objects: Objects, report: Report) -> None:
        """Raises what loading a network or a book may raise."""
        self._objects = objects
        self._settings = settings.players()
        self._teacher = Teacher.named(settings.teacher, report)
        self._students = students_named(settings.students, self._teacher, report)
        self._book = load_book(Path(settings.book), objects.core, report) if settings.book else None
        self.threads = settings.threads or max((os.cpu_count() or 1) - 1, 1)
        self.origin = origin_of(self._settings, self._teacher, self._book, self._students)

    def background(self, seed_step: int = 0) -> "Harvest":
        """A harvest that is not started yet. Another step means other games."""
        settings = replace(self._settings, seed=self._settings.seed + seed_step)
        return Harvest(self._players(settings))

    def validation(self, positions: int) -> NDArray[Any]:
        """So many positions of games that the harvest does not play; waits for them."""
        settings = replace(
            self._settings,
            seed=self._settings.seed + VALIDATION_SEED_STEP,
            one_in=self._settings.one_in * VALIDATION_SPARSITY,
            game_share=self._settings.game_share / VALIDATION_SPARSITY,
        )
        found: list[bytes] = []
        output = RunOutput(RunLimits(positions=positions), True, found.append)
        SelfPlayRun(self._players(settings), output).run(lambda: None)
        return np.frombuffer(b"".join(found), RECORD)

    def _players(self, settings: SelfPlaySettings) -> list[SelfPlayer]:
        return [
            SelfPlayer(self._objects, settings, self._teacher, self._book, student=student)
            for student in players_in_turn(self._students, self._teacher, self.threads)
        ]


class Harvest:
    """Threads that play until they are stopped. What they find waits until it is collected."""

    def __init__(self, players: list[SelfPlayer], most_waiting: int = MOST_WAITING) -> None:
        self._waiting: deque[bytes] = deque()
        self._waiting_bytes = 0
        self._most_waiting = most_waiting
        self._arrived = threading.Condition()
        self._output = RunOutput(RunLimits(), True, self._take)
        self._run = SelfPlayRun(players, self._output)
        self._failure: Exception | None = None
        self._is_over = False
        self._thread = threading.Thread(target=self._work, daemon=True)

    def start(self) -> None:
        """Begins to play."""
        self._thread.start()

    @property
    def positions(self) -> int:
        """How many were made so far."""
        return self._output.progress.positions

    def collect(self) -> NDArray[Any]:
        """What has arrived since the last time. Raises what ended the games, if anything did."""
        with self._arrived:
            if self._failure is not None:
                raise self._failure
            data = b"".join(self._waiting)
            self._waiting.clear()
            self._waiting_bytes = 0
        return np.frombuffer(data, RECORD)

    def wait(self, seconds: float) -> None:
        """Returns when something has arrived, the games have ended, or the time is over."""
        with self._arrived:
            self._arrived.wait_for(lambda: self._waiting or self._is_over, seconds)

    def stop(self) -> None:
        """Ends the games within a move; what is waiting can still be collected."""
        self._run.stop()
        if self._thread.ident is not None:
            self._thread.join()

    def _take(self, data: bytes) -> None:
        with self._arrived:
            self._waiting.append(data)
            self._waiting_bytes += len(data)
            while self._waiting_bytes > self._most_waiting:
                self._waiting_bytes -= len(self._waiting.popleft())
            self._arrived.notify_all()

    def _work(self) -> None:
        try:
            self._run.run(lambda: None)
        except Exception as error:  # raised again where it is collected
            self._failure = error
        finally:
            with self._arrived:
                self._is_over = True
                self._arrived.notify_all()

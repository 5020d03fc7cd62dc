# SPDX-License-Identifier: GPL-3.0-or-later
"""Self-play on a Ray cluster. Network and book travel there; Kingcobra must be installed on every
machine, and endgame tables must be in the same folder there. A lost machine costs what it had not
handed on; its games are played again elsewhere."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kingcobra.errors import first_line, not_installed
from kingcobra.kernel.build import settle_level
from kingcobra.networks.carried_network import CarriedNetwork, carried_network
from kingcobra.ray_cluster import ClusterConnection, ClusterError
from kingcobra.training.selfplay.book import StartPositions
from kingcobra.training.selfplay.player import (
    CLASSICAL,
    GAME_OVER,
    Objects,
    SelfPlayer,
    Teacher,
    open_endgame_tables,
)
from kingcobra.training.selfplay.run_output import RunOutput
from kingcobra.training.selfplay.settings import SelfPlayError, SelfPlaySettings

# How long an actor plays before it hands on what it has.
TURN_S = 5.0
LOOK_S = 0.2
# So many actors may be lost without any output in between before the run is given up.
MOST_LOSSES = 10


@dataclass(frozen=True)
class ActorTask:
    """All that an actor needs."""

    settings: SelfPlaySettings
    teacher: CarriedNetwork
    # Who plays, actor by actor in turn; nobody where the teacher does.
    students: tuple[CarriedNetwork, ...]
    book: StartPositions | None


@dataclass(frozen=True)
class ActorOutput:
    """What an actor has made in one turn; `is_done` when it has no game left."""

    games: int
    data: bytes
    is_done: bool


class SelfPlayActor:
    """Plays every `step`-th game from one on, as far as there are so many (zero: no end)."""

    def __init__(self, task: ActorTask, first: int, step: int, end: int) -> None:
        settle_level()
        objects = Objects.obtain(_ignore)
        tables = open_endgame_tables(objects.core, task.settings.syzygy, _ignore)
        students = task.students
        self._player = SelfPlayer(
            objects,
            task.settings,
            _arrived(task.teacher),
            task.book,
            endgame_tables=tables,
            student=_arrived(students[first % step % len(students)]) if students else None,
        )
        self._next = first
        self._step = step
        self._end = end
        self._playing = False
        # What the game in progress has written.
        self._unfinished = b""

    def play(self, seconds: float) -> ActorOutput:
        """Plays for about so long. Hands on what finished games have written: one in progress goes
        on in the next turn, and if this actor is lost, another one plays it from its start."""
        deadline = time.monotonic() + seconds
        games, data = 0, b""
        while time.monotonic() < deadline:
            if not self._playing:
                if 0 < self._end <= self._next:
                    return ActorOutput(games, data, True)
                self._player.begin(self._next)
                self._playing = True
            is_over = self._player.play_on() == GAME_OVER
            self._unfinished += self._player.take()
            if is_over:
                data += self._unfinished
                games += 1
                self._unfinished = b""
                self._next += self._step
                self._playing = False
        return ActorOutput(games, data, False)


def sent(teacher: Teacher) -> CarriedNetwork:
    """Who evaluates, for another machine. NetworkError if its file cannot be read."""
    return CarriedNetwork(CLASSICAL) if teacher.path is None else carried_network(str(teacher.path))


def _arrived(evaluation: CarriedNetwork) -> Teacher:
    with evaluation.file() as name:
        return Teacher.named(name, _ignore)


def _ignore(_text: str) -> None:
    """There is nobody to read progress on another machine."""


class ClusterRun:
    """A run on the cluster at an address, `auto` for the one this machine belongs to."""

    def __init__(self, task: ActorTask, size: int, address: str, output: RunOutput) -> None:
        """SelfPlayError where there is no such cluster."""
        try:
            self._connection = ClusterConnection(address)
        except ImportError:
            raise SelfPlayError(not_installed("Ray", "cluster")) from None
        except ClusterError as error:
            raise SelfPlayError(str(error)) from None
        self._ray = self._connection.ray
        self._output = output
        self._size = size
        self._task = self._ray.put(task)
        self._class = self._ray.remote(num_cpus=1)(SelfPlayActor)
        # The next game of each actor, and how many were lost one after another.
        self._next = list(range(size))
        self._losses = 0
        self._actors = [self._new_actor(number) for number in range(size)]

    def _new_actor(self, number: int) -> Any:
        games = self._output.limits.games
        return self._class.remote(self._task, self._next[number], self._size, games)

    def run(self, tell: Callable[[], None]) -> None:
        """Returns when a limit is reached; `tell` is called now and then. SelfPlayError when too
        many actors are lost, or raises what the output raises."""
        turns = {actor.play.remote(TURN_S): number for number, actor in enumerate(self._actors)}
        try:
            while turns and not self._output.is_out_of_time():
                ready, _ = self._ray.wait(list(turns), num_returns=1, timeout=LOOK_S)
                for turn in ready:
                    number = turns.pop(turn)
                    made = self._collect(turn, number)
                    if made is not None and self._output.add(made.data):
                        return
                    if made is not None and made.is_done:
                        # Actors that wait for a CPU can have this one.
                        self._ray.kill(self._actors[number])
                    else:
                        turns[self._actors[number].play.remote(TURN_S)] = number
                tell()
        finally:
            for actor in self._actors:
                self._ray.kill(actor)
            self._connection.close()

    def _collect(self, turn: Any, number: int) -> ActorOutput | None:
        """What an actor has made; None when it was lost, and is replaced."""
        try:
            made: ActorOutput = self._ray.get(turn)
        except self._ray.exceptions.RayError as error:
            self._losses += 1
            if self._losses > MOST_LOSSES or _is_hopeless(error):
                raise SelfPlayError(f"self-play on the cluster: {first_line(error)}") from None
            self._actors[number] = self._new_actor(number)
            return None
        self._losses = 0
        self._next[number] += made.games * self._size
        self._output.count_games(made.games)
        return made


def _is_hopeless(error: Exception) -> bool:
    """Whether the actor's own code failed: another one would fail alike."""
    return hasattr(error, "cause") and error.cause is not None

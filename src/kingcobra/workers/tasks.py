# SPDX-License-Identifier: GPL-3.0-or-later
"""Who does tasks, whatever they are, and what comes back."""

from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol, TypeAlias, TypeVar

Settings = TypeVar("Settings")
Task = TypeVar("Task")
Result = TypeVar("Result")
T = TypeVar("T")
R = TypeVar("R")

# Does one task after another.
Serve: TypeAlias = Callable[[Task], Result]
# Called once in each worker, with the settings: a class, or a function of a module.
MakeServe: TypeAlias = Callable[[Settings], Serve[Task, Result]]
# What is raised where workers cannot do anything at all; the message is one line.
Failure: TypeAlias = type[Exception]


class Answer(NamedTuple, Generic[T, R]):
    """A task and its result; None when the worker was lost."""

    task: T
    result: R | None


class Workers(Protocol[Task, Result]):
    """Processes of this machine, or actors on a cluster."""

    size: int

    def has_room(self) -> bool:
        """Whether a task can be submitted."""

    def submit(self, task: Task) -> None:
        """Begins a task."""

    def answers(self) -> list[Answer[Task, Result]]:
        """Waits until at least one task has ended."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Work of which there is one piece at a time."""

import asyncio
from collections.abc import Callable, Coroutine, Hashable
from typing import Any

Work = Callable[[], Coroutine[Any, Any, None]]


class OneTask:
    """Runs a piece of work, known by a key, until it ends or another takes its place."""

    def __init__(self, on_fault: Callable[[BaseException], None]) -> None:
        self._key: Hashable = None
        self._task: asyncio.Task[None] | None = None
        self._on_fault = on_fault

    @property
    def is_running(self) -> bool:
        """Whether there is work under way."""
        return self._task is not None and not self._task.done()

    def switch(self, key: Hashable, work: Work | None) -> None:
        """Goes on with the work under way if it has this key; otherwise cancels it and begins the
        new one, if any. Work that has ended begins again only with another key."""
        if key == self._key:
            return
        self._key = key
        if self._task is not None:
            self._task.cancel()
            self._task = None
        if work is not None:
            self._task = asyncio.create_task(work())
            self._task.add_done_callback(self._ended)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        if not task.cancelled() and task.exception() is not None:
            self._on_fault(task.exception())  # type: ignore[arg-type]

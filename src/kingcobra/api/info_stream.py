# SPDX-License-Identifier: GPL-3.0-or-later
"""What a running search has reported: a queue between its threads and whoever reads it."""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any, cast

from chess.engine import AnalysisComplete, BestMove, InfoDict

from kingcobra.api.infos import LOWER_BOUND, UPPER_BOUND
from kingcobra.api.interruptible import wait_for_change


class InfoStream:
    """Information in the order it came, and all of it together for each line. One end posts, from
    any thread; the other reads, from any thread or event loop."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._queue: deque[InfoDict] = deque()
        self._lines: list[InfoDict] = [{}]
        self._best: BestMove | None = None
        self._error: Exception | None = None
        self._is_finished = False
        # Called once at the next change, then forgotten.
        self._wakers: list[Callable[[], None]] = []

    # --- the end that posts -------------------------------------------------------------------

    def post(self, info: InfoDict) -> None:
        """Adds information. A new score ends what was said about the bounds of the old one."""
        number = info.get("multipv", 1)
        with self._changed:
            while len(self._lines) < number:
                self._lines.append({})
            line = cast(dict[str, Any], self._lines[number - 1])
            if "score" in info:
                line.pop(LOWER_BOUND, None)
                line.pop(UPPER_BOUND, None)
            line.update(info)
            self._queue.append(info)
            self._wake()

    def finish(self, best: BestMove) -> None:
        """Nothing follows; this is the result."""
        with self._changed:
            self._best = best
            self._is_finished = True
            self._wake()

    def fail(self, error: Exception) -> None:
        """Nothing follows; `wait` and `get` raise this."""
        with self._changed:
            self._error = self._error or error
            self._is_finished = True
            self._wake()

    def _wake(self) -> None:
        self._changed.notify_all()
        wakers, self._wakers = self._wakers, []
        for wake in wakers:
            wake()

    # --- the end that reads -------------------------------------------------------------------

    @property
    def lines(self) -> list[InfoDict]:
        """A copy of all information so far, one dictionary for each line."""
        with self._changed:
            return [line.copy() for line in self._lines]

    @property
    def is_finished(self) -> bool:
        """Whether nothing more will be posted."""
        return self._is_finished

    @property
    def is_empty(self) -> bool:
        """Whether everything posted so far has been read."""
        return not self._queue

    def wait(self) -> BestMove:
        """Blocks until the end. Raises what the search failed with."""
        with self._changed:
            wait_for_change(self._changed, lambda: self._is_finished)
            return self._result()

    def get(self) -> InfoDict:
        """Blocks until there is more. AnalysisComplete at the end."""
        with self._changed:
            wait_for_change(self._changed, lambda: bool(self._queue) or self._is_finished)
            return self._next()

    async def wait_async(self) -> BestMove:
        """`wait` for an event loop."""
        while True:
            with self._changed:
                if self._is_finished:
                    return self._result()
                change = self._next_change()
            await change

    async def get_async(self) -> InfoDict:
        """`get` for an event loop."""
        while True:
            with self._changed:
                if self._queue or self._is_finished:
                    return self._next()
                change = self._next_change()
            await change

    def _result(self) -> BestMove:
        if self._error is not None:
            raise self._error
        assert self._best is not None
        return self._best

    def _next(self) -> InfoDict:
        if self._queue:
            return self._queue.popleft()
        if self._error is not None:
            raise self._error
        raise AnalysisComplete

    def _next_change(self) -> "asyncio.Future[None]":
        """Done, in the running event loop, at the next change. The lock is held."""
        loop = asyncio.get_running_loop()
        change: asyncio.Future[None] = loop.create_future()

        def set_done() -> None:
            if not change.done():
                change.set_result(None)

        def wake() -> None:
            with suppress(RuntimeError):  # the loop was closed; nobody waits any more
                loop.call_soon_threadsafe(set_done)

        self._wakers.append(wake)
        return change

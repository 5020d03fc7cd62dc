# SPDX-License-Identifier: GPL-3.0-or-later
"""A running analysis, as python-chess's SimpleAnalysisResult and AnalysisResult are used."""

from collections.abc import AsyncIterator, Callable, Iterator
from types import TracebackType
from typing import Any, Self, TypeVar

from chess.engine import AnalysisComplete, BestMove, InfoDict

from kingcobra.api.info_stream import InfoStream

T = TypeVar("T")


class _RunningAnalysis:
    """What both kinds have in common. `owner` is kept alive: an engine without users is closed."""

    def __init__(self, stream: InfoStream, stop: Callable[[], None], owner: Any) -> None:
        self._stream = stream
        self._stop = stop
        self._owner = owner

    @property
    def multipv(self) -> list[InfoDict]:
        """All information so far, one dictionary for each line."""
        return self._stream.lines

    @property
    def info(self) -> InfoDict:
        """All information so far about the best line: `multipv[0]`."""
        return self.multipv[0]

    def stop(self) -> None:
        """Ends the search as soon as possible; from any thread. What it has found so far can
        still be read."""
        self._stop()

    def would_block(self) -> bool:
        """Whether `get`, `next` or a step of the loop would have to wait for the engine."""
        return self._stream.is_empty and not self._stream.is_finished

    def empty(self) -> bool:
        """Whether all information so far has been read."""
        return self._stream.is_empty

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        exc_type: type[BaseException] | None,
        exc_value: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.stop()


class Analysis(_RunningAnalysis):
    """A running analysis. Iterating over it, also with `async for`, gives information as it comes
    and ends with the search; a `with` statement stops the search at its end. Ctrl-C while it waits
    stops the search, too."""

    def wait(self) -> BestMove:
        """The result, when the search has ended."""
        return self._interruptible(self._stream.wait)

    def get(self) -> InfoDict:
        """The next information. chess.engine.AnalysisComplete if there will be none."""
        return self._interruptible(self._stream.get)

    def next(self) -> InfoDict | None:
        """The next information, None if there will be none."""
        try:
            return self.get()
        except AnalysisComplete:
            return None

    def __iter__(self) -> Iterator[InfoDict]:
        return self

    def __next__(self) -> InfoDict:
        try:
            return self.get()
        except AnalysisComplete:
            raise StopIteration from None

    def __aiter__(self) -> AsyncIterator[InfoDict]:
        return _steps(self._stream)

    def _interruptible(self, read: Callable[[], T]) -> T:
        try:
            return read()
        except KeyboardInterrupt:
            self.stop()
            raise


class AsyncAnalysis(_RunningAnalysis):
    """The same for event loops: `wait`, `get` and `next` are coroutines."""

    async def wait(self) -> BestMove:
        """The result, when the search has ended."""
        return await self._stream.wait_async()

    async def get(self) -> InfoDict:
        """The next information. chess.engine.AnalysisComplete if there will be none."""
        return await self._stream.get_async()

    async def next(self) -> InfoDict | None:
        """The next information, None if there will be none."""
        try:
            return await self.get()
        except AnalysisComplete:
            return None

    def __aiter__(self) -> AsyncIterator[InfoDict]:
        return _steps(self._stream)


async def _steps(stream: InfoStream) -> AsyncIterator[InfoDict]:
    while True:
        try:
            info = await stream.get_async()
        except AnalysisComplete:
            return
        yield info

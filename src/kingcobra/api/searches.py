# SPDX-License-Identifier: GPL-3.0-or-later
"""What answers a request: a search that runs, or a book that knows the move."""

from functools import partial

from chess.engine import BestMove, PlayResult

from kingcobra.api.errors import EngineError
from kingcobra.api.info_stream import InfoStream
from kingcobra.api.infos import InfoListener
from kingcobra.api.positions import chess_moves
from kingcobra.engine.background import Action, Job
from kingcobra.engine.own_book import BookChoice
from kingcobra.engine.reports import SearchResult
from kingcobra.engine.search import Search

# A move, and the reply that is expected.
MOVES_SHOWN = 2


class RunningSearch(Job):
    """A search and the stream of what it finds."""

    def __init__(self, search: Search, listener: InfoListener, stream: InfoStream) -> None:
        self.stream = stream
        self.result: SearchResult | None = None
        self._search = search
        self._listener = listener

    def run(self) -> Action:
        """Searches. Whatever goes wrong, the stream ends."""
        try:
            self.result = self._search.run()
            self._listener.close(self.result)
            best = best_move(self.result.moves, self._listener.chess960)
            return partial(self.stream.finish, best)
        except Exception as error:
            return partial(self.stream.fail, internal_error(error))

    def stop(self) -> None:
        """Ends the search; from any thread."""
        self._search.stop()

    @property
    def awaits_stop(self) -> bool:
        """Whether it is infinite or ponders."""
        return self._search.awaits_stop

    @property
    def moves(self) -> list[int]:
        """The best line; empty before the end."""
        return self.result.moves if self.result is not None else []

    @property
    def accepts_draw(self) -> bool:
        """Whether the search has found nothing better than a draw."""
        return self.result is not None and bool(self.result.moves) and self.result.score <= 0


class BookAnswer:
    """A move of the book, there at once."""

    accepts_draw = False

    def __init__(self, choice: BookChoice, chess960: bool) -> None:
        self.moves = [choice.move] if choice.reply is None else [choice.move, choice.reply]
        self.stream = InfoStream()
        self.stream.finish(best_move(self.moves, chess960))

    def stop(self) -> None:
        """There is nothing to stop."""


def best_move(moves: list[int], chess960: bool) -> BestMove:
    """The first move of a line and the reply, None where there is none."""
    shown = chess_moves(moves[:MOVES_SHOWN], chess960)
    return BestMove(*shown, *[None] * (MOVES_SHOWN - len(shown)))


def play_result(
    running: RunningSearch | BookAnswer, best: BestMove, has_info: bool, draw_offered: bool
) -> PlayResult:
    """What `play` returns once the answer is there. A draw that is offered is accepted by an offer
    of our own."""
    return PlayResult(
        best.move,
        best.ponder,
        running.stream.lines[0] if has_info else None,
        draw_offered=draw_offered and running.accepts_draw,
    )


def internal_error(error: Exception) -> EngineError:
    """Something to report to the developers."""
    fault = EngineError(f"internal error: {type(error).__name__}: {error}")
    fault.__cause__ = error
    return fault

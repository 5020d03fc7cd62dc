# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that start and stop searches."""

from functools import partial

from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.engine.background import Action, Job
from kingcobra.engine.limits import SearchLimits
from kingcobra.engine.own_book import BookChoice
from kingcobra.engine.search import Search
from kingcobra.uci.engine_printer import evaluation_lines
from kingcobra.uci.go import parse_go
from kingcobra.uci.protocol import UciError, internal_error
from kingcobra.uci.search_printer import SearchPrinter
from kingcobra.uci.session import Session
from kingcobra.uci.streams import print_warning


class SearchJob(Job):
    """The search of a `go`; its closing line is `bestmove`."""

    def __init__(self, search: Search, printer: SearchPrinter, session: Session) -> None:
        self.search = search
        self._printer = printer
        self._session = session

    def run(self) -> Action:
        """Whatever goes wrong, there is a `bestmove`: a GUI would wait for it for ever."""
        try:
            text = self._printer.closing_text(self.search.run())
        except Exception as error:
            text = _text_after(error, self._printer)
        return partial(self._session.send, text)

    def stop(self) -> None:
        """Ends the search."""
        self.search.stop()

    @property
    def awaits_stop(self) -> bool:
        """Whether it is infinite or ponders."""
        return self.search.awaits_stop


def go(session: Session, text: str) -> None:
    """go [searchmoves | ponder | wtime | btime | winc | binc | movestogo | depth | nodes |
    mate | movetime | infinite | perft] …: searches until the first limit is reached."""
    engine = session.engine
    try:
        command = parse_go(text.split(), engine.board)
    except UciError as refusal:
        raise UciError(f"go: {refusal}") from None
    session.report_ignored("go", [*command.word_errors, *command.move_errors])
    session.stop_work()
    position = engine.board.copy()
    if command.perft_depth is not None:
        from kingcobra.uci.perft import PerftJob  # games are played without

        engine.start(PerftJob(engine.core, position, command.perft_depth, session.send_from_job))
        return
    session.prepare()
    choice = _book_choice(session, position, command.limits)
    if choice is not None:
        _send_book_move(session, position, choice)
        return
    printer = SearchPrinter(position, engine.scale, session.send_from_job, session.shows_wdl)
    for line in evaluation_lines(engine.evaluator):
        session.info(line)
    try:
        if session.is_one_shot and command.limits.is_endless:
            print_warning("go has no limit: searching until Ctrl-C")
        search = engine.search(position, command.limits, printer, session.started_ns)
        engine.start(SearchJob(search, printer, session))
    except Exception as fault:  # an internal error must not leave a GUI waiting
        session.send(_text_after(fault, printer))


def _book_choice(
    session: Session, position: PositionHandle, limits: SearchLimits
) -> BookChoice | None:
    """The book's move. A fault costs the book's help, not the move."""
    engine = session.engine
    try:
        return engine.book.choice(position, limits, engine.settings.analyse_mode)
    except Exception as fault:
        session.info(internal_error("in the book", fault))
        return None


def _send_book_move(session: Session, position: PositionHandle, choice: BookChoice) -> None:
    move = format_move(choice.move, position.record)
    session.info(f"book move {move}")
    reply = "" if choice.reply is None else format_move(choice.reply, position.record)
    session.send(f"bestmove {move} ponder {reply}" if reply else f"bestmove {move}")


def _text_after(fault: Exception, printer: SearchPrinter) -> str:
    error = internal_error("in 'go'", fault)
    return f"info string {error}\n{printer.fallback_text()}"


def stop(session: Session, _text: str) -> None:
    """stop: ends the running search, or whatever else runs."""
    session.stop_work()


def ponderhit(session: Session, _text: str) -> None:
    """ponderhit: the expected move was played; pondering becomes an ordinary search."""
    session.engine.ponderhit()

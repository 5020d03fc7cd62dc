# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that set the engine to work, and end it."""

from kingcobra.engine.search_threads import SearchResult
from kingcobra.uci.go import parse_go, searchmoves_complaints
from kingcobra.uci.search_printer import SearchPrinter
from kingcobra.uci.session import Session


def go(talk: Session, text: str) -> None:
    """go [searchmoves | ponder | wtime | btime | winc | binc | movestogo | depth | nodes |
    mate | movetime | infinite | perft] …: searches until the first limit is reached."""
    limits, complaints = parse_go(text.split())
    engine = talk.engine
    for complaint in (*complaints, *searchmoves_complaints(limits, engine.board)):
        talk.info(f"error: {complaint}")
    talk.halt()
    if limits.perft is not None:
        engine.start_perft(limits.perft, talk.say_at_work, talk.wake)
        return
    teller = SearchPrinter(engine, engine.board, talk.say_at_work)

    def answer(finding: SearchResult) -> None:
        try:
            text = teller.answer(finding)
        except Exception as error:  # a fault of ours must not leave a GUI waiting
            text = _answer_after(error, teller)
        talk.say(text)

    for line in engine.evaluator.announcements():
        talk.info(line)
    try:
        engine.go(limits, teller.tell, answer, talk.wake, teller.tick, talk.asked_ns)
    except Exception as error:  # the same before anything is searched
        talk.say(_answer_after(error, teller))


def _answer_after(error: Exception, teller: SearchPrinter) -> str:
    fault = f"info string error: internal, in 'go': {type(error).__name__}: {error}"
    return f"{fault}\n{teller.any_answer()}"


def stop(talk: Session, _text: str) -> None:
    """stop: ends the work under way."""
    talk.halt()


def ponderhit(talk: Session, _text: str) -> None:
    """ponderhit: the expected move was played; pondering becomes an ordinary search."""
    talk.engine.ponderhit()

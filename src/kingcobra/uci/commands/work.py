# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that set the engine to work, and end it."""

from kingcobra.board.layout import Position
from kingcobra.board.moves import format_move
from kingcobra.search.layout import Report
from kingcobra.search.pool import Finding
from kingcobra.uci.conversation import Conversation
from kingcobra.uci.go_words import parse_go
from kingcobra.uci.info import format_report


def go(talk: Conversation, text: str) -> None:
    """go [searchmoves | ponder | wtime | btime | winc | binc | movestogo | depth | nodes |
    mate | movetime | infinite | perft] …: searches until the first limit is reached."""
    limits, complaints = parse_go(text.split())
    for complaint in complaints:
        talk.info(f"error: {complaint}")
    engine = talk.engine
    talk.halt()
    if limits.perft:
        engine.start_perft(limits.perft, talk.say_at_work, talk.wake)
        return
    position = type(engine.board.record).from_buffer_copy(engine.board.record)

    def tell(report: Report, nodes: int) -> None:
        full = engine.pool.fullness_permille()
        talk.say_at_work(format_report(report, position, nodes, full))

    def answer(finding: Finding) -> None:
        talk.say(_answer(finding, position))

    for line in engine.evaluator.announcements():
        talk.info(line)
    engine.go(limits, tell, answer, talk.wake)


def _answer(finding: Finding, position: Position) -> str:
    """bestmove, and what the opponent is expected to play."""
    if not finding.line:
        mated = position.states[position.ply].checkers
        return f"info depth 0 score {'mate 0' if mated else 'cp 0'}\nbestmove (none)"
    best, *rest = finding.line
    text = f"bestmove {format_move(best, position)}"
    return f"{text} ponder {format_move(rest[0], position)}" if rest else text


def stop(talk: Conversation, _text: str) -> None:
    """stop: ends the work under way."""
    talk.halt()


def ponderhit(talk: Conversation, _text: str) -> None:
    """ponderhit: the expected move was played; pondering becomes an ordinary search."""
    talk.engine.ponderhit()

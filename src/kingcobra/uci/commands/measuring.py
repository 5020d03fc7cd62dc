# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that measure. What they need is imported when they are given: no GUI gives them."""

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.search.layout import Report
from kingcobra.uci.go import searchmoves_complaints
from kingcobra.uci.info import format_report
from kingcobra.uci.session import Call, Session
from kingcobra.uci.streams import write_stderr


def bench(talk: Session, text: str) -> None:
    """bench [hash] [threads] [limit] [default | current | file] [limit type], or bench and
    limits as for go: a fixed task for speed and signature."""
    from kingcobra.uci.bench import Bench, go_form_limits, is_go_form, parse_task

    words = text.split()
    engine = talk.engine
    talk.halt()
    runner = Bench(engine, talk.say_at_work)

    def tell(report: Report, nodes: int, board: PositionHandle) -> None:
        full = engine.pool.fullness_permille()
        talk.say_at_work(format_report(report, board.record, nodes, full, engine.scale))

    endless = False
    if is_go_form(words):
        limits = go_form_limits(words)
        board = PositionHandle(engine.core, engine.board.fen(), engine.board.chess960)
        for complaint in searchmoves_complaints(limits, board):
            talk.info(f"error: {complaint}")

        def work() -> Call:
            runner.take(board, limits, tell)
            return lambda: talk.say(runner.go_form_summary())
    else:
        task = parse_task(words, (engine.board.fen(), engine.board.chess960))
        bring_back = engine.lend(task.threads, task.hash_mb)
        endless = task.limits.infinite

        def work() -> Call:
            try:
                runner.run(task, tell)
            finally:
                bring_back()
            return lambda: write_stderr(runner.stockfish_summary())

    engine.work.start(work, runner.halt, talk.wake, endless)


def speedtest(talk: Session, text: str) -> None:
    """speedtest [threads] [hash] [seconds]: the speed of this machine over a whole game; all
    threads, 128 MiB for each and 150 seconds unless said otherwise."""
    from kingcobra.uci.speedtest import SpeedTest, parse_speed_task

    task = parse_speed_task(text.split())
    engine = talk.engine
    talk.halt()
    test = SpeedTest(engine, task, write_stderr)
    bring_back = engine.lend(task.threads, task.hash_mb)

    def work() -> Call:
        try:
            test.run()
        finally:
            bring_back()
        return lambda: write_stderr(test.summary())

    engine.work.start(work, test.halt, talk.wake)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands that measure. What they need is imported when they are given: no GUI gives them."""

from kingcobra.board.position_handle import PositionHandle
from kingcobra.uci.session import Session


def bench(session: Session, text: str) -> None:
    """bench [hash] [threads] [limit] [default | current | file] [limit type], or bench and
    limits as for go: a fixed task for speed and signature."""
    from kingcobra.uci.bench import (
        BenchLimits,
        GoFormBench,
        SuiteBench,
        is_go_form,
        parse_go_form,
        parse_task,
    )

    words = text.split()
    engine = session.engine
    # Without its past: the count depends on the position alone.
    position = PositionHandle(engine.core, engine.board.fen(), engine.board.chess960)
    if is_go_form(words):
        command = parse_go_form(words, position)
        session.report_ignored("bench", command.move_errors)
        session.stop_work()
        session.prepare()
        limits = BenchLimits(command.limits, command.perft_depth)
        engine.start(GoFormBench(engine, position, limits, session.send_from_job))
    else:
        task = parse_task(words, position)
        session.stop_work()
        session.prepare()
        engine.start(SuiteBench(engine, task, session.send_from_job))


def speedtest(session: Session, text: str) -> None:
    """speedtest [threads] [hash] [seconds]: the speed of this machine over a whole game; all
    threads, 128 MiB for each and 150 seconds unless said otherwise."""
    from kingcobra.uci.speedtest import SpeedTest, parse_speed_task

    task = parse_speed_task(text.split())
    session.stop_work()
    session.prepare()
    session.engine.start(SpeedTest(session.engine, task))

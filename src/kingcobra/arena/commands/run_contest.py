# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a match or a tuning for a tool, from its settings to its exit code."""

import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from kingcobra.arena.api import GameSettings
from kingcobra.arena.commands.game_options import report_error
from kingcobra.arena.contests.contest import Contest
from kingcobra.arena.workers.game_runner import MatchError
from kingcobra.arena.workers.worker_pool import PoolError
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE


@contextmanager
def _sigterm_interrupts() -> Iterator[None]:
    """Inside, SIGTERM stops the games as the interrupt key does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@_sigterm_interrupts()
def run_contest(
    tool: str,
    read_settings: Callable[[], GameSettings],
    conclude: Callable[[Any], int] = lambda _contest: EXIT_OK,
) -> int:
    """Plays the contest of the settings; its exit code. `tool` is the sub-command that error
    messages name; `conclude` is called with the contest whenever the games end, also where they
    were interrupted, and its exit code counts unless it is 0."""
    try:
        settings = read_settings()
        contest = settings.contest()
        contest.check_engines()
        contest.start(settings.resume, settings.overwrite)
    except (ValueError, OSError) as error:
        return report_error(tool, error, EXIT_USAGE)
    for fact in contest.facts:
        print(f"{fact.name}: {fact.reported_name}")
    for warning in _warnings(settings):
        print(warning)
    code = _play(tool, contest, is_resumable=settings.pgn is not None)
    return conclude(contest) or code


def _play(tool: str, contest: Contest, is_resumable: bool) -> int:
    try:
        contest.play()
    except KeyboardInterrupt:
        print("stopped; --resume continues" if is_resumable else "stopped", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (MatchError, PoolError, OSError) as error:
        return report_error(tool, error, EXIT_FAILED)
    if contest.workers_lost:
        why = f"; the errors are in {contest.errors_path}" if contest.errors_path else ""
        print(f"workers lost and replaced: {contest.workers_lost}{why}")
    return EXIT_OK


def _warnings(settings: GameSettings) -> Iterator[str]:
    """About settings that make a result unreliable."""
    if not settings.book:
        yield "no --book: every game starts from the same position"
    at_once, cores = settings.concurrency, os.cpu_count()
    if settings.cluster is None and cores is not None and at_once > cores:
        yield f"--concurrency {at_once} is more than the cores ({cores}): clocks will be unreliable"

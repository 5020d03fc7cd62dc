# SPDX-License-Identifier: GPL-3.0-or-later
"""What every tool that plays games does, from reading its options to its exit code."""

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from kingcobra.arena.commands.game_options import check_game_options
from kingcobra.arena.contests.contest import Contest, Workers
from kingcobra.arena.errors import complain
from kingcobra.arena.workers.game_runner import MatchError
from kingcobra.arena.workers.worker_pool import PoolError
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE

ContestT = TypeVar("ContestT", bound=Contest)


@contextmanager
def _sigterm_interrupts() -> Iterator[None]:
    """Within it SIGTERM stops the games as the interrupt key does."""
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@_sigterm_interrupts()
def run_contest(
    tool: str,
    options: argparse.Namespace,
    prepare: Callable[[argparse.Namespace, Workers], ContestT],
    conclude: Callable[[ContestT], int] = lambda _contest: EXIT_OK,
) -> int:
    """The exit code of the contest that `prepare` makes of the options. `tool` is the sub-command
    that complaints name; `conclude` is called at every end of the games, also an interrupted one,
    and its exit code counts unless it is 0."""
    try:
        check_game_options(options)
        contest = prepare(options, Workers(options.concurrency, options.cluster))
        contest.check_engines()
        contest.start(options.resume, options.overwrite)
    except (ValueError, OSError) as error:
        return complain(tool, error, EXIT_USAGE)
    for fact in contest.facts:
        print(f"{fact.name}: {fact.reported_name}")
    for warning in _warnings(options):
        print(warning)
    code = _play(tool, contest, resumable=options.pgn is not None)
    return conclude(contest) or code


def _play(tool: str, contest: Contest, resumable: bool) -> int:
    try:
        contest.play()
    except KeyboardInterrupt:
        print("stopped; --resume goes on" if resumable else "stopped", file=sys.stderr)
        return EXIT_INTERRUPTED
    except (MatchError, PoolError, OSError) as error:
        return complain(tool, error, EXIT_FAILED)
    if contest.workers_lost:
        why = f"; why is in {contest.errors_path}" if contest.errors_path else ""
        print(f"workers lost and replaced: {contest.workers_lost}{why}")
    return EXIT_OK


def _warnings(options: argparse.Namespace) -> Iterator[str]:
    """What spoils a result though nothing forbids it."""
    if not options.book:
        yield "no --book: every game starts from the same position"
    at_once, cores = options.concurrency, os.cpu_count()
    if options.cluster is None and cores is not None and at_once > cores:
        yield f"--concurrency {at_once} is more than the cores ({cores}): clocks will lie"

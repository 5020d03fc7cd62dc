# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra suite`: how many EPD test positions an engine solves."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from kingcobra.arena.commands.game_options import ENGINE_HELP, report_error, tool_parser
from kingcobra.arena.contests.engine_check import Requirements, check_engines
from kingcobra.arena.contests.problems import read_problems
from kingcobra.arena.contests.suite import SuiteResult, SuiteSettings, run_suite
from kingcobra.arena.engines.engine_spec import SELF, parse_engine
from kingcobra.arena.engines.time_control import parse_time_control
from kingcobra.arena.games.game import DEFAULT_MOVE_TIMEOUT_S
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE

DESCRIPTION = """\
Runs EPD test positions through an engine and prints, file by file, how many it solves: bm (one of
these moves), am (none of these), dm or bm #N (a mate), c0 "move=points" as in the STS."""
EXAMPLE = """\
kingcobra suite suites/ --limit movetime=200
kingcobra suite sts.epd --engine stockfish,option.Hash=64 --limit nodes=100000 --failures"""
LIMIT_FORM = "movetime=MS, nodes=N or depth=N"
DEFAULT_LIMIT = "movetime=1000"
EPD_PATTERN = "*.epd"
TOTAL = "total"
CLEAR_LINE = "\r\x1b[K"


def main(arguments: list[str]) -> int:
    """Runs the files and prints the table; 1 if the engine failed on a position."""
    options = _parser().parse_args(arguments)
    try:
        settings = _settings(options)
        suites = {path: read_problems(path) for path in _files(options.files)}
        (facts,) = check_engines([settings.engine], Requirements(settings.limit, setup=True))
    except (ValueError, OSError) as error:
        return report_error("suite", error, EXIT_USAGE)
    for message in (message for suite in suites.values() for message in suite.unreadable):
        print(f"kingcobra suite: skipping {message}", file=sys.stderr)
    print(f"{facts.name}: {facts.reported_name}")
    results: list[SuiteResult] = []
    code = EXIT_OK
    try:
        for path, suite in suites.items():
            chosen = suite.problems[: options.first]
            results.append(SuiteResult(path.stem))
            report = _counter(path.stem, len(chosen))
            asyncio.run(run_suite(settings, chosen, results[-1].attempts, report))
    except KeyboardInterrupt:
        print("stopped; results so far:", file=sys.stderr)
        code = EXIT_INTERRUPTED
    results = [result for result in results if result.attempts]
    if options.failures:
        print("\n".join(failure_lines(results)))
    if results:
        print("\n".join(table(results)))
    return code or (EXIT_FAILED if any(result.faults for result in results) else EXIT_OK)


def _settings(options: argparse.Namespace) -> SuiteSettings:
    if "=" not in options.limit:
        raise ValueError(f"--limit {options.limit}: a suite has no clock, expected {LIMIT_FORM}")
    if len(options.engines) > 1:
        raise ValueError("a suite takes one --engine at a time")
    for option, value in (("--concurrency", options.concurrency), ("--first", options.first)):
        if value is not None and value < 1:
            raise ValueError(f"{option} must be at least 1, got {value}")
    if not options.patience >= 0:
        raise ValueError(f"--patience must be at least 0, got {options.patience}")
    engine = parse_engine(options.engines[0] if options.engines else SELF)
    limit = parse_time_control(options.limit)
    return SuiteSettings(engine, limit, options.patience, options.concurrency)


def table(results: Sequence[SuiteResult]) -> list[str]:
    """One row for each file, and their sum where there are several."""
    rows = list(results)
    if len(rows) > 1:
        rows.append(SuiteResult(TOTAL, [a for result in results for a in result.attempts]))
    width = max(len(row.name) for row in rows)
    lines = [f"{'':{width}}  solved   of       %   points       of    s each    nodes each  faults"]
    for row in rows:
        count = len(row.attempts)
        points = f"{row.points:8d} {row.max_points:8d}" if row.max_points else " " * 17
        lines.append(
            f"{row.name:{width}}  {row.solved:6d} {count:4d} {100 * row.solved / count:7.2f} "
            f"{points} {row.seconds / count:9.3f} {row.nodes // count:13d} {row.faults:7d}"
        )
    return lines


def failure_lines(results: Sequence[SuiteResult]) -> list[str]:
    """Every position that was not solved: the move, the solution, and the position."""
    return [
        f"{attempt.problem.name}: {attempt.move}, not {attempt.problem.solution()},"
        f" in {attempt.problem.fen}"
        for result in results
        for attempt in result.attempts
        if not attempt.is_solved
    ]


def _files(paths: Sequence[Path]) -> list[Path]:
    """The files, and those of each folder; FileNotFoundError for a folder without any."""
    files: list[Path] = []
    for path in paths:
        found = sorted(path.glob(EPD_PATTERN)) if path.is_dir() else [path]
        if not found:
            raise FileNotFoundError(f"{path}: no {EPD_PATTERN} in it")
        files += found
    return files


def _counter(name: str, total: int) -> Callable[[int], None]:
    """Shows a counter on a terminal while a file is run; nothing elsewhere."""

    def show(done: int) -> None:
        if sys.stderr.isatty():
            text = f"{name} {done}/{total}" if done < total else ""
            print(f"{CLEAR_LINE}{text}", end="", file=sys.stderr, flush=True)

    return show


def _parser() -> argparse.ArgumentParser:
    parser = tool_parser("suite", "FILE ...", DESCRIPTION, EXAMPLE)
    parser.add_argument(
        "files", nargs="+", type=Path, metavar="FILE", help="EPD file, or a folder of them"
    )
    parser.add_argument(
        "--engine",
        action="append",
        dest="engines",
        default=[],
        metavar="SPEC",
        help=f"the engine to test ({SELF}); {ENGINE_HELP}",
    )
    parser.add_argument(
        "--limit",
        default=DEFAULT_LIMIT,
        metavar="LIMIT",
        help=f"for each position: {LIMIT_FORM} (%(default)s)",
    )
    parser.add_argument(
        "--concurrency", type=int, default=1, metavar="N", help="positions at once (%(default)s)"
    )
    parser.add_argument("--first", type=int, metavar="N", help="only the first N of each file")
    parser.add_argument(
        "--failures", action="store_true", help="list the positions that were not solved"
    )
    parser.add_argument(
        "--patience",
        type=float,
        default=DEFAULT_MOVE_TIMEOUT_S,
        metavar="SECONDS",
        help="timeout beyond the limit; after it the engine counts as hung (%(default)g)",
    )
    return parser

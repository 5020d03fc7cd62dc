# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra suite`: EPD test positions, and how many of them an engine solves."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from kingcobra.arena.engine_spec import ENGINE_FORM, parse_engine
from kingcobra.arena.epd import Problem, read_problems
from kingcobra.arena.suite import SuiteResult, run_suite
from kingcobra.arena.time_control import parse_time_control

EXIT_FAILED = 1
EXIT_USAGE = 2
DEFAULT_LIMIT = "movetime=1000"
DEFAULT_PATIENCE_S = 60.0
EPD_PATTERN = "*.epd"
TOTAL = "total"
CLEAR_LINE = "\r\x1b[K"


def main(arguments: list[str]) -> int:
    """Runs the files and prints the table; 1 if the engine failed on a position."""
    options = _parser().parse_args(arguments)
    try:
        spec = parse_engine(options.engine)
        control = parse_time_control(options.limit)
        if control.base_s is not None:
            raise ValueError(f"--limit {options.limit}: a suite has no clock, take movetime=MS")
        for option, value in (("--concurrency", options.concurrency), ("--first", options.first)):
            if value is not None and value < 1:
                raise ValueError(f"{option} must be at least 1, got {value}")
        suites = [(path.stem, read_problems(path)) for path in _files(options.files)]
    except (ValueError, OSError) as error:
        print(f"kingcobra suite: {error}", file=sys.stderr)
        return EXIT_USAGE
    results = []
    for name, problems in suites:
        chosen: list[Problem] = problems[: options.first]
        attempts = asyncio.run(
            run_suite(
                spec,
                chosen,
                control,
                options.patience,
                options.concurrency,
                _counter(name, len(chosen)),
            )
        )
        results.append(SuiteResult(name, attempts))
    if options.failures:
        print("\n".join(failure_lines(results)))
    print("\n".join(table(results)))
    return EXIT_FAILED if any(result.faults for result in results) else 0


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
    """Every position that was not solved: what was played, and the position."""
    return [
        f"{attempt.problem.name}: {attempt.move} in {attempt.problem.fen}"
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
    """Counts on a terminal while a file is run; silent elsewhere."""

    def show(done: int) -> None:
        if sys.stderr.isatty():
            text = f"{name} {done}/{total}" if done < total else ""
            print(f"{CLEAR_LINE}{text}", end="", file=sys.stderr, flush=True)

    return show


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra suite", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="EPD file or folder")
    parser.add_argument("--engine", default="self", metavar="SPEC", help=ENGINE_FORM)
    parser.add_argument(
        "--limit",
        default=DEFAULT_LIMIT,
        metavar="LIMIT",
        help=f"movetime=MS, nodes=N or depth=N; default {DEFAULT_LIMIT}",
    )
    parser.add_argument("--concurrency", type=int, default=1, help="positions at once")
    parser.add_argument("--first", type=int, metavar="N", help="only the first N of each file")
    parser.add_argument("--failures", action="store_true", help="list what was not solved")
    parser.add_argument(
        "--patience",
        type=float,
        default=DEFAULT_PATIENCE_S,
        metavar="SECONDS",
        help="beyond the limit, before the engine counts as hung",
    )
    return parser

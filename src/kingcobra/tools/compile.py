# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra compile`: compiles into the cache, or into the package, ahead of the first start."""

import argparse
import os
import sys
import threading
import time
from collections.abc import Iterable
from pathlib import Path
from queue import SimpleQueue

from kingcobra.core.board_objects import BOARD
from kingcobra.core.network_objects import known_architectures, network_object
from kingcobra.core.objects import CORE
from kingcobra.errors import line_of
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from kingcobra.kernel.build import Builder, settle_level
from kingcobra.kernel.levels import (
    LEVELS,
    Level,
    LevelError,
    choose_level,
    host_architecture,
    level_named,
    supported_levels,
)
from kingcobra.kernel.objects import PACKAGE_OBJECTS, ObjectError, ObjectSpec
from kingcobra.networks.default_network import DEFAULT_PATH, default_architecture
from kingcobra.networks.loading import EvaluationError, prepare_weights
from kingcobra.networks.network_files import NetworkError

ALL_LEVELS = "all"


def main(arguments: list[str]) -> int:
    """Compiles what the arguments ask for and prints where it is."""
    options = _parser().parse_args(arguments)
    try:
        levels = _levels(options.level)
    except LevelError as error:
        _print_error(str(error))
        return EXIT_USAGE if options.level else EXIT_FAILED
    directory = PACKAGE_OBJECTS if options.package else options.into
    try:
        specs = [CORE, *_network_objects(options.network, options.networks)]
        if options.selfplay:
            specs.append(_self_play_object())
        if options.board:
            specs.append(BOARD)
        _compile_all(specs, levels, directory, options.force)
        if directory is None:
            prepare_weights(DEFAULT_PATH)
    except (ObjectError, NetworkError, EvaluationError, OSError) as error:
        _print_error(line_of(error))
        return EXIT_FAILED
    return EXIT_OK


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="kingcobra compile", description=__doc__)
    parser.add_argument(
        "--level",
        metavar="NAME",
        help=f"one of {', '.join(level.name for level in LEVELS)}, or all that this CPU has",
    )
    parser.add_argument(
        "--network",
        nargs="+",
        default=[],
        action="extend",
        metavar="FILE",
        help="the architectures of these networks too, so that EvalFile finds them compiled",
    )
    parser.add_argument(
        "--networks",
        action="store_true",
        help="the architectures of all networks that Stockfish 12 to 17 came with",
    )
    parser.add_argument(
        "--selfplay", action="store_true", help="self-play too, for kingcobra selfplay and train"
    )
    parser.add_argument(
        "--board",
        action="store_true",
        help="what kingcobra.Board uses, too, so that its first use in Python does not wait",
    )
    parser.add_argument("--into", type=Path, metavar="DIRECTORY", help="instead of the cache")
    parser.add_argument(
        "--package",
        action="store_true",
        help="into the package, for building a wheel that ships it",
    )
    parser.add_argument("--force", action="store_true", help="even if it is there already")
    return parser


def _levels(name: str | None) -> tuple[Level, ...]:
    if name is None:
        problem = settle_level()
        if problem:
            _print_error(problem)
        return (choose_level().level,)
    if name == ALL_LEVELS:
        return supported_levels()
    level = level_named(name)
    if level.architecture != host_architecture():
        raise LevelError(f"{name} is for {level.architecture}, this is {host_architecture()}")
    return (level,)


def _network_objects(files: list[str], all_known: bool) -> list[ObjectSpec]:
    """The objects of the default network, of the networks in these files, and of all known ones;
    NetworkError for a file that is not a network."""
    architectures = [default_architecture()]
    if files:
        from kingcobra.networks.file import load_network  # brings NumPy with it

        architectures += [load_network(file).architecture for file in files]
    if all_known:
        architectures += known_architectures()
    return [network_object(architecture) for architecture in dict.fromkeys(architectures)]


def _self_play_object() -> ObjectSpec:
    from kingcobra.core.selfplay_objects import SELF_PLAY  # few need it

    return SELF_PLAY


class _Job:
    """One object to be compiled for one level."""

    def __init__(self, spec: ObjectSpec, level: Level) -> None:
        self.name = f"{spec.name} for {level.name}"
        self._level = level
        self._builder = Builder(spec, self._progress)

    def is_done(self) -> bool:
        """Whether the engine would find it."""
        return self._builder.find(self._level) is not None

    def run(self, directory: Path | None, force: bool) -> str:
        """Compiles the object; the result in one line."""
        started = time.monotonic()
        path = self._builder.compile(self._level, directory, force)
        return f"{self.name}: {path} ({time.monotonic() - started:.1f} s)"

    def cancel(self) -> None:
        """Ends it if it is running, and keeps it from starting."""
        self._builder.cancel()

    def _progress(self, text: str) -> None:
        print(f"  {self.name}: {text}", file=sys.stderr, flush=True)


def _compile_all(
    specs: list[ObjectSpec], levels: Iterable[Level], directory: Path | None, force: bool
) -> None:
    """Compiles what is missing, as much at once as there are CPUs. The first error ends all."""
    jobs = []
    for job in (_Job(spec, level) for spec in specs for level in levels):
        if directory is None and not force and job.is_done():
            print(f"{job.name}: already compiled")
        else:
            jobs.append(job)
    outcomes: SimpleQueue[str | Exception] = SimpleQueue()
    turns = threading.Semaphore(os.cpu_count() or 1)

    def work(job: _Job) -> None:
        with turns:
            try:
                outcomes.put(job.run(directory, force))
            except Exception as error:  # raised again in the main thread
                outcomes.put(error)

    for job in jobs:
        # Daemons: a thread that waits for another process does not keep this one from ending.
        threading.Thread(target=work, args=(job,), daemon=True).start()
    try:
        for _ in jobs:
            outcome = outcomes.get()
            if isinstance(outcome, Exception):
                raise outcome
            print(outcome, flush=True)
    finally:
        for job in jobs:
            job.cancel()


def _print_error(text: str) -> None:
    print(f"kingcobra: {text}", file=sys.stderr)

# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra compile`: fills the cache, or a package's own directory, ahead of the first start."""

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import (
    LEVELS,
    Level,
    LevelError,
    chosen_level,
    host_architecture,
    level_named,
    supported_levels,
)
from kingcobra.kernel.objects import PACKAGE_OBJECTS, ObjectError
from kingcobra.search.core import CORE

ALL_LEVELS = "all"


def main(arguments: list[str]) -> int:
    """Compiles what the arguments ask for and says where it lies."""
    parser = argparse.ArgumentParser(prog="kingcobra compile", description=__doc__)
    parser.add_argument(
        "--level",
        metavar="NAME",
        help=f"one of {', '.join(level.name for level in LEVELS)}, or all that this CPU has",
    )
    parser.add_argument("--into", type=Path, metavar="DIRECTORY", help="instead of the cache")
    parser.add_argument(
        "--package",
        action="store_true",
        help="into the package, for building a wheel that ships it",
    )
    parser.add_argument("--force", action="store_true", help="even if it is there already")
    options = parser.parse_args(arguments)
    directory = PACKAGE_OBJECTS if options.package else options.into
    try:
        _compile_all(_levels(options.level), directory, options.force)
    except (ObjectError, LevelError, OSError) as error:
        print(f"kingcobra: {error}", file=sys.stderr)
        return EXIT_FAILED
    return EXIT_OK


def _levels(name: str | None) -> tuple[Level, ...]:
    if name is None:
        level, complaint = chosen_level()
        if complaint:
            print(f"kingcobra: {complaint}", file=sys.stderr)
        return (level,)
    if name == ALL_LEVELS:
        return supported_levels()
    level = level_named(name)
    if level.architecture != host_architecture():
        raise LevelError(f"{name} is for {level.architecture}, this is {host_architecture()}")
    return (level,)


def _compile_all(levels: tuple[Level, ...], directory: Path | None, force: bool) -> None:
    """Compiles what is missing, as many levels at once as there are CPUs."""
    builders = {level: Builder(CORE, partial(_progress, level)) for level in levels}
    for level, builder in list(builders.items()):
        if directory is None and not force and builder.find(level) is not None:
            print(f"{level.name}: already compiled")
            del builders[level]

    def compile_one(level: Level) -> str:
        started = time.monotonic()
        path = builders[level].compile(level, directory)
        return f"{level.name}: {path} ({time.monotonic() - started:.1f} s)"

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        try:
            for line in pool.map(compile_one, builders):
                print(line)
        except KeyboardInterrupt:
            for builder in builders.values():
                builder.cancel()
            raise


def _progress(level: Level, text: str) -> None:
    print(f"  {level.name}: {text}", file=sys.stderr, flush=True)

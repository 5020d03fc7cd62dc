# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra compile`: fills the cache, or a package's own directory, ahead of the first start."""

import argparse
import sys
import time
from pathlib import Path

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

EXIT_FAILED = 1
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
        for level in _levels(options.level):
            _compile(level, directory, options.force)
    except (ObjectError, LevelError, OSError) as error:
        print(f"kingcobra: {error}", file=sys.stderr)
        return EXIT_FAILED
    return 0


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


def _compile(level: Level, directory: Path | None, force: bool) -> None:
    started = time.monotonic()
    builder = Builder(CORE, lambda text: print(f"  {text}", file=sys.stderr, flush=True))
    if directory is None and not force and builder.find(level) is not None:
        print(f"{level.name}: already compiled")
        return
    path = builder.compile(level, directory)
    print(f"{level.name}: {path} ({time.monotonic() - started:.1f} s)")

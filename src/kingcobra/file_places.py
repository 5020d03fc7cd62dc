# SPDX-License-Identifier: GPL-3.0-or-later
"""Where files that a user names are looked for."""

import sys
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent


def places_of(name: str) -> list[Path]:
    """Where a file of that name may lie, the likeliest place first: as given, beside the command,
    in the package or beside it, in the working directory. RuntimeError for the home of a user
    whom nobody knows."""
    given = Path(name).expanduser()
    folders = (*_command_folders(), PACKAGE, PACKAGE.parent, Path.cwd())
    return list(dict.fromkeys([given, *(folder / given for folder in folders)]))


def _command_folders() -> tuple[Path, ...]:
    """Where the command that runs was started from and, behind links, where it lies. None for
    `python -c` and an interactive Python, which have no file."""
    command = sys.argv[0] if sys.argv else ""
    if not command or command.startswith("-"):
        return ()
    path = Path(command)
    return path.absolute().parent, path.resolve().parent

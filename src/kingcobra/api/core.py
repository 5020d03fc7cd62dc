# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled core of this process, for all that the API offers."""

import sys
from functools import cache

from kingcobra.core.objects import CORE
from kingcobra.kernel.build import Builder, settle_level
from kingcobra.kernel.objects import LoadedObject


@cache
def loaded_core() -> LoadedObject:
    """The compiled core, loaded at first use; compiled first, with progress on stderr, if there is
    no compiled one yet."""
    warning = settle_level()
    if warning:
        print_on_stderr(warning)
    builder = Builder(CORE, print_on_stderr)
    core = builder.obtain()
    for note in builder.notes:
        print_on_stderr(note)
    return core


def print_on_stderr(text: str) -> None:
    """A line for the user that is no result."""
    print(f"kingcobra: {text}", file=sys.stderr)

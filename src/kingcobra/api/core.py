# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled objects of this process, for all that the API offers."""

import sys
from functools import cache

from kingcobra.core.board_objects import BOARD
from kingcobra.core.evaluation_objects import EVALUATION_BATCH
from kingcobra.core.objects import CORE
from kingcobra.kernel.build import Builder, settle_level
from kingcobra.kernel.objects import LoadedObject, ObjectSpec


@cache
def loaded_core() -> LoadedObject:
    """The compiled core, loaded at first use; compiled first, with progress on stderr, if there is
    no compiled one yet."""
    return _obtained(CORE)


@cache
def loaded_board() -> LoadedObject:
    """The same for the object that boards need: rules and notation."""
    return _obtained(BOARD)


@cache
def loaded_evaluation_batch() -> LoadedObject:
    """The same for the object that evaluates many positions."""
    return _obtained(EVALUATION_BATCH)


def _obtained(spec: ObjectSpec) -> LoadedObject:
    warning = settle_level()
    if warning:
        print_on_stderr(warning)
    builder = Builder(spec, print_on_stderr)
    loaded = builder.obtain()
    for note in builder.notes:
        print_on_stderr(note)
    return loaded


def print_on_stderr(text: str) -> None:
    """A line for the user that is no result."""
    print(f"kingcobra: {text}", file=sys.stderr)

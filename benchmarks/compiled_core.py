# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled core in this process, at any level."""

import sys

from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.objects import CORE
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import Level, choose_level
from kingcobra.kernel.objects import LoadedObject, ObjectError


def load(level: Level | None = None) -> LoadedObject:
    """The core for a level, by default the one that the engine would run; compiled first where
    the cache has none. ObjectError where that fails."""
    builder = Builder(CORE, lambda text: print(f"  {text}", file=sys.stderr))
    level = level or choose_level().level
    core = builder.find(level)
    if core is None:
        builder.compile(level)
        core = builder.find(level)
    if core is None:
        raise ObjectError(f"{level.name}: compiled, but the cache does not have it")
    core.initialise()
    return core


def counter(core: LoadedObject, fen: str) -> LeafCounter:
    """Counts the leaves below one position."""
    return LeafCounter(core, PositionHandle(core, fen))

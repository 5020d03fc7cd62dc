# SPDX-License-Identifier: GPL-3.0-or-later
"""Leaf counts: the published ones, at every CPU level, by both ways of counting."""

from functools import cache
from pathlib import Path

import pytest

from kingcobra.board.leaf_counter import LeafCounter
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.objects import CORE
from kingcobra.core.rules.layout import MAX_PERFT_DEPTH
from kingcobra.kernel.build import Builder
from kingcobra.kernel.levels import Level, supported_levels
from kingcobra.kernel.objects import LoadedObject
from tests.core.rules.positions import (
    CHESS960,
    PERFT_FILES,
    PERFT_FOLDER,
    STANDARD,
    PerftPosition,
    perft_positions,
)

# How many leaves one count may have, so that the default run takes well under a minute, …
DEFAULT_LEAVES = 15_000_000
# … each CPU level a few seconds, …
LEVEL_LEAVES = 300_000
# … and playing every leaf as well no longer than that.
MADE_LEAVES = 100_000

# Parts of a file that are run by different processes.
DEFAULT_PARTS = {"standard.epd": 2, "chess960.epd": 2, "tricky.epd": 1}
SLOW_PARTS = {"standard.epd": 16, "chess960.epd": 120, "tricky.epd": 1}
# The set of which the tests carry only some, and how many positions it has in the data folder.
FULL_SET, FULL_SET_POSITIONS = "chess960.epd", 960


def part_parameters(parts: dict[str, int]) -> list[tuple[str, int, int]]:
    return [(name, part, count) for name, count in parts.items() for part in range(count)]


def counted(core: LoadedObject, position: PerftPosition, max_leaves: int | None) -> dict[int, int]:
    """The leaves at the least published depth and at each that has no more of them than allowed."""
    counter = LeafCounter(core, PositionHandle(core, position.fen, position.chess960))
    return {
        depth: counter.count(depth)
        for depth, published in position.counts.items()
        if max_leaves is None or published <= max_leaves or depth == min(position.counts)
    }


def require_published_counts(
    core: LoadedObject, positions: list[PerftPosition], max_leaves: int | None
) -> None:
    assert positions
    for position in positions:
        found = counted(core, position, max_leaves)
        assert found == {depth: position.counts[depth] for depth in found}, position.fen


@pytest.mark.parametrize("name", PERFT_FILES)
def test_files_have_the_positions_they_should(name: str) -> None:
    positions = perft_positions(name)
    assert len(positions) == PERFT_FILES[name]
    assert all(position.counts for position in positions)


@pytest.mark.parametrize(("name", "part", "parts"), part_parameters(DEFAULT_PARTS))
def test_published_counts(core: LoadedObject, name: str, part: int, parts: int) -> None:
    positions = perft_positions(name)[part::parts]
    require_published_counts(core, positions, DEFAULT_LEAVES)


@cache
def core_of_level(level: Level) -> LoadedObject:
    """The core compiled for a level, loaded into this process beside the others."""
    builder = Builder(CORE, report=lambda _text: None)
    core = builder.find(level)
    if core is None:
        builder.compile(level)
        core = builder.find(level)
    assert core is not None, f"{level.name}: {builder.notes}"
    core.initialise()
    return core


@pytest.mark.parametrize("level", supported_levels(), ids=lambda level: level.name)
def test_published_counts_at_every_level(level: Level) -> None:
    core = core_of_level(level)
    for name in PERFT_FILES:
        require_published_counts(core, perft_positions(name), LEVEL_LEAVES)


def test_playing_every_leaf_gives_the_same_count(core: LoadedObject) -> None:
    for name in PERFT_FILES:
        for position in perft_positions(name):
            counter = LeafCounter(core, PositionHandle(core, position.fen, position.chess960))
            for depth, published in position.counts.items():
                if published <= MADE_LEAVES:
                    assert counter.count_made(depth) == published, position.fen


@pytest.mark.parametrize(
    ("fen", "chess960"), [(fen, False) for fen in STANDARD] + [(fen, True) for fen in CHESS960]
)
def test_root_moves_add_up(core: LoadedObject, fen: str, chess960: bool) -> None:
    depth = 3
    board = PositionHandle(core, fen, chess960)
    counter = LeafCounter(core, board)
    divided = dict(counter.divide(depth))
    assert sorted(divided) == sorted(board.moves())
    assert sum(divided.values()) == counter.count(depth) == counter.count_made(depth)
    assert counter.count(0) == counter.count_made(0) == 1


def test_depth_beyond_the_capacity_is_refused(core: LoadedObject) -> None:
    counter = LeafCounter(core, PositionHandle(core))
    for depth in (-1, MAX_PERFT_DEPTH + 1):
        with pytest.raises(ValueError, match=str(depth)):
            counter.count(depth)


def test_stopped_counter_says_so(core: LoadedObject) -> None:
    counter = LeafCounter(core, PositionHandle(core))
    assert not counter.stopped
    counter.stop()
    assert counter.stopped
    assert list(counter.divide(4)) == []


@pytest.mark.slow
@pytest.mark.parametrize("level", supported_levels(), ids=lambda level: level.name)
@pytest.mark.parametrize(("name", "part", "parts"), part_parameters(SLOW_PARTS))
def test_published_counts_at_all_depths(
    request: pytest.FixtureRequest, name: str, part: int, parts: int, level: Level
) -> None:
    positions = perft_positions(name, folder_of(name, request))[part::parts]
    require_published_counts(core_of_level(level), positions, None)


def folder_of(name: str, request: pytest.FixtureRequest) -> Path:
    """Where the whole of a set is: with the tests, or in the data folder."""
    if name != FULL_SET:
        return PERFT_FOLDER
    folder: Path = request.getfixturevalue("data_folder") / "perft"
    assert len(perft_positions(name, folder)) == FULL_SET_POSITIONS
    return folder

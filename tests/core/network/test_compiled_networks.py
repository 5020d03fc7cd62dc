# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiled networks: Stockfish's integers, the twin's, and the same along games as from scratch, at
every level."""

import os
import random
import subprocess
import sys

import chess
import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.network import architectures
from kingcobra.core.network.architectures import (
    ARCHITECTURES,
    REGIONS,
    SQUARED,
    UNSQUARED,
    bucket_of,
)
from kingcobra.core.network_objects import NETWORK, network_object
from kingcobra.core.objects import CORE
from kingcobra.core.rules.basics import BLACK, WHITE
from kingcobra.kernel.levels import PLAIN_X86, supported_levels
from kingcobra.networks.file import read_network
from tests.core.network import twin
from tests.core.network.compiled_networks import CompiledNetwork, compile_network
from tests.core.network.official_networks import WITH_INTEGERS, stockfish_integers
from tests.core.network.random_boards import boards_along_games, random_boards
from tests.core.network.random_networks import random_network
from tests.core.rules.positions import CHESS960, STANDARD

BEST = supported_levels()[-1]
OTHERS = supported_levels()[:-1]
EVERY_LEVEL = [
    pytest.param(BEST, id=BEST.name),
    *(pytest.param(level, id=level.name, marks=pytest.mark.slow) for level in OTHERS),
]
GAME_PLIES = 120
FEW_POSITIONS, MANY_POSITIONS = 200, 10_000
# Every so often a position is also evaluated with the buckets of other numbers of men.
ALL_BUCKETS_EVERY = 10


def named(architecture):
    return pytest.param(architecture, id=architecture.name)


# --- Stockfish's integers ---------------------------------------------------------------------


@pytest.mark.parametrize("level", EVERY_LEVEL)
@pytest.mark.parametrize("name", WITH_INTEGERS)
def test_integers_are_stockfishs(core, network_file, name, level):
    asked = CompiledNetwork(compile_network(read_network(network_file(name)), level))
    for fen, *expected in stockfish_integers(name):
        assert asked.answers(PositionHandle(core, fen)) == tuple(expected), fen


# --- the twin's -------------------------------------------------------------------------------


def check_against_twin(core, architecture, level, boards):
    network = random_network(architecture)
    asked = CompiledNetwork(compile_network(network, level))
    for number, board in enumerate(boards):
        used = [bucket_of(len(board.piece_map()), architecture.stacks)]
        buckets = None if number % ALL_BUCKETS_EVERY == 0 else used
        expected = twin.evaluate(network, board, buckets)
        assert asked.answers(PositionHandle(core, board.fen()), buckets) == expected, board.fen()


# Every family as its best-known network has it, one of them at an odd width, and a small network.
WIDE = [family for family in ARCHITECTURES if family != UNSQUARED]
SMALL, ODD = SQUARED.at_width(128), UNSQUARED.at_width(192)


@pytest.mark.parametrize("architecture", [named(a) for a in (*WIDE, SMALL, ODD)])
def test_random_networks_agree_with_the_twin(core, architecture):
    check_against_twin(core, architecture, BEST, random_boards(FEW_POSITIONS))


@pytest.mark.skipif(PLAIN_X86 not in OTHERS, reason="this CPU has no level below its own")
@pytest.mark.parametrize("architecture", [named(SQUARED), named(SMALL)])
def test_random_networks_without_modern_instructions(core, architecture):
    check_against_twin(core, architecture, PLAIN_X86, random_boards(FEW_POSITIONS))


WIDTHS = [64, 128, 256, 1536, 2560, 3072]


@pytest.mark.slow
@pytest.mark.parametrize("level", supported_levels(), ids=lambda level: level.name)
@pytest.mark.parametrize(
    "architecture",
    [named(a) for a in (*ARCHITECTURES, *(SQUARED.at_width(width) for width in WIDTHS))],
)
def test_every_architecture_agrees_with_the_twin(core, architecture, level):
    check_against_twin(core, architecture, level, boards_along_games(MANY_POSITIONS))


# --- along games ------------------------------------------------------------------------------


class Game:
    """Random moves made and taken back on one board, nulls among them."""

    def __init__(self, core, fen, chess960, seed):
        self.core = core
        self.board = PositionHandle(core, fen, chess960)
        self.rng = random.Random(seed)
        self.made = []

    @property
    def men(self):
        """How many there are."""
        return sum(pieces.bit_count() for pieces in self.board.record.by_colour)

    def step(self):
        """Goes forward, or a few plies back."""
        if self.made and self.rng.random() < 0.3:
            for _ in range(self.rng.randint(1, min(4, len(self.made)))):
                self.take_back()
            return
        for _ in range(self.rng.randint(1, 3)):
            self.make_some_move()

    def make_some_move(self):
        moves = self.board.moves()
        if not self.board.is_check() and self.rng.random() < 0.1:
            self.core.make_null(self.board.address)
            self.made.append(None)
        elif moves and len(self.made) < GAME_PLIES:
            move = self.rng.choice(moves)
            self.core.make(self.board.address, move)
            self.made.append(move)

    def take_back(self):
        move = self.made.pop()
        if move is None:
            self.core.unmake_null(self.board.address)
        else:
            self.core.unmake(self.board.address, move)


def check_games(core, architecture, level, starts, steps):
    compiled = compile_network(random_network(architecture), level)
    remembering, fresh = CompiledNetwork(compiled), CompiledNetwork(compiled)
    for seed, (fen, chess960) in enumerate(starts):
        game = Game(core, fen, chess960, seed)
        for _ in range(steps):
            game.step()
            bucket = [bucket_of(game.men, architecture.stacks)]
            found = remembering.answers(game.board, bucket)
            fresh.forget()
            assert found == fresh.answers(game.board, bucket), game.board.fen()


STARTS = [(fen, False) for fen in STANDARD] + [(fen, True) for fen in CHESS960]


@pytest.mark.parametrize(
    "architecture",
    [
        named(SQUARED.at_width(64)),
        named(REGIONS.at_width(64)),
        named(ARCHITECTURES[0]),
        named(UNSQUARED.at_width(192)),
    ],
)
def test_memory_changes_nothing(core, architecture):
    check_games(core, architecture, BEST, STARTS, steps=40)


@pytest.mark.slow
@pytest.mark.parametrize("level", supported_levels(), ids=lambda level: level.name)
@pytest.mark.parametrize("architecture", [named(a) for a in ARCHITECTURES])
def test_memory_changes_nothing_anywhere(core, architecture, level):
    check_games(core, architecture, level, STARTS * 4, steps=200)


def test_accumulators_are_the_sums_of_the_lit_rows(core):
    network = random_network(SQUARED.at_width(64))
    asked = CompiledNetwork(compile_network(network, BEST))
    for board in random_boards(50):
        own = PositionHandle(core, board.fen())
        asked.answers(own, [0])
        for view, is_white in enumerate((True, False)):
            lit = twin.active_inputs(network.architecture.features, board, is_white)
            sums = (network.biases + network.weights[lit].sum(axis=0)).astype("<i2").tobytes()
            psqt = network.psqt[lit].sum(axis=0).astype("<i4").tobytes()
            found = asked.sums(own.record.ply, view)
            assert found[: len(sums)] == sums
            assert found[len(sums) : len(sums) + len(psqt)] == psqt


def mirrored(move):
    """A move in UCI's notation as the other side would make it."""
    return "".join(str(9 - int(letter)) if letter.isdigit() else letter for letter in move)


@pytest.mark.parametrize("view", [WHITE, BLACK])
@pytest.mark.parametrize(
    ("architecture", "move", "is_in_use"),
    [
        (REGIONS, "g3h3", True),
        (REGIONS, "b3a3", True),
        # g2 has a bucket of its own, and from d3 the board is seen mirrored.
        (REGIONS, "g3g2", False),
        (REGIONS, "e3d3", False),
        (SQUARED, "g3h3", False),
    ],
)
def test_a_king_that_stays_in_its_region_keeps_its_accumulator(
    core, architecture, move, is_in_use, view
):
    """What is added to a sum before the move is in the next one, if that is computed from it."""
    start = chess.Board("4k3/8/8/8/8/8/8/8 w - - 0 1")
    start.set_piece_at(chess.parse_square(move[:2]), chess.Piece.from_symbol("K"))
    board = PositionHandle(core, start.fen())
    if view == BLACK:
        board.flip()
        move = mirrored(move)
    asked = CompiledNetwork(compile_network(random_network(architecture.at_width(64)), BEST))
    asked.answers(board, [0])
    asked.shift_sums(board.record.ply, view)
    core.make(board.address, board.parse_move(move))
    asked.answers(board, [0])
    found = asked.first_sum(board.record.ply, view)
    asked.forget()
    asked.answers(board, [0])
    assert found - asked.first_sum(board.record.ply, view) == is_in_use


def test_most_men_and_fewest(core):
    """More men than a game has, and bare kings."""
    network = random_network(SQUARED.at_width(64))
    asked = CompiledNetwork(compile_network(network, BEST))
    for fen in (chess.STARTING_FEN, "8/8/8/3k4/8/8/8/K7 w - - 0 1"):
        assert asked.answers(PositionHandle(core, fen)) == twin.evaluate(network, chess.Board(fen))


def test_the_same_without_numba():
    result = subprocess.run(
        [sys.executable, "-m", "tests.core.network.without_numba"],
        env=dict(os.environ, NUMBA_DISABLE_JIT="1"),
        capture_output=True,
        text=True,
    )
    assert result.returncode == 0, result.stderr


# --- objects ----------------------------------------------------------------------------------


def test_architectures_are_objects_of_their_own():
    specs = [network_object(architecture) for architecture in ARCHITECTURES]
    assert len({spec.parameters for spec in specs}) == len(ARCHITECTURES)
    assert len({spec.name for spec in specs}) == len(ARCHITECTURES)


def test_the_core_knows_nothing_of_networks():
    """Or another network would mean another core."""
    assert architectures.__name__ in network_object(SQUARED).all_sources()
    assert not any(name.startswith(NETWORK) for name in CORE.all_sources())

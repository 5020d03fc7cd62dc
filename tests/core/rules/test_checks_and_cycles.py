# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks foreseen against python-chess, and repetitions foreseen against a slow twin."""

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingcobra.board.move_text import format_move
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.objects import RULES
from kingcobra.core.rules.cycles import SHORTEST_CYCLE_PLIES
from kingcobra.kernel.build import Builder
from kingcobra.kernel.objects import ObjectSpec, modules_of
from tests.core.rules.reference import (
    any_starts,
    board_like,
    crowded_boards,
    moves_to_choose,
    walk,
)

CHECKS = ObjectSpec(
    name="checks-probe",
    entry_modules=("tests.core.rules.check_entries",),
    sources=modules_of(RULES),
    on_load="prepare_checks",
)


@pytest.fixture(scope="module")
def probe():
    return Builder(CHECKS, lambda _text: None).obtain()


def require_checks_foreseen(probe, board, reference):
    for move in board.moves():
        text = format_move(move, board.record)
        expected = reference.gives_check(reference.parse_uci(text))
        assert bool(probe.gives_check(board.address, move)) == expected, (reference.fen(), text)


@settings(max_examples=150)
@given(start=any_starts(), choices=moves_to_choose(60))
def test_checks_in_games(core, probe, start, choices):
    for board, reference in walk(core, start, choices):
        require_checks_foreseen(probe, board, reference)


@settings(max_examples=300)
@given(reference=crowded_boards())
def test_checks_on_crowded_boards(core, probe, reference):
    require_checks_foreseen(probe, board_like(core, reference), reference)


# --- repetitions ------------------------------------------------------------------------------

SHUFFLES = (
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "8/5k2/8/3b4/8/2R5/5K2/8 w - - 0 1",
    "4k3/4q3/8/8/8/8/3QN3/4K3 b - - 0 1",
    "8/8/3k4/8/2K5/8/8/8 w - - 0 1",
    "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
)


def keys_one_ply_on(core, fen):
    """Keys of the positions that moves lead to, captures and pawn moves apart."""
    here = PositionHandle(core, fen)
    for move in here.moves():
        after = PositionHandle(core, fen)
        after.play_move(move)
        if after.state.fifty_plies:
            yield after.state.key


def slow_can_repeat(core, past, plies_from_root):
    """`past` has key and FEN of all positions since the last capture or pawn move. Whether a move
    leads to a position that stood once since the root or twice before; or whether the opponent,
    at his turn since the root, could have come here at once."""
    root = len(past) - 1 - plies_from_root
    keys = [key for key, _fen in past]
    key, fen = past[-1]
    for after in keys_one_ply_on(core, fen):
        stood = [at for at, earlier in enumerate(keys) if earlier == after]
        if len(stood) > 1 or any(at > root for at in stood):
            return True
    earliest = max(root + 1, 0)
    turns = range(len(past) - 1 - SHORTEST_CYCLE_PLIES, earliest - 1, -2)
    return any(key in keys_one_ply_on(core, past[at][1]) for at in turns)


@settings(max_examples=200)
@given(
    start=st.sampled_from(SHUFFLES),
    choices=st.lists(st.integers(0, 999), min_size=4, max_size=14),
    back=st.lists(st.booleans(), min_size=14, max_size=14),
    plies_from_root=st.integers(0, 14),
)
def test_repetitions_foreseen(core, probe, start, choices, back, plies_from_root):
    """Games that often take the last move back, so that positions come again."""
    board, reference = PositionHandle(core, start), chess.Board(start)
    past = [(board.state.key, board.fen())]
    for ply, choice in enumerate(choices):
        moves = sorted(reference.legal_moves, key=chess.Move.uci)
        if not moves:
            return
        move = moves[choice % len(moves)]
        if back[ply] and ply >= 2:
            last = reference.move_stack[-2]
            returned = chess.Move(last.to_square, last.from_square)
            if returned in moves:
                move = returned
        board.play(reference.uci(move))
        reference.push(move)
        if board.state.fifty_plies == 0:
            past = []
        past.append((board.state.key, board.fen()))
    plies = min(plies_from_root, len(past) - 1)
    expected = slow_can_repeat(core, past, plies)
    assert bool(probe.can_repeat(board.address, plies)) == expected, (reference.fen(), plies)

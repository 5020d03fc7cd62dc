# SPDX-License-Identifier: GPL-3.0-or-later
"""kingcobra.evaluate: many positions in one compiled loop say what each says alone."""

import random
import threading
from pathlib import Path

import chess
import chess.variant
import numpy as np
import pytest

import kingcobra
from kingcobra import Board, batches
from kingcobra.api import evaluation
from kingcobra.networks import plain
from kingcobra.networks.file import write_network

UP = "4k3/8/8/8/8/8/8/4KQ2 {} - - 0 1"


@pytest.fixture(scope="module")
def fens() -> list[str]:
    """Positions of random games."""
    chance, found = random.Random(7), []
    for _ in range(4):
        board = Board()
        for _ in range(60):
            if not board.moves():
                break
            board.play_move(chance.choice(board.moves()))
            found.append(board.fen())
    return found


@pytest.fixture(scope="module", params=["classical", "network"])
def network_name(request, tmp_path_factory) -> str:
    if request.param == "classical":
        return ""
    path = tmp_path_factory.mktemp("evaluation") / "small.nnue"
    write_network(request.getfixturevalue("network"), path)
    return str(path)


def test_each_value_is_that_of_an_engine(fens, network_name):
    with kingcobra.Engine(hash_mb=1, network=network_name) as engine:
        alone = [engine.evaluate(fen) for fen in fens]
    found = kingcobra.evaluate(fens, network=network_name)
    assert found.dtype == np.int32
    assert found.tolist() == [score.relative.score() for score in alone]
    of_white = kingcobra.evaluate(fens, network=network_name, view="white")
    assert of_white.tolist() == [score.white().score() for score in alone]


def test_positions_of_every_kind_in_any_order(fens, network_name):
    wanted = kingcobra.evaluate(fens, network=network_name)
    boards = [Board(fen) for fen in fens]
    mixed = [
        board if at % 2 else fen for at, (board, fen) in enumerate(zip(boards, fens, strict=True))
    ]
    packed = batches.pack(fens)
    theirs = [chess.Board(fen) for fen in fens]
    for positions in (boards, theirs, iter(boards), mixed, packed, packed[::1], np.array(fens)):
        assert (kingcobra.evaluate(positions, network=network_name) == wanted).all()
    order = np.random.default_rng(3).permutation(len(packed))
    assert not evaluation.are_neighbours_alike(packed[order])
    assert evaluation.are_neighbours_alike(packed)
    assert (kingcobra.evaluate(packed[order], network=network_name) == wanted[order]).all()
    backwards = kingcobra.evaluate(packed[::-1], network=network_name)
    assert (backwards == wanted[::-1]).all()


def test_boards_in_the_middle_of_a_game():
    board = Board()
    seen, boards = [], []
    for text in ("e4", "e5", "Nf3", "Nc6", "Bb5", "Nf6", "O-O"):
        board.push(text)
        boards.append(board.copy())
        seen.append(board.fen())
    assert (kingcobra.evaluate(boards) == kingcobra.evaluate(seen)).all()


def test_raw_values_are_those_of_the_search(fens, network_name):
    raw = kingcobra.evaluate(fens, network=network_name, unit="raw")
    shown = kingcobra.evaluate(fens, network=network_name)
    assert (np.sign(raw) * np.sign(shown) >= 0).all()
    assert not (raw == shown).all()


def test_a_network_answers_in_its_own_integers(fens, network_name, network):
    """Undamped: those of the NumPy twin."""
    if not network_name:
        with pytest.raises(ValueError, match="the classical evaluation is not a network"):
            kingcobra.evaluate(fens, network=network_name, unit="network")
        return
    old = [" ".join([*fen.split()[:4], "80", "60"]) for fen in fens]
    raw = kingcobra.evaluate(fens, network=network_name, unit="raw")
    found = kingcobra.evaluate(old, network=network_name, unit="network")
    twins = [plain.evaluate(network, plain.men_of_fen(fen)).raw for fen in fens]
    assert found.tolist() == twins
    assert (kingcobra.evaluate(fens, network=network_name, unit="raw") == raw).all()
    of_white = kingcobra.evaluate(old, network=network_name, unit="network", view="white")
    signs = np.array([1 if fen.split()[1] == "w" else -1 for fen in fens])
    assert (of_white == found * signs).all()


def test_the_fifty_move_rule_damps():
    near, far = (f"4k3/8/8/8/8/8/8/4KQ2 w - - {plies} 60" for plies in (0, 90))
    fresh, old = kingcobra.evaluate([near, far], network="")
    assert fresh > old > 0


def test_chess960():
    fen = "1r4kr/8/8/8/8/8/8/1R4KR w KQkq - 0 1"
    with pytest.raises(kingcobra.FenError, match="position 0"):
        kingcobra.evaluate([fen])
    assert len(kingcobra.evaluate([fen], chess960=True)) == 1


def test_the_index_of_a_wrong_record_is_that_of_the_input(fens):
    packed = batches.pack([fens[at] for at in np.random.default_rng(3).permutation(len(fens))])
    packed[5] = 0
    with pytest.raises(ValueError, match="packed position 5 "):
        kingcobra.evaluate(packed)


def test_more_than_fits_in_one_call(fens, monkeypatch):
    wanted = kingcobra.evaluate(fens)
    monkeypatch.setattr(evaluation, "AT_A_TIME", 7)
    assert (kingcobra.evaluate(fens) == wanted).all()


def test_nothing():
    assert kingcobra.evaluate([]).shape == (0,)


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (([UP.format("w"), "8/8"],), kingcobra.FenError, "position 1: .*2 ranks"),
        (([UP.format("w"), 7],), TypeError, r"positions\[1\] 7"),
        (([Board(), None],), TypeError, r"positions\[1\] None"),
        (([Board(), "8/8"],), kingcobra.FenError, "position 1: .*2 ranks"),
        (([chess.variant.AtomicBoard()],), ValueError, "position 0: variant 'atomic'"),
        ((UP.format("w"),), TypeError, "expected several positions"),
        ((np.zeros(3, batches.PACKED),), ValueError, "packed position 0"),
    ],
)
def test_a_position_that_is_none_is_named(arguments, error, message):
    with pytest.raises(error, match=message):
        kingcobra.evaluate(*arguments)


@pytest.mark.parametrize(
    ("choice", "error", "message"),
    [
        ({"view": "black"}, ValueError, "view 'black', expected one of mover, white"),
        ({"unit": "pawns"}, ValueError, "unit 'pawns', expected one of centipawns, raw, network"),
        ({"network": "missing.nnue"}, kingcobra.EngineError, "missing.nnue: not found"),
        ({"network": Path("missing.nnue")}, kingcobra.EngineError, "missing.nnue: not found"),
    ],
)
def test_a_wrong_choice_is_named(choice, error, message):
    with pytest.raises(error, match=message):
        kingcobra.evaluate([UP.format("w")], **choice)


def test_threads_do_not_disturb_each_other(fens, network_name):
    wanted = kingcobra.evaluate(fens, network=network_name)
    packed = batches.pack(fens)
    agreed = []

    def work() -> None:
        for _ in range(10):
            agreed.append((kingcobra.evaluate(packed, network=network_name) == wanted).all())

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert agreed == [True] * 40

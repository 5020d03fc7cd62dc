# SPDX-License-Identifier: GPL-3.0-or-later
"""`eval` with a network and `export_net`, against the twin."""

import chess
import pytest

from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.network.architectures import SQUARED
from kingcobra.engine.evaluator import (
    CLASSICAL,
    HYBRID,
    MODES,
    NNUE,
    EvaluationChoice,
    Evaluator,
    StaticEvaluator,
)
from kingcobra.networks.file import write_network
from kingcobra.networks.network_scales import PAWN_UNITS, network_scale, raw_per_pawn
from kingcobra.uci.network_report import network_report
from tests.core.network import twin
from tests.core.network.random_networks import random_network

NARROW = SQUARED.at_width(64)
RAW_PER_PAWN = raw_per_pawn(NARROW) * network_scale(NARROW).units_per_pawn / PAWN_UNITS
FENS = [
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "8/5k2/3p4/1p1Pp2p/pP2Pp1P/P4P1K/8/8 b - - 99 50",
]
# Figures are printed with two digits.
ROUNDING = 0.00501
# Makes PSQT weights so small that a network is sure of nothing.
SHYNESS = 1000
SURE_RAW = 2 * raw_per_pawn(NARROW)


@pytest.fixture(scope="module")
def network():
    return random_network(NARROW, seed=3)


@pytest.fixture
def network_path(network, tmp_path):
    path = tmp_path / "nn-3.nnue"
    write_network(network, path)
    return path


@pytest.fixture
def evaluator(core, network_path):
    evaluator = Evaluator(core)
    network = evaluator.load(str(network_path), lambda _text: None)
    evaluator.choice = EvaluationChoice(network=network)
    return evaluator


def white_pawns(raw, board):
    return (raw if board.turn else -raw) / RAW_PER_PAWN


@pytest.mark.parametrize("fen", FENS)
def test_buckets(core, evaluator, network, fen):
    board = chess.Board(fen)
    used, psqt, positional = twin.evaluate(network, board)
    lines = network_report(evaluator, PositionHandle(core, fen)).splitlines()
    start = next(n for n, line in enumerate(lines) if "positional" in line) + 2
    for bucket, line in enumerate(lines[start : start + 8]):
        number, *figures = (cell.strip() for cell in line.strip("|").split("|")[:4])
        parts = psqt[bucket], positional[bucket], psqt[bucket] + positional[bucket]
        assert int(number) == bucket
        for figure, raw in zip(figures, parts, strict=True):
            assert float(figure) == pytest.approx(white_pawns(raw, board), abs=ROUNDING)
        assert ("in use" in line) == (bucket == used)


@pytest.mark.parametrize("fen", FENS)
def test_what_men_are_worth(core, evaluator, network, fen):
    board = chess.Board(fen)

    def total(position):
        bucket, psqt, positional = twin.evaluate(network, position)
        return psqt[bucket] + positional[bucket]

    lines = network_report(evaluator, PositionHandle(core, fen)).splitlines()
    start = next(n for n, line in enumerate(lines) if line.startswith("+-------+"))
    for rank in range(8):
        letters, worths = (
            [cell.strip() for cell in lines[start + 1 + 3 * (7 - rank) + row][1:-1].split("|")]
            for row in (0, 1)
        )
        for file in range(8):
            square = chess.square(file, rank)
            piece = board.piece_at(square)
            assert letters[file] == (piece.symbol() if piece else "")
            if piece is None or piece.piece_type == chess.KING:
                assert worths[file] == ""
            else:
                rest = board.copy()
                rest.remove_piece_at(square)
                expected = white_pawns(total(board) - total(rest), board)
                assert float(worths[file]) == pytest.approx(expected, abs=ROUNDING)


def test_the_final_figure_knows_the_fifty_moves(core, evaluator):
    def final(fen):
        return float(network_report(evaluator, PositionHandle(core, fen)).split()[-3])

    fresh, stale = (final(FENS[1].replace("99 50", counters)) for counters in ("0 50", "99 50"))
    assert abs(fresh) > abs(stale) > 0
    assert stale == pytest.approx(fresh * (1 - 99 / 200), abs=0.03)


# Positions by how far material is apart: nothing, two rooks, a queen and a rook.
EVEN, ROOKS_UP, QUEEN_AND_ROOK_UP = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "1nbqkbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1",
    "rnb1kbn1/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQq - 0 1",
)


@pytest.fixture(scope="module")
def networks(tmp_path_factory):
    """A big network, and two to stand beside it: one that always likes the side to move, and one
    that finds everything nearly even."""
    folder = tmp_path_factory.mktemp("networks")
    big, small = (random_network(NARROW, seed) for seed in (3, 4))
    small = small._replace(psqt=small.psqt // SHYNESS)
    sure, shy = (small._replace(stacks=constant_stacks(small, raw)) for raw in (SURE_RAW, 0))
    paths = {}
    for name, network in (("big", big), ("small", sure), ("shy", shy)):
        paths[name] = folder / f"{name}.nnue"
        write_network(network, paths[name])
    return paths


def constant_stacks(network, raw):
    """Layers that always say the same."""
    return tuple(
        (*hidden, last._replace(weights=last.weights * 0, biases=last.biases * 0 + raw))
        for *hidden, last in network.stacks
    )


def evaluator_of(core, networks, mode, name, small=None):
    evaluator = Evaluator(core)
    network = evaluator.load(str(networks[name]), lambda _text: None)
    evaluator.choice = EvaluationChoice(mode, network)
    if small:
        small_network = evaluator.load(str(networks[small]), lambda _text: None)
        evaluator.choice = evaluator.choice._replace(small=small_network)
    return evaluator


@pytest.mark.parametrize("fen", [EVEN, ROOKS_UP, QUEEN_AND_ROOK_UP])
@pytest.mark.parametrize("mode", MODES[:-1])
@pytest.mark.parametrize("small", [None, "small", "shy"])
def test_who_decides_is_who_would_say_the_same_alone(core, networks, mode, small, fen):
    board = PositionHandle(core, fen)
    report = network_report(evaluator_of(core, networks, mode, "big", small), board)
    *_, decided, scale, final = report.splitlines()
    who = decided.removeprefix("Decided by ").partition(":")[0]
    assert who in ("big.nnue", "small.nnue", "shy.nnue", "the classical evaluation")
    alone = evaluator_of(core, networks, NNUE, who.partition(".")[0] if "." in who else "big")
    if who == "the classical evaluation":
        alone.choice = alone.choice._replace(mode=CLASSICAL)
    units = StaticEvaluator(alone).value(board) * (1 if chess.Board(fen).turn else -1)
    white_cp = network_scale(NARROW).centipawns(units)
    assert final == f"Final evaluation: {white_cp / 100:+.2f} (White's view)"
    assert scale == "Scale: that of big.nnue, on which +1.00 wins every other game"


def test_everybody_decides_somewhere(core, networks):
    deciders = {
        network_report(
            evaluator_of(core, networks, HYBRID, "big", small), PositionHandle(core, fen)
        )
        .splitlines()[-3]
        .partition(":")[0]
        for small in ("small", "shy")
        for fen in (EVEN, ROOKS_UP, QUEEN_AND_ROOK_UP)
    }
    voices = ("big.nnue", "small.nnue", "the classical evaluation")
    assert deciders == {f"Decided by {voice}" for voice in voices}


def test_a_check_has_no_figure(core, evaluator):
    board = PositionHandle(core, "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1")
    assert "in check" in network_report(evaluator, board).splitlines()[-1]


def test_export(engine, network_path, tmp_path):
    target = tmp_path / "copy.nnue"
    engine.ask("setoption name EvalFile value <empty>")
    for command in (f"export_net {target}", "export_net"):
        (line,) = engine.ask(command)
        assert line == "info string error: export_net: no network in use; EvalFile sets one"
    engine.ask(f"setoption name EvalFile value {network_path}")
    (line,) = engine.ask("export_net")
    assert line == "info string error: export_net: expected a file name for nn-3.nnue"
    (line,) = engine.ask(f"export_net {tmp_path}")
    assert line.startswith("info string error: export_net: ")
    assert engine.ask(f"export_net {target}") == [
        f"info string {network_path.name} written to {target}"
    ]
    assert target.read_bytes() == network_path.read_bytes()
    first, second = engine.ask(f"export_net {target} {target}")
    assert first.startswith("info string nn-3.nnue written")
    assert second == "info string error: export_net: no network in use; EvalFileSmall sets one"

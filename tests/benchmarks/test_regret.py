# SPDX-License-Identifier: GPL-3.0-or-later
"""What a teacher says of choices, against a slow twin; positions and files that it cannot judge."""

import gzip
from math import sqrt

import chess
import numpy as np
import pytest

import kingcobra
from benchmarks import regret
from benchmarks.regret import Choices, Verdict
from kingcobra.core.evaluation.layout import PAWN_UNITS

START = chess.STARTING_FEN
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
# What quiet children must leave out: promotions, en passant, checks, direct and discovered.
PROMOTIONS = "8/2P2k2/8/8/8/8/5K2/8 w - - 0 1"
EN_PASSANT = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2"
CHECKS = "4k3/8/8/8/4N3/8/8/K3R2Q w - - 0 1"
EVASIONS = "4k3/8/8/8/4r3/8/3P4/4K2R w K - 0 1"
# The first bytes of a gzip file, without a name.
GZIP_HEADER_BYTES = 10


@pytest.fixture
def choices():
    """Roots and children are numbers here; the children of a root need not stand together."""
    rng = np.random.default_rng(1)
    root_of = np.concatenate([np.arange(40), rng.integers(0, 40, 400)])
    return Choices(
        roots=np.arange(40) + 1000,
        children=np.arange(len(root_of)),
        root_of=rng.permutation(root_of),
        men=rng.integers(3, 33, 40),
    )


@pytest.fixture
def values(choices):
    """A teacher's, and those of a network that agrees more or less, in another unit."""
    rng = np.random.default_rng(2)
    teacher = rng.normal(0, 200, len(choices.children))
    return teacher, 3 * teacher + rng.normal(0, 300, len(teacher))


def children_of(choices, root):
    """Where they are in the list of all children."""
    return [index for index, one in enumerate(choices.root_of) if one == root]


# --- verdicts ---------------------------------------------------------------------------------


def plainly_judged(choices, teacher, network):
    """The verdict root by root."""
    scale = sum(a * b for a, b in zip(network, teacher, strict=True)) / sum(a * a for a in network)
    regrets, squares_within, squares_between = [], [], []
    for root in range(len(choices.roots)):
        children = children_of(choices, root)
        liked = max(children, key=lambda child: network[child])
        best = max(teacher[child] for child in children)
        regrets.append((best - teacher[liked]) / PAWN_UNITS)
        errors = [(network[child] * scale - teacher[child]) / PAWN_UNITS for child in children]
        mean = sum(errors) / len(errors)
        squares_within += [(error - mean) ** 2 for error in errors]
        squares_between.append(mean**2)
    return Verdict(
        np.array(regrets),
        sqrt(sum(squares_within) / len(squares_within)),
        sqrt(sum(squares_between) / len(squares_between)),
    )


def test_verdicts_are_those_of_the_twin(choices, values):
    found, expected = regret.judge(choices, *values), plainly_judged(choices, *values)
    assert found.regret == pytest.approx(expected.regret)
    assert found.within == pytest.approx(expected.within)
    assert found.between == pytest.approx(expected.between)
    assert (found.regret > 0).any()


def test_a_teacher_regrets_nothing_of_its_own(choices, values):
    teacher, _ = values
    verdict = regret.judge(choices, teacher, teacher / 7)
    assert not verdict.regret.any()
    assert (verdict.within, verdict.between) == pytest.approx((0, 0))


def test_the_worst_choice_costs_the_whole_span(choices, values):
    teacher, _ = values
    verdict = regret.judge(choices, teacher, -teacher)
    for root, found in enumerate(verdict.regret):
        own = teacher[children_of(choices, root)]
        assert found == pytest.approx((own.max() - own.min()) / PAWN_UNITS)


def test_some_roots_keep_their_children(choices):
    kept = np.random.default_rng(3).random(40) < 0.4
    found = regret.of_roots(choices, kept)
    old = [root for root in range(40) if kept[root]]
    assert found.roots.tolist() == [choices.roots[root] for root in old]
    assert found.men.tolist() == [choices.men[root] for root in old]
    assert len(found.children) == len(found.root_of)
    for number, root in enumerate(old):
        assert found.children[children_of(found, number)].tolist() == children_of(choices, root)


def test_a_range_of_men_without_roots_has_a_dash():
    verdict = Verdict(np.array([0.0, 0.5]), 0.25, 0.125)
    line = regret.describe("a.nnue", verdict, np.array([8, 30]))
    assert line.split() == (
        ["a.nnue", "0.2500", "±", "0.1768", "50.0%", "0.250", "0.125", "0.0000", "–", "–", "0.5000"]
    )


# --- positions --------------------------------------------------------------------------------


def plainly_quiet_children(fen):
    board = chess.Board(fen)
    found = []
    for move in board.legal_moves:
        if board.is_capture(move) or move.promotion or board.gives_check(move):
            continue
        board.push(move)
        found.append(board.fen())
        board.pop()
    return found


@pytest.mark.parametrize("fen", [START, KIWIPETE, PROMOTIONS, EN_PASSANT, CHECKS, EVASIONS])
def test_quiet_children_are_those_of_python_chess(fen):
    board = kingcobra.Board(fen)
    found = list(regret.quiet_children(board))
    assert sorted(found) == sorted(plainly_quiet_children(fen))
    assert len(found) > 0
    assert board.fen() == chess.Board(fen).fen()


def packed_lines(path, lines):
    with gzip.open(path, "wt", encoding="utf-8") as file:
        file.writelines(f"{line}\n" for line in lines)
    return path


def test_roots_come_with_their_quiet_children(tmp_path):
    """Lines without a position, and positions with little choice, are left out."""
    lines = [f"{START} | 12 | 0.5", "no position", f"{EVASIONS} | 0 | 0.0", f"{CHECKS} | 3 | 1.0"]
    path = packed_lines(tmp_path / "some.gz", lines)
    found = regret.read_choices(path, count=10)
    sizes = np.bincount(found.root_of).tolist()
    expected = [(32, len(plainly_quiet_children(START))), (5, len(plainly_quiet_children(CHECKS)))]
    assert sorted(zip(found.men.tolist(), sizes, strict=True)) == sorted(expected)
    assert len(found.children) == sum(sizes)
    assert len(regret.read_choices(path, count=1).roots) == 1


# --- what it refuses --------------------------------------------------------------------------


@pytest.fixture
def refusal(monkeypatch, capsys):
    """The one line that the command says of positions that it cannot judge."""

    def refuse(path):
        arguments = ["regret", "a.nnue", "--teacher", "b.nnue", "--positions", str(path)]
        monkeypatch.setattr("sys.argv", arguments)
        assert regret.main() == 2
        output, errors = capsys.readouterr()
        assert output == ""
        (line,) = errors.splitlines()
        return line

    return refuse


def test_files_without_positions_are_named(refusal, tmp_path):
    path = packed_lines(tmp_path / "none.gz", ["no position", f"{EVASIONS} | 0 | 0.0"])
    assert refusal(path) == f"regret: {path}: no position to judge"
    missing = tmp_path / "missing.gz"
    assert refusal(missing) == f"regret: {missing}: No such file or directory"


def test_files_with_nothing_but_decided_positions_are_named(refusal, tmp_path, monkeypatch):
    monkeypatch.setattr(kingcobra, "evaluate", lambda roots, **_: np.full(len(roots), 10_000))
    path = packed_lines(tmp_path / "won.gz", [START])
    assert refusal(path) == f"regret: {path}: no position to judge"


def test_damaged_files_are_named(refusal, tmp_path):
    """Cut off, of another kind, with wrong bits inside, and not text."""
    path = tmp_path / "some.gz"
    whole = gzip.compress(START.encode())
    wrong_bits = whole[:GZIP_HEADER_BYTES] + b"\xff" * len(whole)
    for content in (whole[:-20], b"text", wrong_bits, gzip.compress(b"\xff\xfe")):
        path.write_bytes(content)
        assert refusal(path).startswith(f"regret: {path}: ")

# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra data` where evaluations come in: what they miss, other labels, comparisons."""

from pathlib import Path

import chess
import numpy as np
import pytest

import kingcobra
from kingcobra.core.evaluation.layout import PAWN_UNITS
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK
from kingcobra.networks import plain
from kingcobra.networks.file import write_network
from kingcobra.networks.network_scales import raw_per_pawn
from kingcobra.tools.data import main
from kingcobra.training.data.blocks import read_blocks, write_block
from kingcobra.training.data.comparison import OPEN_PAWNS, POWER
from kingcobra.training.data.expectations import expected_scores
from kingcobra.training.data.game_positions import USUAL_RAW_PER_PAWN
from kingcobra.training.data.games import fen_of
from kingcobra.training.data.packed import LOSS, UNKNOWN, WIN, packed_fen
from kingcobra.training.selfplay.player import CLASSICAL_RAW_PER_PAWN
from tests.tools.labelled_records import records_of

START = chess.STARTING_FEN


MISSED = (2, 7)
SHA256_DIGITS = 64


@pytest.fixture
def network_file(network, tmp_path):
    path = tmp_path / "teacher.nnue"
    write_network(network, path)
    return str(path)


@pytest.fixture
def labelled(tmp_path):
    """Positions of a short game, labelled by the classical evaluation but for two of them."""
    board, records = chess.Board(), []
    moves = ("e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4", "Nf6", "Qe2", "Be7")
    for number, move in enumerate(moves):
        value = int(kingcobra.evaluate([board.fen()], network="", unit="raw")[0])
        wrong = 300 if number in MISSED else 0
        records.append(packed_fen(board.fen(), (value + wrong) * USUAL_RAW_PER_PAWN // PAWN_UNITS))
        board.push_san(move)
    path = tmp_path / "labelled.kcp"
    with path.open("wb") as out:
        write_block(out, {}, np.array(records[:5]))
        write_block(out, {"raw_per_pawn": USUAL_RAW_PER_PAWN}, np.array(records[5:]))
    return path


def test_what_an_evaluation_misses_most_is_kept(labelled, tmp_path):
    target = tmp_path / "missed.kcp"
    asked = ["--missed-by", "classical", "--missed-share", "0.2"]
    assert main(["filter", str(labelled), "-o", str(target), *asked]) == EXIT_OK
    assert (records_of(target) == records_of(labelled)[list(MISSED)]).all()


def test_a_record_that_is_no_position_is_named(labelled, tmp_path, capsys):
    broken = packed_fen(START)
    broken["occupancy"] = 0
    with labelled.open("ab") as out:
        write_block(out, {}, np.array([broken]))
    target = tmp_path / "missed.kcp"
    asked = ["--missed-by", "classical", "--min-men", "0"]
    assert main(["filter", str(labelled), "-o", str(target), *asked]) == EXIT_FAILED
    assert "packed position 0" in capsys.readouterr().err
    assert not target.exists()


def test_a_network_that_cannot_be_read_misses_nothing(labelled, tmp_path, capsys):
    target = tmp_path / "missed.kcp"
    asked = ["--missed-by", str(tmp_path / "none.nnue")]
    assert main(["filter", str(labelled), "-o", str(target), *asked]) == EXIT_FAILED
    assert "none.nnue" in capsys.readouterr().err
    assert not target.exists()


def test_relabelled_positions_have_the_teachers_integers(labelled, network, network_file, tmp_path):
    target = tmp_path / "relabelled.kcp"
    assert main(["relabel", str(labelled), "-o", str(target), "--teacher", network_file]) == EXIT_OK
    before, after = records_of(labelled), records_of(target)
    for name in ("occupancy", "men", "flags", "fifty_plies", "game_ply"):
        assert (before[name] == after[name]).all()
    twins = [plain.evaluate(network, plain.men_of_fen(fen_of(one))).raw for one in after]
    assert after["score"].tolist() == twins
    first, second = read_blocks(target, pytest.fail)
    assert first.origin["relabelled"] == {}
    assert second.origin["relabelled"] == {"raw_per_pawn": USUAL_RAW_PER_PAWN}
    assert first.origin["teacher"] == Path(network_file).name
    assert len(first.origin["teacher_sha256"]) == SHA256_DIGITS
    assert first.origin["raw_per_pawn"] == raw_per_pawn(network.architecture)


def fresh_fens(records):
    """The positions as if something irreversible had just happened, which labels suppose."""
    return [" ".join([*fen_of(one).split()[:4], "0", "1"]) for one in records]


def test_the_classical_evaluation_relabels_in_a_networks_unit(labelled, tmp_path):
    target = tmp_path / "relabelled.kcp"
    command = ["relabel", str(labelled), "-o", str(target), "--teacher", "classical"]
    assert main(command) == EXIT_OK
    values = kingcobra.evaluate(fresh_fens(records_of(labelled)), network="", unit="raw")
    wanted = values * CLASSICAL_RAW_PER_PAWN // PAWN_UNITS
    assert records_of(target)["score"].tolist() == wanted.tolist()


@pytest.mark.parametrize("command", [["relabel", "-o", "{folder}/out.kcp"], ["compare"]])
def test_a_record_that_is_no_position_is_located(labelled, tmp_path, capsys, command):
    broken = packed_fen(START)
    broken["occupancy"] = 0
    with labelled.open("ab") as out:
        write_block(out, {}, np.array([packed_fen(START), broken]))
    words = [word.format(folder=tmp_path) for word in command]
    assert main([*words, str(labelled)]) == EXIT_FAILED
    assert f"{labelled}, block 3: packed position 1 is not" in capsys.readouterr().err
    assert not (tmp_path / "out.kcp").exists()


def test_no_teacher_labels_nothing(labelled, tmp_path, capsys):
    target = tmp_path / "relabelled.kcp"
    command = ["relabel", str(labelled), "-o", str(target), "--teacher", "none.nnue"]
    assert main(command) == EXIT_FAILED
    assert "none.nnue: not found" in capsys.readouterr().err
    assert not target.exists()


def test_evaluations_are_compared_with_labels(labelled, network_file, capsys):
    """Two of ten labels are three pawns away from the classical evaluation."""
    networks = ["--network", "classical", "--network", network_file]
    assert main(["compare", str(labelled), *networks]) == EXIT_OK
    heading, *rows = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert heading == ["men", "positions", "classical", Path(network_file).name]
    assert [row[:2] for row in rows] == [["all", "10"], ["29–32", "10"]]
    records = records_of(labelled)
    values = kingcobra.evaluate(fresh_fens(records), network="", unit="raw") / PAWN_UNITS
    labels = records["score"] / USUAL_RAW_PER_PAWN
    others = kingcobra.evaluate(fresh_fens(records), network=network_file, unit="raw") / PAWN_UNITS
    differences = np.abs(expected_scores(values) - expected_scores(labels))
    further = np.abs(expected_scores(others) - expected_scores(labels))
    assert rows[0][4] == rows[0][7] == "–"  # nobody knows the results
    loss, pawns, other_loss = (float(rows[0][place]) for place in (2, 3, 5))
    assert loss == pytest.approx((differences**POWER).mean() * 1e6, abs=0.5)
    is_open = np.abs(labels) < OPEN_PAWNS
    squares = (values - labels)[is_open] ** 2
    assert pawns == pytest.approx(np.sqrt(squares.mean()), abs=5e-4)
    assert other_loss == pytest.approx((further**POWER).mean() * 1e6, abs=0.5)


def test_results_are_compared_with_expected_scores(tmp_path, capsys):
    """Of two lost positions and a won one; the fourth has no result."""
    board = "4k3/8/8/8/8/8/8/4KQ2 {} - - 0 1"
    results = (("w", WIN), ("b", LOSS), ("b", WIN), ("w", UNKNOWN))
    path = tmp_path / "ended.kcp"
    with path.open("wb") as out:
        records = [packed_fen(board.format(side), 0, result) for side, result in results]
        write_block(out, {}, np.array(records))
    assert main(["compare", str(path), "--network", "classical"]) == EXIT_OK
    _, row, few = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert few[:2] == ["1–4", "4"]
    values = kingcobra.evaluate(fresh_fens(records), network="", unit="raw") / PAWN_UNITS
    white, first, second, _ = expected_scores(values)
    assert float(row[4]) == pytest.approx(-np.log([white, 1 - first, second]).mean(), abs=5e-5)


def test_nothing_is_compared_without_positions(tmp_path, capsys):
    path = tmp_path / "none.kcp"
    path.touch()
    assert main(["compare", str(path)]) == EXIT_FAILED
    assert "there are no positions" in capsys.readouterr().err

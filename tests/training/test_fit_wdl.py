# SPDX-License-Identifier: GPL-3.0-or-later
"""The fit of the scale finds again what made the results."""

import hashlib
import random
from collections import Counter

import chess
import chess.pgn
import numpy as np
import pytest

from kingcobra.networks.default_network import DIGITS
from kingcobra.networks.file import write_network
from kingcobra.networks.scale import MOST_POINTS, REFERENCE_POINTS, Scale
from kingcobra.tools.selfplay import main as play
from kingcobra.training.data.games import NO_SCORE, read_games
from kingcobra.training.data.packed import packed_fen
from kingcobra.training.fit_wdl import fit, main
from kingcobra.training.scored_games import (
    MOST_UNITS,
    ScoreCounts,
    gather,
    material_of,
    score_of,
)

TRUE = Scale(even=(60.0, 90.0), spread=(40.0, 30.0))


def made_up(count):
    """Results drawn from a known scale."""
    rng = np.random.default_rng(7)
    units = rng.integers(-60, 61, count) * 10
    points = rng.integers(10, 79, count)
    shares = points / REFERENCE_POINTS
    even = TRUE.even[0] + TRUE.even[1] * shares
    spread = TRUE.spread[0] + TRUE.spread[1] * shares
    win = 1 / (1 + np.exp((even - units) / spread))
    loss = 1 / (1 + np.exp((even + units) / spread))
    dice = rng.random(count)
    wins = (dice < win).astype(float)
    losses = (dice > 1 - loss).astype(float)
    return ScoreCounts(units.astype(float), shares, wins, 1 - wins - losses, losses)


def test_it_finds_the_scale_again():
    found = fit(made_up(20_000), rounds=1500)
    assert found.units_per_pawn == pytest.approx(TRUE.units_per_pawn, rel=0.08)
    for points in (20, 40, 58, 78):
        for units in (-200, 0, 100, 300):
            expected = TRUE.win_permille(units, points)
            assert abs(found.win_permille(units, points) - expected) < 40


@pytest.mark.parametrize(
    ("comment", "score"),
    [
        ("+0.35/12 0.004s", 35),
        ("-1.09/8 0.004s", -109),
        ("+12.00/3 1.0s, White mates", 1200),
        ("+M3/20 0.1s", None),
        ("-M1/2 0.1s", None),
        ("book", None),
        ("", None),
    ],
)
def test_scores_of_comments(comment, score):
    assert score_of(comment) == (None if score is None else pytest.approx(score))


def write_games(path, count, result="1-0", **headers):
    """Short games in which White always says +0.50 and Black -0.40."""
    rng = random.Random(3)
    with path.open("w", encoding="utf-8") as file:
        for _ in range(count):
            game = chess.pgn.Game()
            game.headers.update({"Result": result, "Termination": "normal"} | headers)
            node = game
            board = game.board()
            for ply in range(10):
                move = rng.choice(sorted(board.legal_moves, key=chess.Move.uci))
                board.push(move)
                node = node.add_variation(move, comment=("+0.50", "-0.40")[ply % 2] + "/7 0.1s")
            file.write(f"{game}\n\n")


def test_positions_are_gathered_by_score_and_result(tmp_path):
    path = tmp_path / "games.pgn"
    write_games(path, 120)
    samples, digest = gather([path], 200, pytest.fail)
    assert digest == ""
    assert sorted(set(samples.units)) == [-80, 100]
    whites = samples.units == 100
    assert samples.wins[whites].sum() == samples.losses[~whites].sum() == 600
    assert samples.draws.sum() == samples.losses[whites].sum() == 0


@pytest.mark.parametrize(
    "headers", [{"Termination": "time forfeit"}, {"Result": "*"}, {"Termination": "abandoned"}]
)
def test_games_without_a_result_of_chess_are_left_out(tmp_path, capsys, headers):
    path = tmp_path / "games.pgn"
    write_games(path, 120, **headers)
    into = tmp_path / "scale.py"
    assert main([str(path), "--into", str(into)]) == 1
    assert "0 positions with scores" in capsys.readouterr().err
    assert not into.exists()


def played(folder, teacher, kind="games"):
    """Some fast games with an evaluation."""
    path = folder / f"{kind}.kcp"
    words = f"-o {path} --kind {kind} --teacher {teacher} --nodes 30 --games 60 --threads 1"
    assert play([*words.split(), "--random-move-share", "0"]) == 0
    return path


def test_self_play_says_whose_scale_it_is(tmp_path, network):
    teacher, into = tmp_path / "teacher.nnue", tmp_path / "scale.py"
    write_network(network, teacher)
    path = played(tmp_path, teacher)
    assert main([str(path), "--rounds", "20", "--into", str(into)]) == 0
    names: dict = {}
    exec(into.read_text(), names)
    digest = hashlib.sha256(teacher.read_bytes()).hexdigest()
    assert names["DIGITS"] == digest[: len(DIGITS)]
    assert names["FITTED_SCALE"].units_per_pawn > 0


def test_self_play_is_counted_as_its_moves_are(tmp_path):
    counts, digest = gather([played(tmp_path, "classical")], 100, pytest.fail)
    assert digest == ""
    with_scores, results = 0, Counter()
    for game in read_games(tmp_path / "games.kcp", pytest.fail):
        scores = game.plies["score"]
        seen = int(((scores != NO_SCORE) & (abs(scores.astype(int)) <= MOST_UNITS)).sum())
        with_scores += seen
        results[game.white_result == "1/2-1/2"] += seen
    total = counts.wins.sum() + counts.draws.sum() + counts.losses.sum()
    assert total == with_scores
    assert counts.draws.sum() == results[True]
    assert counts.shares.max() <= MOST_POINTS / REFERENCE_POINTS


def test_games_of_several_evaluations_are_refused(tmp_path, capsys):
    pgn = tmp_path / "games.pgn"
    write_games(pgn, 120)
    assert main([str(pgn), str(played(tmp_path, "default"))]) == 1
    assert "of several evaluations" in capsys.readouterr().err


def test_a_harvest_is_refused(tmp_path, capsys):
    assert main([str(played(tmp_path, "classical", "harvest"))]) == 1
    assert "no games, but positions" in capsys.readouterr().err


def test_material_of_packed_positions():
    fens = ("4k3/8/8/8/8/8/8/4KQ2 w - - 0 1", chess.STARTING_FEN, "k7/p7/8/8/8/8/8/KBNR4 b - - 0 1")
    records = np.array([packed_fen(fen) for fen in fens])
    assert material_of(records).tolist() == [9, 78, 12]


def test_a_missing_file_is_one_line(tmp_path, capsys):
    assert main([str(tmp_path / "none.pgn")]) == 1
    error = capsys.readouterr().err
    assert error == f"fit_wdl: {tmp_path / 'none.pgn'}: No such file or directory\n"


def test_what_it_writes_can_be_imported(tmp_path):
    path, into = tmp_path / "games.pgn", tmp_path / "scale.py"
    write_games(path, 120)
    assert main([str(path), "--rounds", "20", "--into", str(into)]) == 0
    names: dict = {}
    exec(into.read_text(), names)
    assert names["CLASSICAL_SCALE"].units_per_pawn > 0

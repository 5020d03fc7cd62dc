# SPDX-License-Identifier: GPL-3.0-or-later
"""The fit of the scale finds again what made the results."""

import random

import chess
import chess.pgn
import numpy as np
import pytest

from kingcobra.networks.scale import REFERENCE_POINTS, Scale
from kingcobra.training.fit_wdl import ScoreCounts, fit, gather, main, score_of

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
    samples = gather([path], units_per_pawn=200)
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

# SPDX-License-Identifier: GPL-3.0-or-later
"""The calculator's command line."""

from kingcobra.arena.sprt_tool import main


def test_published_counts(capsys):
    assert main(["--ptnml", "210,9236,25655,9432,187", "--bounds=-1.75,0.25"]) == 0
    output = capsys.readouterr().out
    assert "LLR    2.93 (-2.94, 2.94) [-1.75, 0.25] normalised: continue" in output
    assert "Games  89440" in output


def test_wins_draws_and_losses_are_given_in_that_order(capsys):
    assert main(["--wdl", "30,50,20"]) == 0
    output = capsys.readouterr().out
    assert "Elo    +34.86" in output
    assert "Draws  50.00 %" in output
    assert "LLR" not in output


def test_bad_numbers_are_named(capsys):
    assert main(["--ptnml", "1,2,3"]) == 2
    assert "--ptnml takes 5 numbers, got '1,2,3'" in capsys.readouterr().err
    assert main(["--wdl", "1,2,x"]) == 2
    assert "'1,2,x'" in capsys.readouterr().err
    assert main(["--wdl", "1,2,3", "--bounds=3"]) == 2
    assert "'3'" in capsys.readouterr().err
    assert main(["--wdl", "1,2,3", "--bounds=3,1"]) == 2
    assert "elo0" in capsys.readouterr().err

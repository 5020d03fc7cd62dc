# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line of tests: the calculator, and matches that end with a verdict."""

import pytest

from kingcobra.arena.commands.sprt import main
from tests.arena.mock_engines import engine_words


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


def test_with_engines_it_plays_until_the_test_is_decided(tmp_path, capsys):
    pgn = tmp_path / "out.pgn"
    settings = ["--bounds=0,100", "--tc", "nodes=5", "--max-moves", "30", "--resign", "1,500"]
    assert main([*engine_words("well", "losing"), *settings, "--pgn", str(pgn)]) == 0
    output = capsys.readouterr().out
    assert "[0, 100]: H1 accepted" in output
    assert 4 <= pgn.read_text().count("[Event ") < 200


def test_it_says_what_a_test_lacks(capsys):
    assert main([]) == 2
    assert "--ptnml or --wdl, or two engines" in capsys.readouterr().err
    assert main([*engine_words("well", "well"), "--tc", "nodes=1"]) == 2
    assert "--bounds is missing" in capsys.readouterr().err
    assert main([*engine_words("well", "well"), "--bounds=0,2"]) == 2
    assert "--tc is missing" in capsys.readouterr().err
    assert main(["--wdl", "1,2,3", *engine_words("well", "well")]) == 2
    assert "leave --engine out" in capsys.readouterr().err


def test_a_value_that_looks_like_an_option_is_explained(capsys):
    with pytest.raises(SystemExit):
        main(["--ptnml", "1,2,3,4,5", "--bounds", "-1.75,0.25"])
    assert "write a value that begins with - after =" in capsys.readouterr().err

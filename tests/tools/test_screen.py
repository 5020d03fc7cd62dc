# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra screen`."""

import pytest

from kingcobra.core.search.tunables import TUNABLES
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from kingcobra.tools.screen import FactorError, factors_named, main
from kingcobra.training.selfplay.screening import Factor

DEFAULTS = {one.name: one.default for one in TUNABLES}


def test_what_is_compared():
    assert factors_named(["late_base=5"]) == [Factor("late_base", DEFAULTS["late_base"], 5)]
    razors = factors_named(["razor_*"])
    assert [factor.name for factor in razors] == ["razor_base", "razor_square"]
    every = {factor.name for factor in factors_named([])}
    assert every == {name for name in DEFAULTS if not name.startswith("time_")}


@pytest.mark.parametrize(
    ("names", "complaint"),
    [
        (["no_such"], "'no_such' is not a tunable"),
        (["late_base=99"], "'99' is not a whole number"),
        (["late_base", "late_*"], "late_base is named twice"),
        ([f"late_base={DEFAULTS['late_base']}"], "already the default"),
    ],
)
def test_what_cannot_be_compared(names, complaint):
    with pytest.raises(FactorError, match=complaint):
        factors_named(names)


def test_games_and_a_table(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    common = ["-o", str(path), "--network", "classical", "--nodes", "50", "--threads", "1"]
    assert main(["late_base", "null_base", *common, "--games", "30"]) == EXIT_OK
    table = capsys.readouterr().out.splitlines()
    assert table[0] == "30 games"
    assert {line.split()[0] for line in table[2:]} == {"late_base", "null_base"}
    assert main(["-o", str(path)]) == EXIT_OK
    assert capsys.readouterr().out.splitlines() == table
    assert main(["late_base", "-o", str(path)]) == EXIT_USAGE
    assert "say when to end" in capsys.readouterr().err
    assert main(["razor_base", *common, "--games", "12"]) == EXIT_FAILED
    assert "holds other parameters" in capsys.readouterr().err


def test_techniques_and_their_table(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    common = ["-o", str(path), "--network", "classical", "--nodes", "50", "--threads", "1"]
    wanted = ["--techniques", "null-move", "history-*", *common, "--games", "12"]
    assert main(wanted) == EXIT_OK
    table = capsys.readouterr().out.splitlines()
    assert table[0] == "12 games"
    assert {line.split()[0] for line in table[2:]} == {"null-move", "history-pruning"}
    assert {line.split()[1] for line in table[2:]} == {"6"}
    assert main(["-o", str(path)]) == EXIT_OK
    assert capsys.readouterr().out.splitlines() == table
    assert main(["late_base", *common, "--games", "12"]) == EXIT_FAILED
    assert "holds other parameters" in capsys.readouterr().err
    assert main(["--techniques", "castling", *common, "--games", "2"]) == EXIT_USAGE
    assert "'castling' is not a technique; there are aspiration," in capsys.readouterr().err


def test_bad_input_is_answered_in_one_line(tmp_path, capsys):
    assert main(["no_such", "-o", str(tmp_path / "f"), "--games", "2"]) == EXIT_USAGE
    assert "is not a tunable" in capsys.readouterr().err
    assert main(["-o", str(tmp_path / "missing")]) == EXIT_FAILED
    assert "missing" in capsys.readouterr().err

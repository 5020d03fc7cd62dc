# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra screen`."""

import csv

import pytest

from kingcobra.core.search.tunables import TUNABLES
from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from kingcobra.tools.screen import FactorError, factors_named, main, tunables_named
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


def test_a_tuning_and_its_files(tmp_path, capsys):
    path = tmp_path / "games.jsonl"
    common = ["-o", str(path), "--network", "classical", "--nodes", "50", "--threads", "1"]
    wanted = ["--tune", "late_base", "null_margin", *common, "--rate", "0.9", "--games", "24"]
    assert main(wanted) == EXIT_OK
    output = capsys.readouterr().out.splitlines()
    assert output[:2] == ["24 games", "iteration 12 of 12"]
    means = {line.split()[0]: float(line.split()[3]) for line in output[3:5]}
    assert means.keys() == {"late_base", "null_margin"}
    with path.with_suffix(".csv").open() as file:
        rows = list(csv.DictReader(file))
    assert [row["ended"] for row in rows] == [str(number) for number in range(1, 13)]
    last = {name: [float(row[name]) for row in rows[-3:]] for name in means}
    for name, mean in means.items():
        assert mean == pytest.approx(sum(last[name]) / 3, abs=0.01)
    diff = path.with_suffix(".diff").read_text()
    for name, mean in means.items():
        is_changed = f'"{name}", {round(mean)},' in diff
        assert is_changed == (round(mean) != DEFAULTS[name])
    assert main(["-o", str(path)]) == EXIT_OK
    assert capsys.readouterr().out.splitlines() == output[:5]


@pytest.mark.parametrize(
    ("arguments", "exit_code", "complaint"),
    [
        (["no_such", "--games", "2"], EXIT_USAGE, "no tunable is called 'no_such'"),
        (["late_base=3", "--games", "2"], EXIT_USAGE, "no tunable is called 'late_base=3'"),
        (["late_base", "--seconds", "2"], EXIT_USAGE, "say how many --games"),
    ],
)
def test_what_cannot_be_tuned(arguments, exit_code, complaint, tmp_path, capsys):
    assert main(["--tune", *arguments, "-o", str(tmp_path / "f.jsonl")]) == exit_code
    assert complaint in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_tuning_needs_the_schedule_of_its_file(tmp_path, capsys):
    common = ["--tune", "late_base", "-o", str(tmp_path / "f.jsonl"), "--network", "classical"]
    common += ["--nodes", "50", "--threads", "1"]
    assert main([*common, "--games", "4"]) == EXIT_OK
    assert main([*common, "--games", "6"]) == EXIT_FAILED
    assert "was played with iterations 2, not 3" in capsys.readouterr().err


def test_without_names_all_but_the_clock_is_tuned():
    every = {tunable.name for tunable in tunables_named([])}
    assert every == {name for name in DEFAULTS if not name.startswith("time_")}
    assert [one.name for one in tunables_named(["razor_*"])] == ["razor_base", "razor_square"]


def test_bad_input_is_answered_in_one_line(tmp_path, capsys):
    assert main(["no_such", "-o", str(tmp_path / "f"), "--games", "2"]) == EXIT_USAGE
    assert "is not a tunable" in capsys.readouterr().err
    assert main(["-o", str(tmp_path / "missing")]) == EXIT_FAILED
    assert "missing" in capsys.readouterr().err

# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole suites, run through a small engine."""

import sys

import pytest

from kingcobra.arena.commands.suite import main
from tests.arena.mock_engines import MISBEHAVING_ENGINE

# One legal move each: even a random engine finds it.
FORCED_BY_CHECK = "k7/8/8/8/8/8/6q1/7K w - -"


def run(folder_or_file, manner="well", *arguments):
    command = f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' {manner}"
    return main([str(folder_or_file), "--engine", command, "--limit", "depth=1", *arguments])


def rows(output):
    lines = output.splitlines()
    header = next(number for number, line in enumerate(lines) if "solved" in line)
    return {line.split()[0]: line.split()[1:] for line in lines[header + 1 :]}


def test_a_folder_is_run_file_by_file(tmp_path, capsys):
    (tmp_path / "moves.epd").write_text(
        f'{FORCED_BY_CHECK} bm Kxg2; c0 "Kxg2=7";\n{FORCED_BY_CHECK} am Kxg2;\n'
    )
    (tmp_path / "mates.epd").write_text(f"{FORCED_BY_CHECK} bm #-2;\n")
    assert run(tmp_path, "mated", "--failures", "--concurrency", "2") == 0
    output = capsys.readouterr().out
    found = rows(output)
    assert found["moves"][:5] == ["1", "2", "50.00", "7", "7"]
    assert found["mates"][:3] == ["1", "1", "100.00"]
    assert found["total"][:5] == ["2", "3", "66.67", "7", "7"]
    assert f"moves.2: Kxg2, not another than Kxg2, in {FORCED_BY_CHECK} 0 1" in output


def test_a_position_that_cannot_be_read_is_named_and_the_suite_goes_on(tmp_path, capsys):
    path = tmp_path / "moves.epd"
    path.write_text(f"{FORCED_BY_CHECK} bm Kxg2;\n{FORCED_BY_CHECK} bm Qa8;\n")
    assert run(path) == 0
    captured = capsys.readouterr()
    assert captured.err.startswith(f"kingcobra suite: skipping {path}, line 2: illegal san: 'Qa8'")
    assert captured.err.count("\n") == 1
    assert rows(captured.out)["moves"][:2] == ["1", "1"]


def test_only_the_first(tmp_path, capsys):
    path = tmp_path / "moves.epd"
    path.write_text(f"{FORCED_BY_CHECK} bm Kxg2;\n" * 5)
    assert run(path, "well", "--first", "3") == 0
    assert rows(capsys.readouterr().out)["moves"][:2] == ["3", "3"]


def test_an_engine_that_fails_is_counted_and_started_anew(tmp_path, capsys):
    path = tmp_path / "moves.epd"
    path.write_text(f"{FORCED_BY_CHECK} bm Kxg2;\n" * 3)
    assert run(path, "crash 2") == 1
    row = rows(capsys.readouterr().out)["moves"]
    assert row[:2] == ["2", "3"]
    assert row[-1] == "1"


def test_an_engine_that_cannot_be_tried_is_named_before_the_first_position(tmp_path, capsys):
    path = tmp_path / "moves.epd"
    path.write_text(f"{FORCED_BY_CHECK} bm Kxg2;\n" * 3)
    assert run(path, "well,name=W,option.Nonsense=1") == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("kingcobra suite: W: has no option Nonsense; ")
    assert captured.out == ""


def test_what_was_done_before_the_interrupt_key_is_told(tmp_path, capsys, monkeypatch):
    path = tmp_path / "moves.epd"
    path.write_text(f"{FORCED_BY_CHECK} bm Kxg2;\n" * 3)

    def interrupting_counter(_name, _total):
        def show(done):
            if done == 2:
                raise KeyboardInterrupt

        return show

    monkeypatch.setattr("kingcobra.arena.commands.suite._counter", interrupting_counter)
    assert run(path) == 130
    captured = capsys.readouterr()
    assert captured.err == "stopped; results so far:\n"
    assert rows(captured.out)["moves"][:2] == ["2", "2"]


def test_errors_of_use_are_named(tmp_path, capsys):
    assert run(tmp_path) == 2
    assert "no *.epd" in capsys.readouterr().err
    assert run(tmp_path / "missing.epd") == 2
    assert capsys.readouterr().err.endswith("missing.epd: No such file or directory\n")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    assert run(tmp_path / "binary") == 2
    assert capsys.readouterr().err.endswith("binary: not UTF-8 text\n")
    path = tmp_path / "moves.epd"
    path.write_text(f"{FORCED_BY_CHECK} bm Kxg2;\n")
    assert run(path, "well", "--limit", "8+0.08") == 2
    assert "8+0.08" in capsys.readouterr().err
    assert run(path, "well", "--first", "0") == 2
    assert "--first must be at least 1" in capsys.readouterr().err
    assert run(path, "well", "--concurrency", "0") == 2
    assert "--concurrency must be at least 1" in capsys.readouterr().err
    path.write_text("7k/5Q2/6K1/8/8/8/8/8 b - - bm Kg8;\n")
    assert run(path) == 2
    assert "line 1: no legal move" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["--limit", "5+0.1"],
            "--limit 5+0.1: a suite has no clock, expected movetime=MS, nodes=N",
        ),
        (["--limit", "soon"], "--limit soon: a suite has no clock, expected movetime=MS, nodes=N"),
        (["--engine", "self"], "a suite takes one --engine at a time"),
    ],
)
def test_what_a_suite_cannot_do_is_refused(tmp_path, capsys, arguments, message):
    path = tmp_path / "moves.epd"
    path.write_text(f"{FORCED_BY_CHECK} bm Kxg2;\n")
    assert run(path, "well", *arguments) == 2
    assert capsys.readouterr().err.startswith(f"kingcobra suite: {message}")

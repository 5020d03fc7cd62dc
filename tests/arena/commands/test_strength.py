# SPDX-License-Identifier: GPL-3.0-or-later
"""The matches that judge network and search: their commands, and a message for what is missing."""

from itertools import pairwise

import pytest

from benchmarks import strength
from kingcobra.arena.engines.engine_spec import parse_engine


@pytest.fixture
def handed_on(monkeypatch, tmp_path, match_calls):
    """What `kingcobra match` is given; every program but Ethereal is installed."""
    calls = match_calls(missing="ethereal-chess")
    for name in ("UHO_4060_v4.epd", "nn-ad9b42354671.nnue"):
        (tmp_path / name).touch()
    folders = ["--books", str(tmp_path), "--networks", str(tmp_path), "--folder", str(tmp_path)]

    def start(*arguments):
        monkeypatch.setattr("sys.argv", ["strength", *arguments, *folders])
        return strength.main(), calls

    return start


def engines_of(arguments):
    return [parse_engine(spec) for word, spec in pairwise(arguments) if word == "--engine"]


def test_both_sides_have_the_same_memory_and_threads(handed_on, tmp_path):
    code, (arguments,) = handed_on("equal", "--concurrency", "2")
    assert code == 0
    ours, theirs = engines_of(arguments)
    network = str(tmp_path / "nn-ad9b42354671.nnue")
    assert ours.options == theirs.options
    assert ours.options == {"Threads": "1", "Hash": "16", "EvalFile": network}
    assert theirs.command[0] == "/g/stockfish"
    assert arguments[arguments.index("--tc") + 1] == "8+0.08"
    assert arguments[arguments.index("--games") + 1] == "1000"
    assert arguments[-2:] == ["--concurrency", "2"]
    assert "--resume" not in arguments


def test_several_threads_play_against_one(handed_on):
    _, (arguments,) = handed_on("threads-8", "--concurrency", "2")
    many, one = engines_of(arguments)
    assert many.options == {"Threads": "8", "Hash": "16"}
    assert one.options == {"Threads": "1", "Hash": "16"}
    assert many.command == one.command


def test_an_interrupted_match_goes_on(handed_on, tmp_path):
    (tmp_path / "elo-1700.pgn").touch()
    handed_on("elo-1700")
    _, (arguments, anew) = handed_on("elo-1700", "--overwrite")
    assert "--resume" in arguments
    assert "--resume" not in anew
    assert [engine.options["UCI_Elo"] for engine in engines_of(arguments)] == ["1700", "1700"]


def test_what_is_missing_is_named(handed_on, capsys):
    assert handed_on("small")[0] == 2
    assert "holds no nn-9067e33176e8.nnue" in capsys.readouterr().err
    assert handed_on("ethereal")[0] == 2
    assert "ethereal-chess is not installed" in capsys.readouterr().err


def test_without_a_name_the_matches_are_listed(handed_on, capsys):
    code, calls = handed_on()
    assert code == 0
    assert not calls
    assert "small: 400 games at 8+0.08 against small, at least 50 %" in capsys.readouterr().out

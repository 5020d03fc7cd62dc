# SPDX-License-Identifier: GPL-3.0-or-later
"""The command of the ladder: readable descriptions, and a message for each missing engine."""

from itertools import pairwise

import pytest

from benchmarks import ladder
from kingcobra.arena.engines.engine_spec import parse_engine


@pytest.fixture
def handed_on(monkeypatch, tmp_path, match_calls):
    """What `kingcobra match` is given; every program but toga2 is installed."""
    calls = match_calls(missing="toga2")
    for name in ("UHO_4060_v4.epd", "8moves_v3.pgn"):
        (tmp_path / name).touch()

    def start(*arguments):
        monkeypatch.setattr("sys.argv", ["ladder", "--books", str(tmp_path), *arguments])
        return ladder.main(), calls

    return start


def test_everybody_who_is_installed_plays(handed_on, capsys):
    code, (arguments,) = handed_on("--pgn", "x.pgn", "--resume")
    assert code == 0
    engines = [parse_engine(spec) for word, spec in pairwise(arguments) if word == "--engine"]
    names = [engine.name for engine in engines]
    assert names[0] == "Kingcobra"
    assert {"fairymax", "phalanx", "gnuchess", "glaurung", "ethereal-chess"} < set(names)
    assert "toga2" not in names
    assert "toga2 is not installed and left out" in capsys.readouterr().err
    strengths = [e.options["UCI_Elo"] for e in engines if e.command[0] == "/g/stockfish"]
    assert len(set(strengths)) == len(strengths) > 2
    sizes = {engine.options.get("Hash") or engine.options.get("memory") for engine in engines}
    assert sizes == {"16"}
    assert all(
        engine.options["OwnBook"] == "false"
        for engine in engines
        if engine.name in ("gnuchess", "glaurung")
    )
    assert arguments[arguments.index("--tc") + 1] == "5+0.05"
    assert "--gauntlet" in arguments
    assert arguments[arguments.index("--faults") + 1] == "apart"
    assert arguments[-3:] == ["--pgn", "x.pgn", "--resume"]


def test_some_may_be_named(handed_on, capsys):
    code, (arguments,) = handed_on("--only", "phalanx", "--games", "2")
    assert code == 0
    assert arguments.count("--engine") == 2
    assert handed_on("--only", "deep-search_info")[0] == 2
    assert "there are fairymax, phalanx" in capsys.readouterr().err


def test_missing_books_are_named(handed_on, tmp_path, capsys):
    (tmp_path / "8moves_v3.pgn").unlink()
    assert handed_on()[0] == 2
    assert "8moves_v3.pgn" in capsys.readouterr().err

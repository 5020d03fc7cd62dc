# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra tune`: short tunings with real games."""

import csv
import json
import signal
import subprocess
import sys
import time

import pytest

from kingcobra.arena.commands.tune import main
from kingcobra.arena.contests.contest import Workers
from kingcobra.arena.contests.match_files import MatchFiles
from kingcobra.arena.contests.tuning import MINUS, PLUS, Tuning, TuningPlan, select_tunables
from kingcobra.arena.contests.tuning_path import _read_path
from kingcobra.arena.engines.answers import Fault
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.time_control import TimeControl
from kingcobra.arena.games.game import Rules
from kingcobra.arena.games.game_record import BLACK_WINS, DRAW, WHITE_WINS, GameRecord
from kingcobra.arena.games.openings import Book
from kingcobra.core.search.tunables import TUNABLES
from kingcobra.statistics.spsa import GainSchedule, Spsa
from tests.arena.mock_engines import MISBEHAVING_ENGINE

BOOK = (
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n"
    "rnbqkb1r/pppp1ppp/4pn2/8/2PP4/8/PP2PPPP/RNBQKBNR w KQkq - 0 3\n"
)
NAMES = ("razor_base", "reduce_slope")
# More than two iterations have, and less than all of them.
MOVES_BEFORE_THE_WAIT = 150
TIMEOUT_S = 600
POLL_S = 0.02
EXIT_INTERRUPTED = 130


def arguments(folder, *more, iterations=4, names=NAMES):
    """A tuning of two parameters whose games end early; a high rate, so that they move."""
    book = folder / "book.epd"
    book.write_text(BOOK)
    return [
        *names,
        *("--iterations", str(iterations), "--tc", "nodes=300", "--max-moves", "25"),
        *("--resign", "1,60", "--rate", "0.5", "--book", str(book)),
        *("--pgn", str(folder / "tune.pgn"), *more),
    ]


def path_of(folder):
    with (folder / "tune.csv").open() as file:
        return list(csv.DictReader(file))


@pytest.mark.usefixtures("core")
def test_a_tuning_plays_learns_and_writes_its_files(tmp_path, capsys):
    assert main(arguments(tmp_path)) == 0
    lines = (tmp_path / "tune.pgn.state").read_text().splitlines()
    games = [json.loads(line) for line in lines[1:]]
    assert [game["number"] for game in games] == list(range(8))
    assert {(game["white"], game["black"]) for game in games} == {
        ("plus", "minus"),
        ("minus", "plus"),
    }
    assert all(game["fault"] is None for game in games)
    assert (tmp_path / "tune.pgn").read_text().count("[Event ") == 8
    path = path_of(tmp_path)
    assert [row["iteration"] for row in path] == ["1", "2", "3", "4"]
    assert [row["ended"] for row in path] == ["1", "2", "3", "4"]
    for row in path:
        assert int(row["losses"]) + int(row["draws"]) + int(row["wins"]) == 2
    decided = any(row["wins"] != row["losses"] for row in path)
    defaults = {tunable.name: tunable.default for tunable in TUNABLES}
    moved = [name for name in NAMES if float(path[-1][name]) != defaults[name]]
    assert bool(moved) == decided
    diff = (tmp_path / "tune.diff").read_text()
    added = [line for line in diff.splitlines() if line.startswith("+")]
    for name in NAMES:
        found = round(float(path[-1][name]))
        is_changed = any(f'"{name}", {found}, ' in line for line in added)
        assert is_changed == (found != defaults[name])
    output = capsys.readouterr().out
    assert "iteration 4 of 4, 8 games" in output


@pytest.mark.usefixtures("core")
def test_a_tuning_cut_short_goes_on_as_if_nothing_had_happened(tmp_path):
    whole, cut = tmp_path / "whole", tmp_path / "cut"
    for folder in (whole, cut):
        folder.mkdir()
        assert main(arguments(folder)) == 0
    assert path_of(whole) == path_of(cut)
    state = cut / "tune.pgn.state"
    lines = state.read_text().splitlines(keepends=True)
    half_of_a_line = lines[6][: len(lines[6]) // 2]
    state.write_text("".join(lines[:6]) + half_of_a_line)  # five games, and one half-written
    assert main(arguments(cut, "--resume")) == 0
    assert path_of(cut) == path_of(whole)
    assert (cut / "tune.diff").read_text() == (whole / "tune.diff").read_text()
    assert (cut / "tune.pgn").read_text().count("[Event ") == 8


def test_the_interrupt_key_stops_it_and_resume_goes_on(tmp_path):
    """The engines wait in its middle, or else they might be done before the key."""
    goes_on = tmp_path / "goes on"
    manner = f"waits {MOVES_BEFORE_THE_WAIT} '{goes_on}'"
    engine = ["--engine", f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' {manner}"]
    command = [sys.executable, "-m", "kingcobra", "tune"]
    tuning = subprocess.Popen(
        [*command, *arguments(tmp_path, *engine, iterations=30)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    deadline = time.monotonic() + TIMEOUT_S
    path = tmp_path / "tune.csv"
    while time.monotonic() < deadline and not (path.exists() and len(path_of(tmp_path)) >= 2):
        time.sleep(POLL_S)
    tuning.send_signal(signal.SIGINT)
    output, errors = tuning.communicate(timeout=TIMEOUT_S)
    assert tuning.returncode == EXIT_INTERRUPTED
    assert "--resume" in errors
    assert "Traceback" not in errors
    assert "tune.diff" in output
    before = path_of(tmp_path)
    assert 2 <= len(before) < 30
    goes_on.touch()
    more = [*engine, "--resume", "--concurrency", "2"]
    resumed = subprocess.run(
        [*command, *arguments(tmp_path, *more, iterations=30)],
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=True,
    )
    assert "iteration 30 of 30, 60 games" in resumed.stdout
    assert path_of(tmp_path)[: len(before)] == before
    assert sorted(int(row["iteration"]) for row in path_of(tmp_path)) == list(range(1, 31))


@pytest.mark.usefixtures("core")
def test_a_missing_plot_is_explained(tmp_path, capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    assert main(arguments(tmp_path, iterations=1)) == 0
    assert "pip install -e '.[plot]'" in capsys.readouterr().out
    assert not (tmp_path / "tune.png").exists()
    assert len(path_of(tmp_path)) == 1


@pytest.mark.usefixtures("core")
def test_the_plot_is_drawn(tmp_path):
    pytest.importorskip("matplotlib", reason="matplotlib is not installed")
    assert main(arguments(tmp_path, iterations=2)) == 0
    assert (tmp_path / "tune.png").read_bytes().startswith(b"\x89PNG")


def test_each_game_is_played_with_the_values_of_its_iteration(tmp_path):
    """One process plays plus, another minus, and both get new values for each iteration."""
    notes = tmp_path / "notes"
    spec = f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' notes-options 1 '{notes}'"
    assert main(arguments(tmp_path, "--engine", spec, iterations=3)) == 0
    received = [line.split() for line in notes.read_text().splitlines() if len(line.split()) == 3]
    for tunable in (tunable for tunable in TUNABLES if tunable.name in NAMES):
        values = [(pid, int(value)) for pid, name, value in received if name == tunable.name]
        check, *played = values  # the first process only tried whether the engine takes them
        assert abs(check[1] - tunable.default) > 0
        assert len({pid for pid, _ in played}) == 2
        assert len(played) == 6
        for (_, plus), (_, minus) in zip(played[::2], played[1::2], strict=True):
            assert plus != minus
            assert tunable.low <= min(plus, minus) < max(plus, minus) <= tunable.high


def plan_of(iterations, **more):
    rules = Rules(TimeControl(nodes=1), 0.02, TIMEOUT_S, TIMEOUT_S)
    options = {"pairs": 1, "book": Book(), "rules": rules, "seed": 1, "order": "book", **more}
    return TuningPlan(
        EngineSpec(("x",), "K"),
        select_tunables("razor_base"),
        GainSchedule(iterations=iterations, rate=0.5),
        **options,
    )


def game(number, result, fault=None):
    white, black = (PLUS, MINUS) if number % 2 == 0 else (MINUS, PLUS)
    culprit = None if fault is None else MINUS
    return GameRecord(
        number, number // 2, white, black, result, "why", fault, culprit, plies=10, seconds=1.0
    )


@pytest.mark.parametrize(
    ("faults_apart", "counts"), [(True, ["0", "1", "1"]), (False, ["0", "2", "2"])]
)
def test_a_pair_with_a_fault_says_nothing_about_the_values(tmp_path, faults_apart, counts):
    plan = plan_of(iterations=1, pairs=2, faults_apart=faults_apart)
    pgn = tmp_path / "tune.pgn"
    files = MatchFiles(pgn, plan.settings())
    files.begin(overwrite=False)
    crash = Fault.CRASH.value
    for record in (game(0, WHITE_WINS, crash), game(1, DRAW), game(2, WHITE_WINS), game(3, DRAW)):
        files.add(record, "")
    files.close()
    tuning = Tuning(plan, pgn, tmp_path / "tune.csv", Workers())
    tuning.start(resume=True, overwrite=False)
    tuning.close()
    (row,) = path_of(tmp_path)
    assert [row[column] for column in ("losses", "draws", "wins")] == counts
    expected = Spsa(plan.tunables, plan.schedule, plan.seed)
    expected.learn(1, surplus=int(counts[2]))
    assert float(row["razor_base"]) == pytest.approx(expected.values["razor_base"], abs=1e-3)


def test_rows_are_in_the_order_of_learning_and_resuming_repeats_them(tmp_path):
    """The second iteration ends last; the path is written while the games end, then read again
    from some of them, and from all."""
    plan, pgn, path = plan_of(iterations=3), tmp_path / "tune.pgn", tmp_path / "tune.csv"
    order = [(0, DRAW), (2, WHITE_WINS), (1, BLACK_WINS), (4, WHITE_WINS), (5, DRAW), (3, DRAW)]

    def play(records, resume):
        tuning = Tuning(plan, pgn, path, Workers())
        tuning.start(resume=resume, overwrite=True)
        for record in records:
            tuning._add_finished(record, "")
        tuning.close()
        return path.read_text()

    games = [game(number, result) for number, result in order]
    uninterrupted = play(games, resume=False)
    rows = path_of(tmp_path)
    assert [row["ended"] for row in rows] == ["1", "2", "3"]
    assert [row["iteration"] for row in rows] == ["1", "3", "2"]
    expected = Spsa(plan.tunables, plan.schedule, plan.seed)
    for row, (iteration, surplus) in zip(rows, [(1, 1), (3, 1), (2, 1)], strict=True):
        expected.learn(iteration, surplus)
        assert float(row["razor_base"]) == pytest.approx(expected.values["razor_base"], abs=1e-3)
    assert play([], resume=True) == uninterrupted
    play(games[:4], resume=False)
    assert play(games[4:], resume=True) == uninterrupted


def test_the_plot_goes_from_one_end_of_an_iteration_to_the_next(tmp_path):
    path = tmp_path / "tune.csv"
    path.write_text("ended,iteration,losses,draws,wins,razor_base\n1,2,0,0,2,7\n2,1,0,0,2,9\n")
    (tunable,) = select_tunables("razor_base")
    drawn = _read_path(path, [tunable])
    assert drawn == {"razor_base": ([0, 1, 2], [tunable.default, 7, 9])}


def test_faults_stand_apart_unless_they_shall_be_scored(tmp_path, capsys):
    engine = ["--engine", f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' crash"]
    assert main(arguments(tmp_path, *engine, iterations=1)) == 0
    output = capsys.readouterr().out
    assert "iteration 1 of 1, 2 games (2 with faults apart)" in output
    assert "minus: crash × 1" in output
    assert main(arguments(tmp_path, *engine, "--resume", "--faults", "scored", iterations=1)) == 0
    assert "2 games: plus 1 won, 0 drawn, 1 lost" in capsys.readouterr().out


def test_tunables_are_chosen_by_name_and_pattern():
    names = [
        tunable.name for tunable in select_tunables("null_*", "iir_depth", excluding=["null_base"])
    ]
    assert "null_divisor" in names
    assert "iir_depth" in names
    assert "null_base" not in names
    assert all(name.startswith("null_") for name in names if name != "iir_depth")
    assert select_tunables() == TUNABLES


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["razor_bse"], "did you mean razor_base"),
        (["--except", "*"], "nothing to tune"),
        (["--iterations", "0"], "got 0"),
        (["--pairs", "0"], "--pairs must be at least 1"),
        (["--rate", "-1"], "got -1"),
        (["--tc", "fast"], "'fast'"),
        (["--concurrency", "0"], "--concurrency must be at least 1"),
        (["--book", "missing.epd"], "missing.epd: No such file or directory"),
        (["--pgn", "tune.csv"], "tune.csv"),
        (["--resume"], "tune.pgn.state is missing"),
        (["--engine", "no-such-engine"], "no-such-engine"),
        (
            ["--engine", f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' knows-no-tunables"],
            "No such option",
        ),
    ],
)
def test_bad_input_is_one_clear_line(tmp_path, capsys, more, message):
    assert main([*arguments(tmp_path), *more]) == 2
    captured = capsys.readouterr()
    assert captured.err.startswith("kingcobra tune: ")
    assert message in captured.err
    assert captured.err.count("\n") == 1
    assert not (tmp_path / "tune.pgn").exists()


def test_without_a_file_to_name_the_others_after_nothing_is_played(tmp_path, capsys):
    assert main([*arguments(tmp_path)[:-2]]) == 2
    assert "--pgn is missing" in capsys.readouterr().err


@pytest.mark.usefixtures("core")
def test_files_of_an_earlier_tuning_are_not_overwritten(tmp_path, capsys):
    (tmp_path / "tune.diff").write_text("precious")
    assert main(arguments(tmp_path)) == 2
    assert "tune.diff exists" in capsys.readouterr().err
    assert (tmp_path / "tune.diff").read_text() == "precious"


def test_who_interrupts_the_plot_has_the_diff(tmp_path, capsys, monkeypatch):
    def interrupted(*_arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("kingcobra.arena.contests.tuned_files.plot_path", interrupted)
    engine = ["--engine", f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' well"]
    assert main(arguments(tmp_path, *engine, iterations=1)) == 130
    assert (tmp_path / "tune.diff").exists()
    assert "--resume draws it" in capsys.readouterr().err

# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra annotate` as users run it."""

import json
import os
import signal
import subprocess
import sys

import pytest

from kingcobra.tools.annotate import main
from tests.command_line import kingcobra
from tests.paths import DATA
from tests.processes import all_gone, children_of, wait_until

GAMES = DATA / "games.pgn"
FEW_NODES = ("--nodes", "300", "--hash", "1")
MORE_NODES = ("--nodes", "4000", "--hash", "1")

pytestmark = pytest.mark.usefixtures("core")


def annotate(*arguments):
    """The exit code and what was said on stderr."""
    done = kingcobra("annotate", *map(str, arguments))
    errors = done.stderr.decode()
    assert "Traceback" not in errors
    return done.returncode, errors, done.stdout.decode()


def exit_code(*arguments):
    """The same within this process, for commands that end at once."""
    try:
        return main([str(word) for word in arguments])
    except SystemExit as ended:
        return ended.code


def outputs(folder):
    """Options for all kinds of output, and their files."""
    names = {"-o": "o.pgn", "--json": "o.json", "--table": "o.csv", "--report": "o.html"}
    folder.mkdir()
    return [word for option, name in names.items() for word in (option, folder / name)]


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """What one job writes, from start to end."""
    folder = tmp_path_factory.mktemp("annotate") / "whole"
    code, errors, printed = annotate(GAMES, *FEW_NODES, "--jobs", "1", *outputs(folder))
    assert (code, printed) == (0, "")
    assert f"{GAMES}: game 3, line 24: illegal san: 'Ke3'" in errors
    assert "4 games annotated, 1 broken and skipped" in errors
    return contents(folder)


def test_all_files_are_there(whole):
    assert set(whole) == {"o.pgn", "o.json", "o.csv", "o.html"}
    assert whole["o.pgn"].count(b"[Event ") == 4
    lines = [json.loads(line) for line in whole["o.json"].decode().splitlines()]
    assert [line["game"] for line in lines] == [1, 2, 3, 4, 5]
    assert "Ke3" in lines[2]["error"]


def test_two_jobs_write_the_same_bytes(whole, tmp_path):
    folder = tmp_path / "two"
    assert annotate(GAMES, *FEW_NODES, "--jobs", "2", *outputs(folder))[0] == 0
    assert contents(folder) == whole


def test_a_cluster_writes_the_same_bytes(whole, tmp_path):
    pytest.importorskip("ray", reason="Ray is not installed")
    folder = tmp_path / "ray"
    options = ("--cluster", "local", "--jobs", "1")
    assert annotate(GAMES, *FEW_NODES, *options, *outputs(folder))[0] == 0
    assert contents(folder) == whole


def test_a_killed_run_is_resumed_without_loss(tmp_path):
    expected, folder = tmp_path / "expected", tmp_path / "killed"
    assert annotate(GAMES, *MORE_NODES, *outputs(expected))[0] == 0
    options = [str(word) for word in (GAMES, *MORE_NODES, "--jobs", "1", *outputs(folder))]
    command = [sys.executable, "-m", "kingcobra", "annotate", *options]
    run = subprocess.Popen(command, stderr=subprocess.DEVNULL)
    journal = folder / "o.pgn.progress"

    def has_a_game():
        return run.poll() is not None or (
            journal.exists() and journal.read_bytes().count(b"\n") >= 2
        )

    wait_until(has_a_game)
    workers = children_of(run.pid)
    run.send_signal(signal.SIGKILL)
    run.wait()
    # A worker ends with the position that it is searching.
    assert all_gone(workers)
    code, errors, _ = annotate(*options, "--resume")
    assert code == 0
    assert "done already" in errors or "nothing to resume" in errors
    assert contents(folder) == contents(expected)


def test_an_interrupted_run_is_not_thrown_away(tmp_path, capsys):
    journal = tmp_path / "o.pgn.progress"
    journal.write_text("precious")
    assert exit_code(GAMES, *FEW_NODES, "-o", tmp_path / "o.pgn") == 1
    errors = capsys.readouterr().err
    assert "--resume continues it" in errors
    assert journal.read_text() == "precious"


def test_other_settings_do_not_resume(tmp_path, capsys):
    about = {"format": "kingcobra-annotation-1", "about": {}}
    (tmp_path / "o.pgn.progress").write_text(json.dumps(about) + "\n")
    assert exit_code(GAMES, *FEW_NODES, "-o", tmp_path / "o.pgn", "--resume") == 1
    errors = capsys.readouterr().err
    assert "begun with other settings" in errors


def test_games_go_to_standard_output(whole):
    code, _, printed = annotate(GAMES, *FEW_NODES)
    assert code == 0
    assert printed == whole["o.pgn"].decode()


def test_a_complete_run_has_nothing_to_resume(tmp_path, capsys):
    (tmp_path / "o.pgn").write_text("done")
    assert exit_code(GAMES, "-o", tmp_path / "o.pgn", "--resume") == 0
    errors = capsys.readouterr().err
    assert "nothing to resume" in errors


def test_only_the_players_games():
    code, errors, printed = annotate(GAMES, *FEW_NODES, "--player", "morphy")
    assert code == 0
    assert printed.count("[Event ") == 1
    assert "1 game annotated, 3 of other players left out, 1 broken" in errors


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["missing.pgn"], 1, "missing.pgn: not found"),
        (["."], 1, ".: not a file"),
        ([GAMES, "-o", "missing/o.pgn"], 1, "missing/o.pgn"),
        ([GAMES, "--network", "missing.nnue"], 1, "missing.nnue: not found"),
        ([GAMES, "--nodes", "0"], 2, "--nodes: '0', expected 1"),
        ([GAMES, "--jobs", "many"], 2, "--jobs: 'many'"),
        ([GAMES, "--annotator", 'a"b'], 2, "expected one line without quotes"),
        ([GAMES, "--resume"], 2, "--resume needs an output file"),
        ([GAMES, "-o", GAMES], 1, "is both read and written"),
        ([GAMES, "--cluster", "127.0.0.1:1"], 1, ""),
    ],
)
def test_what_is_in_the_way_is_one_line(capsys, arguments, code, message):
    few = () if "--nodes" in arguments else FEW_NODES
    found = exit_code(*arguments, *few)
    printed, errors = capsys.readouterr()
    assert (found, printed) == (code, "")
    assert message in errors
    if code == 1:
        assert len(errors.splitlines()) == 1


def test_two_outputs_need_two_names(tmp_path, capsys):
    output = tmp_path / "o.pgn"
    assert exit_code(GAMES, *FEW_NODES, "-o", output, "--json", output) == 1
    assert capsys.readouterr().err.endswith("o.pgn: named for two outputs\n")
    assert list(tmp_path.iterdir()) == []


def test_a_run_that_cannot_start_leaves_nothing_to_resume(tmp_path, capsys):
    assert exit_code(GAMES, *FEW_NODES, "-o", tmp_path / "o.pgn", "--table", tmp_path / "o.x") == 1
    assert "expected a name with .csv" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_without_games_gives_empty_files(tmp_path):
    (tmp_path / "in.pgn").write_text("\n")
    folder = tmp_path / "out"
    code, errors, _ = annotate(tmp_path / "in.pgn", *FEW_NODES, *outputs(folder))
    assert code == 0
    assert "0 games annotated" in errors
    assert contents(folder)["o.pgn"] == b""


@pytest.mark.skipif(os.name == "nt", reason="signals")
def test_ctrl_c_says_how_to_go_on(tmp_path):
    output = tmp_path / "o.pgn"
    command = [sys.executable, "-m", "kingcobra", "annotate", str(GAMES), "--nodes", "100000000"]
    run = subprocess.Popen([*command, "-o", str(output)], stderr=subprocess.PIPE)
    # The workers are there.
    wait_until(lambda: bool(children_of(run.pid)))
    wait_until((tmp_path / "o.pgn.progress").exists)
    run.send_signal(signal.SIGINT)
    _, errors = run.communicate()
    assert run.returncode == 130
    assert errors.decode().splitlines()[-1].endswith("interrupted; --resume continues")
    assert not output.exists()
    assert not (tmp_path / "o.pgn.part").exists()

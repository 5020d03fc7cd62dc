# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra tb`, from its words to its lines."""

import hashlib
import json
import shutil

import chess
import pytest

from kingcobra.tools import tb
from tests.paths import DATA

# Else the first board would report its compilation on stderr.
pytestmark = pytest.mark.usefixtures("board_object")

FOLDER = DATA / "syzygy"
QUEEN = "8/8/8/8/8/4k3/8/K2Q4 w - - 0 1"
OK, FAILED = 0, 1


@pytest.fixture
def run(capsys, core, tables_core):
    """Runs the tool; returns its exit code, what it said and what it complained of."""
    assert core
    assert tables_core

    def run_tool(*arguments):
        code = tb.main([str(argument) for argument in arguments])
        said, complaints = capsys.readouterr()
        return code, said, complaints

    return run_tool


def test_probe(run):
    code, said, complaints = run("probe", "--path", FOLDER, QUEEN)
    lines = said.splitlines()
    assert (code, complaints) == (OK, "")
    assert lines[:2] == [QUEEN, "WDL +2 (win), DTZ 11"]
    assert lines[2].split() == ["Qg4", "win", "11"]
    assert len(lines) == 2 + chess.Board(QUEEN).legal_moves.count()


def test_probe_takes_a_fen_of_several_words(run):
    assert run("probe", "--path", FOLDER, *QUEEN.split()) == run("probe", "--path", FOLDER, QUEEN)


def test_probe_as_json(run):
    code, said, _ = run("probe", "--json", "--path", FOLDER, QUEEN)
    answer = json.loads(said)
    assert (code, answer["wdl"], answer["dtz"]) == (OK, 2, 11)
    assert answer["moves"][0] == {"san": "Qg4", "wdl": 2, "dtz": 11}


def test_probe_without_distances(run):
    code, said, complaints = run("probe", "--path", FOLDER, "k7/7n/8/8/8/8/8/K5Q1 w - - 0 1")
    assert code == OK
    assert said.splitlines()[1] == "WDL +2 (win), DTZ ?"
    assert complaints == "kingcobra tb: no DTZ table for KQvKN\n"


@pytest.mark.parametrize(
    "fen",
    [QUEEN, "8/8/8/8/8/4k3/8/K2R4 b - - 0 1", "8/8/8/8/4k3/8/4P3/4K3 w - - 0 1"],
)
def test_a_line_ends_as_the_tables_say(run, fen):
    code, said, _ = run("line", "--json", "--path", FOLDER, fen)
    answer = json.loads(said)
    board = chess.Board(fen)
    for move in answer["moves"]:
        board.push_san(move)
    assert code == OK
    if answer["wdl"] == 0:
        assert answer["end"] == "draw"
    else:
        assert answer["end"] == "checkmate"
        assert board.is_checkmate()


def test_line_needs_distances(run):
    code, _, complaints = run("line", "--path", FOLDER, "k7/7n/8/8/8/8/8/K5Q1 w - - 0 1")
    assert code == FAILED
    assert complaints == "kingcobra tb: a line needs tables with distances (.rtbz)\n"


def test_info(run):
    code, said, _ = run("info", FOLDER)
    lines = said.splitlines()
    assert code == OK
    assert lines[0] == "Found 10 WDL and 9 DTZ tablebase files (up to 4-man)."
    assert lines[1].split()[:5] == ["3", "men", "WDL", "5", "files"]
    assert lines[-1].strip() == "without DTZ: KQvKN"


def test_check_finds_all_carried_tables_sound(run):
    code, said, _ = run("check", FOLDER)
    assert code == OK
    assert len(said.splitlines()) == 19
    assert all(line.endswith(": sound") for line in said.splitlines())


@pytest.mark.parametrize("place", [0, 100, 1500, 2500, 20_000, 40_000, -1])
def test_check_finds_damage(run, tmp_path, place):
    """In header, codes, index, block lengths, blocks and checksum."""
    data = bytearray((FOLDER / "KPvKP.rtbz").read_bytes())
    data[place] ^= 1
    (tmp_path / "KPvKP.rtbz").write_bytes(data)
    code, said, _ = run("check", tmp_path)
    assert code == FAILED
    assert "sound" not in said


def test_check_compares_published_sums(run, tmp_path):
    shutil.copy(FOLDER / "KQvK.rtbw", tmp_path)
    digest = hashlib.md5((FOLDER / "KQvK.rtbw").read_bytes()).hexdigest()
    (tmp_path / "checksum.md5").write_text(f"{digest}  KQvK.rtbw\n")
    assert run("check", tmp_path)[0] == OK
    (tmp_path / "checksum.md5").write_text(f"{'0' * 32}  KQvK.rtbw\n")
    code, said, _ = run("check", tmp_path)
    assert code == FAILED
    assert said.endswith("its MD5 is not that of checksum.md5\n")


def test_bench(run):
    code, said, _ = run("bench", FOLDER, "--json", "--seconds", "0.01", "--python-chess")
    rates = json.loads(said)
    assert code == OK
    assert set(rates) == {"kingcobra", "python-chess"}
    assert min(rates.values()) > 0


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["info", "/nowhere"], "no tablebase files in '/nowhere'"),
        (["probe", QUEEN], "no folder: give --path, or set KINGCOBRA_SYZYGY_PATH"),
        (["probe", "--path", FOLDER, "nonsense"], "FEN"),
        (
            ["probe", "--path", FOLDER, "4k3/8/8/8/8/8/8/4K2R w K - 0 1"],
            "the tables know no positions with castling rights",
        ),
    ],
)
def test_what_is_in_the_way_is_said(run, arguments, words, monkeypatch):
    monkeypatch.delenv(tb.PATH_VARIABLE, raising=False)
    code, said, complaints = run(*arguments)
    assert (code, said) == (FAILED, "")
    assert words in complaints
    assert "Traceback" not in complaints

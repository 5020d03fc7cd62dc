# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra selfplay` from its words to its files: limits, interrupts, kills, a full disk."""

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from kingcobra.core.search.tunables import DEFAULTS
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE
from kingcobra.networks.default_network import DEFAULT_NETWORK, DIGITS
from kingcobra.networks.file import write_network
from kingcobra.tools.selfplay import main
from kingcobra.training.data.blocks import read_blocks, read_data
from kingcobra.training.data.games import read_games
from kingcobra.training.selfplay.player import Objects, SelfPlayer
from tests.paths import DATA
from tests.processes import PATIENCE_S

FULL_DISK = Path("/dev/full")


@pytest.fixture(autouse=True)
def compiled():
    """So that no test waits for the compiler."""
    Objects.obtain(lambda _text: None)


def sound(path):
    """All blocks of a file, none of them damaged."""
    faults = []
    found = list(read_blocks(path, faults.append))
    assert not faults
    return found


def games_of(path):
    return sorted(
        (game.start_fen, game.white_result, game.plies.tobytes())
        for game in read_games(path, pytest.fail)
    )


def start(output, *arguments):
    """Self-play as a process."""
    command = [sys.executable, "-m", "kingcobra", "selfplay", "-o", str(output), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_bytes(process, path, size):
    deadline = time.monotonic() + PATIENCE_S
    while not path.exists() or path.stat().st_size < size:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_positions_are_counted_to_the_last_one(tmp_path, network, capsys):
    teacher = tmp_path / "teacher.nnue"
    write_network(network, teacher)
    path = tmp_path / "positions.kcp"
    words = f"-o {path} --teacher {teacher} --nodes 60 --positions 700 --threads 2 --seed 3"
    assert main(words.split()) == EXIT_OK
    assert "700 positions" in capsys.readouterr().out
    blocks = sound(path)
    assert sum(len(block.records) for block in blocks) == 700
    assert {block.origin["teacher"] for block in blocks} == {"teacher.nnue"}
    assert all(len(block.origin["teacher_sha256"]) == 64 for block in blocks)


def test_games_end_by_endgame_tables(tmp_path, capsys):
    """Each one with its first move, which takes the rook."""
    book = tmp_path / "book.epd"
    book.write_text("8/8/8/4k3/8/8/1r6/K1Q5 w - - 0 1\n")
    path = tmp_path / "games.kcp"
    words = f"-o {path} --kind games --nodes 40 --games 4 --threads 2 --book {book} --book-share 1"
    assert main([*words.split(), "--syzygy", str(DATA / "syzygy")]) == EXIT_OK
    assert "Found 10 WDL and 9 DTZ tablebase files" in capsys.readouterr().err
    assert all(block.origin["tablebases"] for block in sound(path))
    assert len(games_of(path)) == 4


def test_games_do_not_depend_on_threads(tmp_path):
    paths = [tmp_path / "one.kcp", tmp_path / "two.kcp"]
    for threads, path in enumerate(paths, start=1):
        words = f"-o {path} --kind games --nodes 40 --games 7 --threads {threads}"
        assert main(words.split()) == EXIT_OK
    one, two = map(games_of, paths)
    assert len(one) == 7
    assert one == two


def test_games_end_after_the_plies_that_were_asked_for(tmp_path):
    path = tmp_path / "games.kcp"
    words = f"-o {path} --kind games --nodes 30 --games 4 --threads 1 --most-plies 12"
    assert main(words.split()) == EXIT_OK
    lengths = [len(game.plies) for game in read_games(path, pytest.fail)]
    assert len(lengths) == 4
    assert max(lengths) == 12
    assert {block.origin["most_plies"] for block in read_data(path, pytest.fail)} == {12}


def test_a_file_is_not_overwritten_but_appended_to(tmp_path, capsys):
    path = tmp_path / "games.kcp"
    words = f"-o {path} --kind games --nodes 30 --games 2 --threads 1".split()
    assert main(words) == EXIT_OK
    assert main(words) == EXIT_FAILED
    assert "exists; --append adds to it" in capsys.readouterr().err
    assert main([*words, "--append"]) == EXIT_FAILED
    assert "take another --seed" in capsys.readouterr().err
    assert len(games_of(path)) == 2
    assert main([*words, "--append", "--seed", "2"]) == EXIT_OK
    assert len(games_of(path)) == 4


def test_seconds_end_a_run(tmp_path):
    path = tmp_path / "games.kcp"
    assert main(f"-o {path} --nodes 50 --seconds 0.5 --threads 1".split()) == EXIT_OK
    # How many there are is up to the machine; a busy one may have none.
    sound(path)


def test_an_interrupt_ends_a_run_with_all_it_has(tmp_path):
    path = tmp_path / "games.kcp"
    process = start(path, "--kind", "games", "--nodes", "50", "--seconds", "600", "--threads", "2")
    wait_for_bytes(process, path, 1)
    process.send_signal(signal.SIGINT)
    said, complaints = process.communicate(timeout=PATIENCE_S)
    assert process.returncode == EXIT_INTERRUPTED
    assert "Traceback" not in complaints
    found = re.search(r": (\d+) games, (\d+) positions", said)
    games = list(read_games(path, pytest.fail))
    assert len(games) == int(found[1])
    assert sum(len(game.plies) for game in games) == int(found[2])


def test_a_killed_run_loses_its_last_block_at_most(tmp_path):
    path = tmp_path / "positions.kcp"
    process = start(path, "--one-in", "1", "--seconds", "600", "--threads", "2")
    # More than two blocks, of at most two MiB each, and a third that is being written.
    wait_for_bytes(process, path, 5 << 20)
    process.kill()
    process.communicate(timeout=PATIENCE_S)
    faults = []
    blocks = list(read_data(path, faults.append))
    assert len(blocks) >= 2
    assert len(faults) <= 1
    largest = max(len(block.data) for block in blocks)
    lost = path.stat().st_size - sum(len(block.data) for block in blocks)
    assert lost < largest + len(blocks) * (1 << 12)


def test_a_match_of_two_networks(tmp_path, network, capsys):
    old = tmp_path / "old.nnue"
    write_network(network, old)
    words = f"--teacher classical --versus {old} --nodes 60 --games 10 --threads 2"
    assert main(words.split()) == EXIT_OK
    found = re.fullmatch(
        r"classical against old.nnue: \+(\d+) =(\d+) -(\d+), .* Elo\n", capsys.readouterr().out
    )
    wins, draws, losses = map(int, found.groups())
    assert wins + draws + losses == 10
    # Random weights know nothing of chess.
    assert wins >= 9


def test_a_match_of_two_sets_of_parameters(capsys, monkeypatch):
    heard = []
    real = SelfPlayer.set_tunables

    def set_tunables(player, own, opponents):
        heard.append((own, opponents))
        real(player, own, opponents)

    monkeypatch.setattr(SelfPlayer, "set_tunables", set_tunables)
    words = "--teacher classical --versus classical --nodes 60 --exact-nodes --games 2 --threads 1"
    sides = "--tunable late_base=1 --tunable late_base=3 --versus-tunable iir_depth=8"
    assert main(f"{words} {sides}".split()) == EXIT_OK
    assert heard == [({"late_base": 3}, {"iir_depth": 8})]
    assert "classical against classical: " in capsys.readouterr().out


def test_a_match_of_equal_sides_is_even(capsys):
    words = "--teacher classical --versus classical --nodes 60 --exact-nodes --games 8 --threads 1"
    assert main(f"{words} --tunable late_base={DEFAULTS['late_base']}".split()) == EXIT_OK
    assert "+0.00 ±" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("word", "complaint"),
    [
        ("late_bass=3", "'late_bass' is not a tunable"),
        ("late_base", "'' is not a whole number from 1 to 8"),
        ("late_base=9", "'9' is not a whole number from 1 to 8"),
        ("late_base=x", "'x' is not a whole number from 1 to 8"),
    ],
)
def test_a_tunable_that_is_none_or_beyond_its_range_is_refused(capsys, word, complaint):
    with pytest.raises(SystemExit):
        main(["--versus", "classical", "--games", "2", "--tunable", word])
    assert complaint in capsys.readouterr().err


def test_the_default_network_teaches_unless_told_otherwise(tmp_path):
    path = tmp_path / "games.kcp"
    assert main(f"-o {path} --kind games --nodes 30 --games 1 --threads 1".split()) == EXIT_OK
    (block,) = read_data(path, pytest.fail)
    assert block.origin["teacher"] == DEFAULT_NETWORK
    assert block.origin["teacher_sha256"].startswith(DIGITS)
    assert len(block.origin["teacher_sha256"]) == 64


@pytest.mark.skipif(not FULL_DISK.exists(), reason="no disk here that is always full")
def test_a_full_disk_is_one_line(capsys):
    words = f"-o {FULL_DISK} --append --nodes 30 --games 3 --threads 2"
    assert main(words.split()) == EXIT_FAILED
    assert capsys.readouterr().err == (f"kingcobra selfplay: {FULL_DISK}: {os.strerror(28)}\n")


@pytest.mark.parametrize(
    ("words", "exit_code", "complaint"),
    [
        ("-o {folder}/a.kcp", EXIT_USAGE, "say when to end"),
        ("--games 1", EXIT_USAGE, "say where the data goes"),
        ("--versus classical --games 2 -o {folder}/a.kcp", EXIT_USAGE, "neither --output nor"),
        ("--versus classical --games 2 --cluster auto", EXIT_USAGE, "without --cluster"),
        ("-o {folder}/a.kcp --games 1 --tunable late_base=4", EXIT_USAGE, "for matches"),
        ("-o {folder}/a.kcp --games 1 --versus-tunable late_base=4", EXIT_USAGE, "for matches"),
        ("-o {folder}/a.kcp --games 1 --exact-nodes", EXIT_USAGE, "for matches"),
        ("-o {folder}/a.kcp --games 1 --most-plies 10001", EXIT_USAGE, "expected at most 10000"),
        ("--versus none.nnue --games 2", EXIT_FAILED, "none.nnue: not found"),
        ("-o {folder}/no/a.kcp --games 1", EXIT_FAILED, "No such file or directory"),
        ("-o {folder}/a.kcp --games 1 --teacher none.nnue", EXIT_FAILED, "none.nnue: not found"),
        ("-o {folder}/a.kcp --games 1 --book none.epd", EXIT_FAILED, "none.epd: No such file"),
        ("-o {folder}/a.kcp --games 1 --syzygy {folder}", EXIT_FAILED, "no tablebase files in"),
    ],
)
def test_what_is_in_the_way_is_said_in_one_line(tmp_path, capsys, words, exit_code, complaint):
    assert main(words.format(folder=tmp_path).split()) == exit_code
    last = capsys.readouterr().err.splitlines()[-1]
    assert last.startswith("kingcobra selfplay: ")
    assert complaint in last


@pytest.mark.parametrize(
    "words", ["--games 0", "--games x", "--seconds -1", "--games 1 --chess960-share 1.5"]
)
def test_senseless_numbers_are_refused(tmp_path, capsys, words):
    with pytest.raises(SystemExit):
        main([*f"-o {tmp_path}/a.kcp".split(), *words.split()])
    assert "is not a" in capsys.readouterr().err

# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line."""

import subprocess
import sys

import pytest

from kingcobra import cli
from kingcobra.engine.options import MAX_HASH_MB
from kingcobra.kernel.levels import LEVELS
from kingcobra.uci.loop import UciLoop
from kingcobra.version import BANNER, __version__
from tests.command_line import PATIENCE_S, kingcobra, output_of

FAILED, USAGE_ERROR = 1, 2


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(flag):
    text = output_of(flag)
    assert __version__ in text
    assert "kingcobra compile" in text
    for word in ("KINGCOBRA_CACHE", "KINGCOBRA_LEVEL", *(level.name for level in LEVELS)):
        assert word in text


def test_version():
    assert output_of("--version") == f"Kingcobra {__version__}\n"


@pytest.mark.parametrize("word", ["nonsense", "--nonsense", "Compile", "UCI"])
def test_an_unknown_word_is_named(word):
    result = kingcobra(word)
    assert result.returncode == USAGE_ERROR
    assert result.stdout == b""
    assert result.stderr.decode() == f"kingcobra: unknown command {word!r}; see --help\n"


def test_one_uci_command(core):
    assert core
    assert "\nFen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n" in output_of("d")
    assert "\nNodes searched: 197281\n" in output_of("go", "perft", "4")
    assert "\nNodes searched: 1\n" in output_of("go", "perft", "0")
    assert output_of("isready").endswith("\nreadyok\n")
    assert output_of("uci").endswith("uciok\n")


@pytest.mark.parametrize("word", ["license", "help", "compiler", "uci"])
def test_the_banner_comes_once(word):
    lines = output_of(word).splitlines()
    assert lines[0] == BANNER
    assert BANNER not in lines[1:]


def test_one_uci_command_may_come_as_one_word(core):
    assert core
    assert "\nNodes searched: 197281\n" in output_of("go perft 4")


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("position", "position: nothing given, expected startpos or fen"),
        ("position fen x", "FEN board has 1 ranks, 8 expected: 'x'"),
        ("position startpos moves e2e5", "illegal move 'e2e5' "),
        ("go depth abc", "go: depth 'abc': not a number"),
        ("go dpth 3", "go: 'dpth': unknown word"),
        ("go depth", "go: depth: the number is missing"),
        ("go searchmoves e2e5 depth 1", "go: searchmoves 'e2e5': illegal move"),
        ("go perft -1", "go: perft '-1', expected a depth from 0 to "),
        ("bench searchmoves e2e5 depth 1", "bench: searchmoves 'e2e5': illegal move"),
        ("setoption name Hash value x", "option Hash: 'x', expected "),
        ("debug", "debug: '', expected on or off"),
    ],
)
def test_a_bad_uci_command_is_one_line_and_an_exit_code(core, command, message):
    """Nothing is ignored: the search that a mistyped limit leaves would never end."""
    assert core
    result = kingcobra(*command.split())
    assert result.returncode == USAGE_ERROR
    assert result.stdout.decode().splitlines() == [BANNER]
    (line,) = result.stderr.decode().splitlines()
    assert line.startswith(f"kingcobra: {message}")


def test_a_lack_of_memory_is_not_a_bad_command(core):
    assert core
    result = kingcobra("setoption", "name", "Hash", "value", str(MAX_HASH_MB))
    assert result.returncode == FAILED
    assert result.stderr.startswith(b"kingcobra: cannot allocate ")


@pytest.mark.usefixtures("interrupts_as_before")
@pytest.mark.parametrize("word", ["d", "go"])
def test_uci_words_win_over_tools(monkeypatch, word):
    obeyed = []
    monkeypatch.setattr(UciLoop, "run", lambda _loop, lines: obeyed.extend(lines) or 0)
    monkeypatch.setitem(cli.TOOLS, word, "kingcobra.arena.commands.suite")
    monkeypatch.setattr(sys, "argv", ["kingcobra", word, "more"])
    assert cli.main() == 0
    assert obeyed == [f"{word} more"]


def test_words_that_are_not_utf_8(core):
    assert core
    result = kingcobra(b"position", b"\xff\xfe")
    assert result.returncode == USAGE_ERROR
    assert result.stderr.startswith(b"kingcobra: position: ")
    assert kingcobra(b"\xff").returncode == USAGE_ERROR


@pytest.mark.parametrize("word", ["--help", "--version", "uci"])
def test_nobody_listens(word):
    process = subprocess.Popen(
        [sys.executable, "-m", "kingcobra", word],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.close()
    assert process.wait(PATIENCE_S) == 0
    assert process.stderr.read() == b""
    process.stderr.close()

# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line."""

import subprocess
import sys

import pytest

from kingcobra import cli
from kingcobra.kernel.levels import LEVELS, chosen_level
from kingcobra.uci.loop import UciLoop
from kingcobra.version import __version__

USAGE_ERROR = 2


def kingcobra(*arguments, **options):
    """The finished process, started with these words."""
    return subprocess.run(
        [sys.executable, "-m", "kingcobra", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=300,
        **options,
    )


def said(*arguments):
    """What it says where all is well."""
    result = kingcobra(*arguments)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()


@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_help(flag):
    text = said(flag)
    assert __version__ in text
    assert "kingcobra compile" in text
    for word in ("KINGCOBRA_CACHE", "KINGCOBRA_LEVEL", *(level.name for level in LEVELS)):
        assert word in text


def test_version():
    assert said("--version") == f"Kingcobra {__version__}\n"


@pytest.mark.parametrize("word", ["nonsense", "--nonsense", "Compile", "UCI"])
def test_an_unknown_word_is_named(word):
    result = kingcobra(word)
    assert result.returncode == USAGE_ERROR
    assert result.stdout == b""
    assert result.stderr.decode() == f"kingcobra: unknown command {word!r}; see --help\n"


def test_one_uci_command(core):
    assert core
    assert "\nFen: rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n" in said("d")
    assert "\nNodes searched: 197281\n" in said("go", "perft", "4")
    assert said("isready").endswith("\nreadyok\n")
    assert said("uci").endswith("uciok\n")


def test_one_uci_command_may_come_as_one_word(core):
    assert core
    assert "\nNodes searched: 197281\n" in said("go perft 4")


def test_a_bad_uci_command_says_so(core):
    assert core
    assert "info string error: position: nothing given" in said("position")


@pytest.mark.usefixtures("interrupts_as_before")
@pytest.mark.parametrize("word", ["d", "go"])
def test_uci_words_win_over_tools(monkeypatch, word):
    obeyed = []
    monkeypatch.setattr(UciLoop, "run", lambda _loop, lines: obeyed.extend(lines) or 0)
    monkeypatch.setitem(cli.TOOLS, word, lambda: lambda _arguments: USAGE_ERROR)
    monkeypatch.setattr(sys, "argv", ["kingcobra", word, "more"])
    assert cli.main() == 0
    assert obeyed == [f"{word} more"]


def test_words_that_are_not_utf_8(core):
    assert core
    text = kingcobra(b"position", b"\xff\xfe")
    assert (text.returncode, text.stderr) == (0, b"")
    assert b"info string error: position: " in text.stdout
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
    assert process.wait(60) == 0
    assert process.stderr.read() == b""
    process.stderr.close()


# --- kingcobra compile ------------------------------------------------------------------------


def test_compile_finds_what_is_there(core):
    assert core
    assert said("compile") == f"{chosen_level()[0].name}: already compiled\n"


def test_compile_refuses_an_unknown_level():
    result = kingcobra("compile", "--level", "pentium")
    assert result.returncode == 1
    assert result.stderr.decode().startswith("kingcobra: unknown level 'pentium', known: ")
    assert result.stdout == b""


def test_compile_refuses_another_architecture(tmp_path):
    own = chosen_level()[0].architecture
    foreign = next(level for level in LEVELS if level.architecture != own)
    result = kingcobra("compile", "--level", foreign.name, "--into", str(tmp_path / "new"))
    assert result.returncode == 1
    expected = f"kingcobra: {foreign.name} is for {foreign.architecture}, this is {own}\n"
    assert result.stderr.decode() == expected
    assert not (tmp_path / "new").exists()


def test_compile_explains_itself():
    text = said("compile", "--help")
    for option in ("--level", "--into", "--package", "--force"):
        assert option in text


@pytest.mark.slow
def test_compile_into_a_directory(tmp_path):
    level = LEVELS[0].name if chosen_level()[0].architecture == "x86_64" else LEVELS[-1].name
    result = kingcobra("compile", "--level", level, "--into", str(tmp_path / "new"))
    assert result.returncode == 0
    (path,) = (tmp_path / "new").iterdir()
    assert result.stdout.decode().startswith(f"{level}: {path} (")


@pytest.mark.slow
def test_compile_into_a_file_fails_in_one_line(tmp_path):
    target = tmp_path / "file"
    target.touch()
    result = kingcobra("compile", "--into", str(target))
    assert result.returncode == 1
    assert result.stderr.decode().splitlines()[-1].startswith(f"kingcobra: {target}: ")

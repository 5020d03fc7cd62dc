# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra compile`."""

import re
import signal
import sys
from pathlib import Path

import pytest

from kingcobra.core.network.architectures import SQUARED
from kingcobra.core.network_objects import network_object
from kingcobra.kernel.build import Builder
from kingcobra.kernel.host import CACHE_VARIABLE
from kingcobra.kernel.levels import LEVEL_VARIABLE, LEVELS, choose_level
from kingcobra.networks.default_network import default_architecture
from kingcobra.networks.file import write_network
from kingcobra.tools import compile as compile_tool
from tests.command_line import kingcobra, output_of
from tests.core.network.random_networks import random_network
from tests.kernel.another_process import another_process_compiles
from tests.paths import REPOSITORY

FAILED, USAGE_ERROR, INTERRUPTED = 1, 2, 130
NARROW = SQUARED.at_width(64)
NARROW_OBJECT = "network-HalfKAv2_hm-22528-64-15+1x2-32-1"
DEFAULT_OBJECT = network_object(default_architecture()).name


@pytest.fixture(scope="module")
def narrow_network(tmp_path_factory):
    path = tmp_path_factory.mktemp("network") / "narrow.nnue"
    write_network(random_network(NARROW), path)
    return path


@pytest.mark.usefixtures("core", "default_network_files")
def test_compile_finds_what_is_there():
    level = choose_level().level.name
    assert output_of("compile").splitlines() == [
        f"core for {level}: already compiled",
        f"{DEFAULT_OBJECT} for {level}: already compiled",
    ]


def test_compile_prepares_the_weights_of_the_default_network(cache):
    weights = next(cache.glob("weights-*"))
    whole = weights.read_bytes()
    weights.unlink()
    assert kingcobra("compile", environment={CACHE_VARIABLE: str(cache)}).returncode == 0
    assert weights.read_bytes() == whole


def test_compile_explains_itself():
    text = output_of("compile", "--help")
    options = (
        "--level",
        "--network ",
        "--networks",
        "--selfplay",
        "--into",
        "--package",
        "--force",
    )
    for option in options:
        assert option in text


# --- levels -----------------------------------------------------------------------------------


def test_compile_refuses_an_unknown_level():
    result = kingcobra("compile", "--level", "pentium")
    assert result.returncode == USAGE_ERROR
    assert result.stderr.decode().startswith("kingcobra: unknown level 'pentium', known: ")
    assert result.stderr.count(b"\n") == 1
    assert result.stdout == b""


def test_compile_refuses_another_architecture(tmp_path):
    own = choose_level().level.architecture
    foreign = next(level for level in LEVELS if level.architecture != own)
    result = kingcobra("compile", "--level", foreign.name, "--into", str(tmp_path / "new"))
    assert result.returncode == USAGE_ERROR
    expected = f"kingcobra: {foreign.name} is for {foreign.architecture}, this is {own}\n"
    assert result.stderr.decode() == expected
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("words", [["compile"], ["compiler"], ["net", "eval", "nothing", "-"]])
def test_a_level_that_cannot_run_is_told_first_and_once(core, words):
    assert core
    result = kingcobra(*words, environment={LEVEL_VARIABLE: "pentium"})
    errors = result.stderr.decode().splitlines()
    assert "KINGCOBRA_LEVEL=pentium cannot run here (this CPU has " in errors[0]
    assert not any(LEVEL_VARIABLE in line for line in errors[1:])


# --- beside another process -------------------------------------------------------------------


def test_compile_waits_for_another_process_and_takes_what_that_made(start_engine, cache, core_file):
    path = cache / core_file.name
    path.unlink()
    with another_process_compiles(path, core_file):
        tool = start_engine("compile", environment={CACHE_VARIABLE: str(cache)})
        tool.wait_for_error("waiting for another process that is compiling")
    assert tool.wait() == 0
    assert f": {path} (" in tool.output[-1]
    assert not any("starting the compiler" in line for line in tool.errors)
    assert path.read_bytes() == core_file.read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="sends a POSIX signal")
def test_an_interrupt_while_another_process_compiles(start_engine, cache, core_file):
    path = cache / core_file.name
    path.unlink()
    with another_process_compiles(path, core_file):
        tool = start_engine("compile", environment={CACHE_VARIABLE: str(cache)})
        tool.wait_for_error("waiting for another process that is compiling")
        tool.process.send_signal(signal.SIGINT)
        assert tool.wait() == INTERRUPTED


# --- networks ---------------------------------------------------------------------------------


def test_a_network_s_architecture_is_compiled_ahead(start_engine, cache, narrow_network):
    environment = {CACHE_VARIABLE: str(cache)}
    result = kingcobra("compile", "--network", str(narrow_network), environment=environment)
    assert result.returncode == 0, result.stderr
    core_line, default_line, network_line = result.stdout.decode().splitlines()
    assert core_line.endswith(": already compiled")
    assert default_line.endswith(": already compiled")
    assert network_line.startswith(f"{NARROW_OBJECT} for {choose_level().level.name}: {cache}")
    engine = start_engine(environment=environment)
    answers = engine.ask("uci", f"setoption name EvalFile value {narrow_network}", "go depth 1")
    assert any("using narrow.nnue enabled" in line for line in answers)
    assert not any("compil" in line for line in answers + engine.errors)


def asked_for(monkeypatch, *arguments):
    """The names of the objects that would be compiled."""
    names = []

    def note(builder, _level, _directory, _anew):
        names.append(builder.spec.name)
        return Path(builder.spec.name)

    monkeypatch.setattr(Builder, "compile", note)
    assert compile_tool.main(list(arguments)) == 0
    return sorted(names)


def test_each_architecture_is_compiled_once(monkeypatch, tmp_path, narrow_network):
    files = ["--network", str(narrow_network), str(narrow_network)]
    assert asked_for(monkeypatch, "--into", str(tmp_path), *files) == [
        "core",
        *sorted([DEFAULT_OBJECT, NARROW_OBJECT]),
    ]


def test_self_play_is_compiled_where_asked_for(monkeypatch, tmp_path):
    assert asked_for(monkeypatch, "--into", str(tmp_path), "--selfplay") == [
        "core",
        DEFAULT_OBJECT,
        "selfplay",
    ]


def test_all_known_networks_are_those_of_the_documentation(monkeypatch, tmp_path):
    page = (REPOSITORY / "docs" / "4-networks.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(Half[^`]+)` \| \d.* \|$", page, re.MULTILINE)
    sentence = re.search(r"16 has (\d+), 16\.1 has (\d+) [^.]* of (\d+),\s+17 has (\d+) and", page)
    assert sentence is not None
    names = {f"network-{row}" for row in rows}
    names |= {f"network-HalfKAv2_hm-22528-{width}-(15+1)x2-32-1" for width in sentence.groups()}
    files = {name.translate(str.maketrans("", "", "()")) for name in names}
    expected = sorted(files | {DEFAULT_OBJECT})
    found = asked_for(monkeypatch, "--into", str(tmp_path), "--networks")
    assert found == ["core", *expected]


def test_what_is_no_network_is_named_before_anything_is_compiled(tmp_path):
    result = kingcobra("compile", "--into", str(tmp_path / "new"), "--network", str(tmp_path))
    assert result.returncode == FAILED
    assert result.stderr.decode() == f"kingcobra: {tmp_path}: not a regular file\n"
    assert not (tmp_path / "new").exists()


# --- directories ------------------------------------------------------------------------------


@pytest.mark.slow
def test_compile_into_a_directory(tmp_path):
    level = LEVELS[0].name if choose_level().level.architecture == "x86_64" else LEVELS[-1].name
    result = kingcobra("compile", "--level", level, "--into", str(tmp_path / "new"))
    assert result.returncode == 0
    names = sorted(path.name for path in (tmp_path / "new").iterdir())
    assert [name.partition(f"-{level}-")[0] for name in names] == ["core", DEFAULT_OBJECT]
    assert all(f": {tmp_path / 'new' / name} (" in result.stdout.decode() for name in names)


@pytest.mark.slow
def test_compile_into_a_file_fails_in_one_line(tmp_path):
    target = tmp_path / "file"
    target.touch()
    result = kingcobra("compile", "--into", str(target))
    assert result.returncode == FAILED
    assert result.stderr.decode().splitlines()[-1].startswith(f"kingcobra: {target}: ")

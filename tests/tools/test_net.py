# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra net`, from its words to its lines."""

import io
import shlex
import subprocess
import sys

import chess
import pytest

from kingcobra import cli
from kingcobra.core.network.architectures import ARCHITECTURES, SQUARED
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.networks.file import network_bytes, read_network, write_network
from kingcobra.tools import net as net_tool
from tests.command_line import PATIENCE_S
from tests.core.network import twin
from tests.core.network.official_networks import SMALL_NETWORK, stockfish_integers
from tests.core.network.random_boards import random_boards
from tests.core.network.random_networks import random_network, without_padding
from tests.paths import REPOSITORY

FAILED, USAGE_ERROR = 1, 2
FEN = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1"


@pytest.fixture
def run(capsys):
    """Runs the tool; returns its exit code, what it output and what it complained of."""

    def run_tool(*arguments):
        code = net_tool.main([str(argument) for argument in arguments])
        output, errors = capsys.readouterr()
        return code, output, errors

    return run_tool


def rows(text):
    return [tuple(line.split("\t")) for line in text.splitlines()]


# --- eval -------------------------------------------------------------------------------------


def test_eval_prints_stockfishs_integers(run, network_file, core, tmp_path):
    assert core
    network = network_file(SMALL_NETWORK)
    references = stockfish_integers(SMALL_NETWORK)
    (tmp_path / "fens").write_text("\n".join(reference.fen for reference in references))
    for how in (["--plain"], []):
        code, output, _ = run("eval", network, tmp_path / "fens", *how)
        assert code == 0
        assert rows(output) == [
            (fen, str(bucket), str(psqt[bucket]), str(positional[bucket]))
            for fen, bucket, psqt, positional in references
        ]


@pytest.mark.parametrize("architecture", ARCHITECTURES, ids=lambda one: one.name)
def test_eval_of_every_architecture(run, tmp_path, architecture):
    network = without_padding(random_network(architecture.at_width(64)))
    write_network(network, tmp_path / "net")
    boards = random_boards(20, seed=5)
    (tmp_path / "fens").write_text("\n".join(board.fen() for board in boards))
    code, output, errors = run("eval", tmp_path / "net", tmp_path / "fens", "--plain")
    assert (code, errors) == (0, "")
    expected = []
    for board in boards:
        bucket, psqt, positional = twin.evaluate(network, board)
        numbers = (bucket, psqt[bucket], positional[bucket])
        expected.append((board.fen(), *map(str, numbers)))
    assert rows(output) == expected


def test_eval_reads_standard_input(run, file, monkeypatch):
    monkeypatch.setattr(sys, "stdin", io.StringIO(f"{FEN}\n"))
    code, output, _ = run("eval", file, "-", "--plain")
    assert code == 0
    assert rows(output)[0][:2] == (FEN, "7")


def test_eval_loses_nothing_over_a_bad_line(run, file, tmp_path):
    (tmp_path / "fens").write_text(f"{FEN}\nnonsense\n{FEN}\n")
    code, output, errors = run("eval", file, tmp_path / "fens", "--plain")
    assert code == FAILED
    assert [row[0] for row in rows(output)] == [FEN, FEN]
    assert errors.startswith("kingcobra net: line 2: FEN board has 1 ranks")
    assert errors.count("\n") == 1


def test_eval_takes_fens_and_files_together(run, file, tmp_path):
    (tmp_path / "fens").write_text(f"{FEN}\nnonsense\n")
    other = "4k3/8/8/8/8/8/4P3/4K3 w - -"
    code, output, errors = run("eval", file, other, tmp_path / "fens", "8/8 w", "--plain")
    assert code == FAILED
    assert [row[0] for row in rows(output)] == [other, FEN]
    first, second = errors.splitlines()
    assert first.startswith(f"kingcobra net: {tmp_path / 'fens'}, line 2: FEN board has 1 ranks")
    assert second.startswith("kingcobra net: position 3: FEN board has 2 ranks")


def test_eval_takes_a_fen_without_quotes(run, file, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)  # the hyphen is a field
    code, output, _ = run("eval", file, *FEN.split(), "--plain")
    assert (code, [row[0] for row in rows(output)]) == (0, [FEN])


def test_eval_says_what_it_takes(capsys):
    with pytest.raises(SystemExit):
        net_tool.main(["eval", "--help"])
    assert "a position in quotes, a file of positions, or -" in " ".join(
        capsys.readouterr().out.split()
    )


def test_eval_with_the_activation_asked_for(run, file, tmp_path):
    network = read_network(file)
    (tmp_path / "fens").write_text(FEN)
    for activation, squared in (("squared", True), ("clipped", False)):
        _, output, _ = run("eval", file, tmp_path / "fens", "--activation", activation, "--plain")
        asked = read_network(file, squared)
        assert asked.architecture.squared == squared
        assert int(rows(output)[0][3]) == twin.evaluate(asked, chess.Board(FEN))[2][7]
    assert network.architecture.squared


@pytest.mark.parametrize("activation", ["squared", pytest.param("clipped", marks=pytest.mark.slow)])
def test_compiled_code_takes_the_activation_too(run, core, tmp_path, activation):
    assert core
    write_network(random_network(SQUARED.at_width(128)), tmp_path / "net")
    (tmp_path / "fens").write_text(FEN)
    words = ("eval", tmp_path / "net", tmp_path / "fens", "--activation", activation)
    _, compiled, _ = run(*words)
    _, plain, errors = run(*words, "--plain")
    assert errors == ""
    assert rows(compiled) == rows(plain) != []


def test_eval_prints_what_the_page_shows(run):
    page = (REPOSITORY / "docs" / "4-networks.md").read_text(encoding="utf-8").splitlines()
    start = f"$ kingcobra net eval {DEFAULT_NETWORK} "
    (prompt,) = [number for number, line in enumerate(page) if line.startswith(start)]
    (fen,) = shlex.split(page[prompt].removeprefix(start))
    shown = page[prompt + 1]
    assert run("eval", DEFAULT_NETWORK, fen, "--plain") == (0, f"{shown}\n", "")


# --- info, draw, heat, convert ----------------------------------------------------------------


def test_info(run, file, network):
    code, output, errors = run("info", file)
    assert (code, errors) == (0, "")
    assert network.architecture.name in output
    assert "feature weights" in output


def test_info_says_when_an_activation_means_nothing(run, tmp_path):
    write_network(random_network(ARCHITECTURES[0].at_width(64)), tmp_path / "net")
    code, _, errors = run("info", tmp_path / "net", "--activation", "squared")
    assert code == 0
    assert errors == (
        "kingcobra net: ignoring --activation: HalfKP-41024-64x2-32-32-1 has only one\n"
    )


@pytest.mark.parametrize(
    "arguments", [["draw"], ["draw", "--fen", FEN], ["heat", FEN]], ids=["draw", "fen", "heat"]
)
@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<svg ")])
def test_pictures(run, file, tmp_path, arguments, ending, start):
    command, *rest = arguments
    target = tmp_path / f"out.{ending}"
    code, output, errors = run(command, file, *rest, "-o", target)
    assert (code, output, errors) == (0, f"{target}\n", "")
    assert target.read_bytes().startswith(start)


@pytest.mark.parametrize("arguments", [["draw", "--fen", "bad"], ["heat", "bad"]])
def test_pictures_of_no_position(run, file, tmp_path, arguments):
    command, *rest = arguments
    code, output, errors = run(command, file, *rest, "-o", tmp_path / "out.png")
    assert (code, output) == (FAILED, "")
    assert errors.startswith("kingcobra net: FEN board has 1 ranks")
    assert not (tmp_path / "out.png").exists()


def test_convert_there_and_back(run, file, tmp_path):
    packed, again = tmp_path / "packed.nnue", tmp_path / "again.nnue"
    assert run("convert", file, "-o", packed, "--sections", "compressed")[0] == 0
    assert packed.stat().st_size < file.stat().st_size
    assert run("convert", packed, "-o", again, "--sections", "raw")[0] == 0
    assert again.read_bytes() == file.read_bytes()


def test_convert_with_another_description(run, file, tmp_path):
    assert run("convert", file, "-o", tmp_path / "new", "--description", "Ours")[0] == 0
    new, old = read_network(tmp_path / "new"), read_network(file)
    assert new.description == b"Ours"
    assert network_bytes(new._replace(description=old.description)) == file.read_bytes()


# --- what goes wrong --------------------------------------------------------------------------


@pytest.mark.parametrize("how", [["--plain"], []], ids=["plain", "compiled"])
def test_a_network_that_is_none(run, tmp_path, how):
    (tmp_path / "net").write_bytes(b"nothing of the kind")
    code, output, errors = run("eval", tmp_path / "net", tmp_path / "net", *how)
    assert (code, output) == (FAILED, "")
    assert "version 0x68746f6e; supported are" in errors
    assert errors.count("\n") == 1


def test_files_that_are_missing(run, file, tmp_path):
    missing = tmp_path / "missing" / "file"
    for arguments, reason in (
        (["info", missing], "not found; looked for "),
        (["eval", file, missing, "--plain"], "No such file or directory\n"),
        (["eval", file, tmp_path, "--plain"], "Is a directory\n"),
        (["convert", file, "-o", missing], "No such file or directory\n"),
        (["draw", file, "-o", missing.with_suffix(".png")], "No such file or directory\n"),
        (["heat", file, FEN, "-o", missing.with_suffix(".svg")], "No such file or directory\n"),
    ):
        code, output, errors = run(*arguments)
        assert (code, output) == (FAILED, "")
        (named,) = [
            word for word in arguments if str(word).startswith(str(tmp_path)) and word != file
        ]
        assert errors.startswith(f"kingcobra net: {named}: {reason}")
        assert errors.count("\n") == 1


def test_positions_in_bytes_that_are_no_text(run, file, tmp_path):
    (tmp_path / "fens").write_bytes(b"\xff\xfe")
    code, _, errors = run("eval", file, tmp_path / "fens", "--plain")
    assert code == FAILED
    expected = f"kingcobra net: {tmp_path / 'fens'}: not UTF-8 text, so no positions\n"
    assert errors == expected


def test_words_that_are_missing(capsys):
    with pytest.raises(SystemExit) as caught:
        net_tool.main([])
    assert caught.value.code == USAGE_ERROR
    assert "COMMAND" in capsys.readouterr().err


@pytest.mark.usefixtures("interrupts_as_before")
def test_the_tool_is_found_by_the_command_line(monkeypatch, capsys, file):
    monkeypatch.setattr(sys, "argv", ["kingcobra", "net", "info", str(file)])
    assert cli.main() == 0
    assert "architecture" in capsys.readouterr().out


def test_a_reader_that_has_gone(file, tmp_path):
    (tmp_path / "fens").write_text(f"{FEN}\n" * 3000)
    process = subprocess.Popen(
        [sys.executable, "-m", "kingcobra", "net", "eval", file, tmp_path / "fens", "--plain"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(PATIENCE_S) == FAILED
    process.stderr.close()

# SPDX-License-Identifier: GPL-3.0-or-later
"""How a tool ends: with its own exit code, or with one line."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

import pytest

from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED
from kingcobra.tools.messages import run_action

SYZYGY = Path(__file__).parent.parent / "data" / "syzygy"


class ExpectedError(Exception):
    pass


def run(action):
    return run_action("book", argparse.Namespace(action=action), (ExpectedError,))


def raising(error):
    def action(_options):
        raise error

    return action


def test_the_action_s_own_code(capsys):
    assert run(lambda _options: 7) == 7
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("error", "code", "line"),
    [
        (ExpectedError("no such thing"), EXIT_FAILED, "no such thing"),
        (FileNotFoundError(2, "No such file", "x.bin"), EXIT_FAILED, "x.bin: No such file"),
        (KeyboardInterrupt(), EXIT_INTERRUPTED, "interrupted"),
    ],
)
def test_an_error_is_one_line(capsys, error, code, line):
    assert run(raising(error)) == code
    assert capsys.readouterr() == ("", f"kingcobra book: {line}\n")


def test_a_reader_that_has_gone_is_not_named(capfd):
    output = os.dup(1)
    try:
        assert run(raising(BrokenPipeError())) == EXIT_FAILED
    finally:
        os.dup2(output, 1)
        os.close(output)
    assert capfd.readouterr() == ("", "")


@pytest.mark.skipif(os.name == "nt", reason="pipes end in another way there")
@pytest.mark.parametrize("arguments", [["tb", "info", str(SYZYGY)], ["sprt", "--wdl", "3,2,1"]])
def test_little_output_to_a_reader_that_has_gone(arguments):
    command = [sys.executable, "-m", "kingcobra", *arguments]
    reader, writer = os.pipe()
    os.close(reader)
    # Python flushes at its own end, too, and would complain of what it cannot write.
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, text=True, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (EXIT_FAILED, "")


def test_a_fault_of_the_tool_passes():
    with pytest.raises(ZeroDivisionError):
        run(raising(ZeroDivisionError()))

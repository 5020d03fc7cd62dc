# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra web` as a command."""

import os
import signal
import socket
import subprocess
import sys
import urllib.request

import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

from kingcobra.exit_codes import EXIT_FAILED, EXIT_OK, EXIT_USAGE
from kingcobra.web import command

# Only ends a test that hangs.
HANGS_AFTER_S = 120


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.0.7", "example.org"])
def test_other_machines_need_a_word(host, capsys):
    assert command.main(["--host", host]) == EXIT_USAGE
    assert "--i-know" in capsys.readouterr().err


def test_a_port_that_is_taken_is_named(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert command.main(["--port", str(port)]) == EXIT_FAILED
    error = capsys.readouterr().err
    assert f"port {port}" in error
    assert "--port" in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("content", [None, b"", b"1. e4 e5 2. Ke3", b"\xff\xfe\x00"])
def test_a_game_that_cannot_be_read_is_named(content, tmp_path, capsys):
    path = tmp_path / "game.pgn"
    if content is not None:
        path.write_bytes(content)
    assert command.main(["--port", "0", "--game", str(path)]) == EXIT_FAILED
    error = capsys.readouterr().err
    assert str(path) in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["--port", "70000"], ["--hash", "0"], ["--threads", "-1"], ["--hash", "1000000"]]
)
def test_numbers_have_limits(arguments, capsys):
    with pytest.raises(SystemExit) as raised:
        command.main(arguments)
    assert raised.value.code == EXIT_USAGE
    assert "expected a number from" in capsys.readouterr().err


def test_missing_libraries_are_named(monkeypatch, capsys):
    for name in [name for name in sys.modules if name.startswith("kingcobra.web.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "starlette", None)
    monkeypatch.setitem(sys.modules, "starlette.datastructures", None)
    assert command.main([]) == EXIT_FAILED
    assert "extra 'web'" in capsys.readouterr().err


@pytest.mark.skipif(os.name != "posix", reason="needs POSIX signals")
def test_the_link_works_comes_again_and_ctrl_c_ends_the_server(core):
    assert core
    arguments = [sys.executable, "-m", "kingcobra", "web", "--port", "0"]
    pipe = subprocess.PIPE
    with subprocess.Popen(arguments, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as server:
        try:
            assert server.stdout is not None
            assert server.stdin is not None
            server.stdout.readline()
            link = server.stdout.readline().strip()
            opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
            for address in (link, link.partition("?")[0]):
                with opener.open(address, timeout=HANGS_AFTER_S) as answer:
                    page = answer.read()
            assert b'id="board"' in page
            server.stdin.write("\n")
            server.stdin.flush()
            assert server.stdout.readline().strip() == link
            server.send_signal(signal.SIGINT)
            _output, errors = server.communicate(timeout=HANGS_AFTER_S)
            assert server.returncode == EXIT_OK
            assert errors == ""
        finally:
            server.kill()


def test_games_of_a_file_are_listed(tmp_path):
    path = tmp_path / "games.pgn"
    path.write_text('1. e4 *\n\n[Event "2"]\n\n1. d4 *\n', "utf-8")
    games = command._games_in(path)
    assert games is not None
    assert len(games.message()["games"]) == 2

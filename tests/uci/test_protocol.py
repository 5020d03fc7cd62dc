# SPDX-License-Identifier: GPL-3.0-or-later
"""Text to values, and the streams of bytes below."""

import os
import threading
from queue import Queue

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kingcobra.board.fen import START_FEN
from kingcobra.text_values import printable
from kingcobra.uci.protocol import (
    PositionCommand,
    SetOptionCommand,
    UciError,
    parse_position,
    parse_setoption,
    quoted,
)
from kingcobra.uci.streams import Output, read_lines
from tests.engine_process import PATIENCE_S

# Time for a thread to look for input and find none.
LOOKED_FOR_INPUT_S = 0.1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("startpos", PositionCommand(START_FEN, ())),
        ("startpos moves", PositionCommand(START_FEN, ())),
        ("startpos moves e2e4 e7e5", PositionCommand(START_FEN, ("e2e4", "e7e5"))),
        ("fen a b c", PositionCommand("a b c", ())),
        ("fen a b moves moves x", PositionCommand("a b", ("moves", "x"))),
        ("fen moves x", PositionCommand("", ("x",))),
    ],
)
def test_position(text, expected):
    assert parse_position(text.split()) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("name Hash value 64", SetOptionCommand("Hash", "64")),
        ("name Clear Hash", SetOptionCommand("Clear Hash", "")),
        ("name Some Path value /a b/c", SetOptionCommand("Some Path", "/a b/c")),
        ("name Hash value", SetOptionCommand("Hash", "")),
        ("name  Clear\t Hash  value  7 ", SetOptionCommand("Clear Hash", "7")),
        ("name Path value  /a  b\t/value c ", SetOptionCommand("Path", "/a  b\t/value c")),
    ],
)
def test_setoption(text, expected):
    assert parse_setoption(text) == expected


@given(st.lists(st.text(alphabet=st.characters(exclude_categories=("Z", "C")), min_size=1)))
def test_any_words_are_a_value_or_a_uci_error(words):
    for parse in (parse_position, lambda some: parse_setoption(" ".join(some))):
        try:
            answer = parse(words)
        except UciError as error:
            answer = str(error)
        assert answer
        assert "\n" not in repr(answer)


@given(st.text(max_size=200))
def test_quoted_is_never_much_longer_than_a_line(text):
    assert len(quoted(text)) < 80
    assert printable(text[:40]) in quoted(text)


class Lines:
    """Collects what read_lines hands over."""

    def __init__(self, *chunks):
        reader, writer = os.pipe()
        self.lines, self.ends = [], 0
        for chunk in chunks:
            os.write(writer, chunk)
        os.close(writer)
        read_lines(self.lines.append, self._end, reader)
        os.close(reader)

    def _end(self):
        self.ends += 1


@pytest.mark.parametrize(
    ("chunks", "lines"),
    [
        ([], []),
        ([b"one\ntwo\n"], ["one", "two"]),
        ([b"one\nla", b"st"], ["one", "last"]),
        ([b"\n\n"], ["", ""]),
        ([b"one\r\n"], ["one\r"]),
        ([b"\xff\n"], ["\N{REPLACEMENT CHARACTER}"]),
    ],
)
def test_lines_of_the_input(chunks, lines):
    collected = Lines(*chunks)
    assert collected.lines == lines
    assert collected.ends == 1


def test_output_waits_for_a_reader_where_writing_does_not_block():
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    output = Output(writer)
    line = "x" * 1_000_000  # more than any pipe holds

    def session():
        output.send(line)
        os.close(writer)

    talker = threading.Thread(target=session)
    talker.start()
    read = b""
    while chunk := os.read(reader, 65_536):
        read += chunk
    talker.join()
    assert read == line.encode() + b"\n"
    assert not output.closed
    os.close(reader)


def test_input_is_waited_for_where_reading_does_not_block():
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    events = Queue()
    listener = threading.Thread(
        target=read_lines, args=(events.put, lambda: events.put(None), reader)
    )
    listener.start()
    listener.join(LOOKED_FOR_INPUT_S)
    assert listener.is_alive()
    os.write(writer, b"one\n")
    assert events.get(timeout=PATIENCE_S) == "one"
    os.write(writer, b"two\n")
    os.close(writer)
    listener.join()
    assert [events.get_nowait(), events.get_nowait()] == ["two", None]
    os.close(reader)


def test_output_writes_whole_lines_and_notices_that_nobody_reads():
    reader, writer = os.pipe()
    output = Output(writer)
    output.send("first")
    output.send("sécond\nthird \udcff")
    assert os.read(reader, 100) == "first\nsécond\nthird ?\n".encode()
    assert not output.closed
    os.close(reader)
    output.send("lost")
    assert output.closed
    output.send("lost too")
    os.close(writer)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The compiled reader and writer of FEN beside their plain twin: same records, same words."""

import random

import chess
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kingcobra.board.fen import FenError, parse_fen
from kingcobra.board.position_handle import PositionHandle
from kingcobra.core.rules.layout import Setup
from kingcobra.kernel.objects import LoadedObject
from tests.board import plain_fen
from tests.core.rules.positions import CHESS960, STANDARD
from tests.core.rules.reference import any_starts, moves_to_choose, walk
from tests.uci.test_position import BAD_POSITIONS

SEED = 41
MUTATIONS = 4_000
# What damage may bring into a FEN: its own letters, blanks of all kinds, other scripts.
ALPHABET = "pnbrqkPNBRQK12345678 90/-wbKQkqabcdefghABCDEFGH\t\n\x1c\x1f\xa0\u2003éK²٣\ud800\0"

FIELDS = {
    "placement": ["8/8/8/8/8/8/8/8", "4k3/8/8/8/8/8/8/4K3", "r3k2r/8/8/8/8/8/8/R3K2R", "4k3/9/8"],
    "side": ["w", "b", "W", "wb", "-", "white"],
    "castling": ["-", "KQkq", "HAha", "K", "kk", "K-", "x", "éK", "GB", "Qq", "QQ"],
    "en passant": ["-", "e3", "e6", "a9", "i3", "e", "e33", "--"],
    "clock": [
        "0",
        "00012",
        "99999",
        "100000",
        "000000000000000000000001",
        "9" * 30,
        "-1",
        "+1",
        "x",
    ],
    "number": ["1", "0", "99999", "100000", "1.", "²", "٣"],
}


def outcome(read, text: str, chess960: bool) -> object:
    """The bytes of the record that a reader makes of a text, or the words of its error."""
    try:
        return bytes(read(text, chess960))
    except FenError as error:
        return str(error)


def handle_outcome(core: LoadedObject, text: str, chess960: bool) -> object:
    """What a handle makes of a text: the FEN it then writes, or the words of its error."""
    try:
        return PositionHandle(core, text, chess960).fen()
    except FenError as error:
        return str(error)


def plain_outcome(core: LoadedObject, text: str, chess960: bool) -> object:
    """The same by the twin, with the core's rules behind it."""
    try:
        plain_fen.parse_fen(text, chess960)
    except FenError as error:
        return str(error)
    found = handle_outcome(core, text, chess960)
    if isinstance(found, str) and "just moved" in found:
        return found
    return plain_fen.format_fen(PositionHandle(core, text, chess960).record)


@pytest.mark.parametrize("chess960", [False, True])
def test_known_positions_and_errors(core: LoadedObject, chess960: bool) -> None:
    for text in (*STANDARD, *CHESS960, *BAD_POSITIONS):
        assert handle_outcome(core, text, chess960) == plain_outcome(core, text, chess960)


def damaged(chooser: random.Random, text: str) -> str:
    """The text with up to three characters changed, added or taken away."""
    characters = list(text)
    for _ in range(chooser.randint(1, 3)):
        at = chooser.randrange(len(characters) + 1)
        removed = chooser.randint(0, 1)
        characters[at : at + removed] = chooser.choice(ALPHABET) * chooser.randint(0, 1)
    return "".join(characters)


def test_damaged_positions(core: LoadedObject) -> None:
    chooser = random.Random(SEED)
    fine = wrong = 0
    for _ in range(MUTATIONS):
        text = damaged(chooser, chooser.choice(STANDARD + CHESS960))
        chess960 = chooser.random() < 0.5
        found = handle_outcome(core, text, chess960)
        assert found == plain_outcome(core, text, chess960), repr(text)
        fine += "/" in str(found)[:10]
        wrong += "/" not in str(found)[:10]
    assert min(fine, wrong) > MUTATIONS // 20


@settings(max_examples=400)
@given(
    fields=st.tuples(*(st.sampled_from(values) for values in FIELDS.values())),
    count=st.integers(0, len(FIELDS)),
    chess960=st.booleans(),
)
def test_every_field_in_every_form(
    core: LoadedObject, fields: tuple[str, ...], count: int, chess960: bool
) -> None:
    text = " ".join(fields[:count])
    assert handle_outcome(core, text, chess960) == plain_outcome(core, text, chess960)


@settings(max_examples=200)
@given(text=st.text(ALPHABET, max_size=40), chess960=st.booleans())
def test_noise(core: LoadedObject, text: str, chess960: bool) -> None:
    assert handle_outcome(core, text, chess960) == plain_outcome(core, text, chess960)


@settings(max_examples=60)
@given(start=any_starts(), choices=moves_to_choose(40))
def test_positions_of_games(core: LoadedObject, start: chess.Board, choices: list[int]) -> None:
    for board, _reference in walk(core, start, choices):
        assert board.fen() == plain_fen.format_fen(board.record)
        setup = plain_fen.parse_fen(board.fen(), board.chess960)
        assert PositionHandle(core, board.fen(), board.chess960).record.board[:] == setup.board[:]


def test_the_source_as_plain_python_reads_the_same() -> None:
    """What needs no object reads by the same source, run as Python."""
    texts = [*STANDARD[:12], *CHESS960[:12], *BAD_POSITIONS]
    for text in texts:
        for chess960 in (False, True):
            expected = outcome(plain_fen.parse_fen, text, chess960)
            assert outcome(parse_fen, text, chess960) == expected
    assert isinstance(parse_fen(STANDARD[0], False), Setup)


def test_long_noise_is_read_to_its_end(core: LoadedObject) -> None:
    for text in (
        "8/" * 200_000,
        " ".join("x" * 100_000),
        "4k3/8/8/8/8/8/8/4K3 w - - " + "9" * 10**6,
    ):
        assert handle_outcome(core, text, False) == outcome(plain_fen.parse_fen, text, False)

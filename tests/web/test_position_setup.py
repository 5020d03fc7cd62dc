# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions that somebody has set up: words for what is wrong with them."""

import json

import chess
import pytest

pytest.importorskip("starlette", reason="Starlette is not installed")
pytest.importorskip("websockets", reason="websockets is not installed")

from kingcobra.web.errors import WebError
from kingcobra.web.position_setup import FAULTS, board_of_fen, setup_message
from tests.web.served import ask, message, room_without_engine, run, serving


@pytest.mark.parametrize(
    ("fen", "reason"),
    [
        ("", "FEN"),
        ("nonsense", "FEN"),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
        ("k7/8/1K6/8/8/8/8/1R6 w - - 0 1\nmore", "FEN"),
        ("k6R/8/1K6/8/8/8/8/8 w - - 0 1", "not to move is in check"),
    ],
)
def test_a_bad_fen_is_refused_in_words(fen, reason):
    with pytest.raises(WebError, match=reason):
        board_of_fen(fen, False)


def test_a_chess960_position():
    board = board_of_fen("bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1", True)
    assert board.has_castling_rights(chess.WHITE)


@pytest.mark.parametrize(
    ("fen", "fault"),
    [
        (chess.STARTING_FEN, ""),
        ("8/8/8/8/8/8/8/8 w - - 0 1", "the board is empty"),
        ("4k3/8/8/8/8/8/8/8 w - - 0 1", "White has no king"),
        ("4K3/8/8/8/8/8/8/8 w - - 0 1", "Black has no king"),
        ("4k3/8/8/8/8/8/8/K3K3 w - - 0 1", "a side has more than one king"),
        ("4k3/8/8/8/8/P7/PPPPPPPP/4K3 w - - 0 1", "White has more than eight pawns"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "a pawn stands on the first or the last rank"),
        ("4k3/8/8/8/8/8/QQQQQQQQ/QQQQKQQQ b - - 0 1", ""),
        ("4k3/8/8/8/8/Q7/QQQQQQQQ/QQQQKQQQ b - - 0 1", "White has more than sixteen men"),
        ("4k3/4R3/8/8/8/8/8/4K3 w - - 0 1", "the side that is not to move is in check"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "a king or rook with the right to castle"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn has just passed the en passant square"),
        ("4k3/8/3N1N2/1B6/8/8/8/4RK2 b - - 0 1", "more than two men give check"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 0 10000", "a move number or halfmove clock is above 9999"),
        ("4k3/8/8/8/8/8/8/4K2R w - - 10000 1", "a move number or halfmove clock is above 9999"),
        ("nonsense", "expected"),
    ],
)
def test_faults_have_words(fen, fault):
    found = setup_message(fen, False)["fault"]
    assert fault in found
    assert bool(fault) == bool(found)
    if fault:
        with pytest.raises(WebError, match=r"FEN|not a position of a game"):
            board_of_fen(fen, False)
    else:
        assert board_of_fen(fen, False).is_valid()


def test_every_fault_of_python_chess_that_a_position_can_have_has_words():
    of_racing_kings = chess.STATUS_RACE_CHECK | chess.STATUS_RACE_OVER | chess.STATUS_RACE_MATERIAL
    missing = [flag for flag in chess.Status if not flag & of_racing_kings and flag not in FAULTS]
    assert missing == []


@pytest.mark.parametrize(
    ("fen", "chess960", "castling", "en_passant"),
    [
        (chess.STARTING_FEN, False, "KQkq", []),
        ("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", False, "Q", []),
        ("4k3/8/8/8/8/8/8/1R1K2R1 w - - 0 1", False, "", []),
        ("4k3/8/8/8/8/8/8/1R1K2R1 w - - 0 1", True, "KQ", []),
        ("4k3/8/8/3Pp3/8/8/8/4K3 w - - 0 1", False, "", ["e6"]),
        ("4k3/8/8/4p3/8/8/8/4K3 w - - 0 1", False, "", []),
        ("4k3/4p3/8/3Pp3/8/8/8/4K3 w - - 0 1", False, "", []),
        ("4k3/8/8/8/1pP5/8/8/4K3 b - - 0 1", False, "", ["c3"]),
    ],
)
def test_what_the_men_leave_to_choose(fen, chess960, castling, en_passant):
    found = setup_message(fen, chess960)
    assert found["castling"] == castling
    assert found["en_passant"] == en_passant


def test_the_answer_is_for_the_page_that_asks():
    async def test():
        room = room_without_engine()
        async with serving(room) as served, served.page() as page, served.page() as other:
            await ask(page, "check", fen="8/8/8/8/8/8/8/8 w - - 0 1", chess960=False)
            assert (await message(page, "setup"))["fault"] == "the board is empty"
            await ask(page, "move", node=0, text="e4")
            seen = []
            while "position" not in seen[3:]:
                seen.append(json.loads(await other.recv())["kind"])
            assert "setup" not in seen

    run(test())

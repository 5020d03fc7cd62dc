# SPDX-License-Identifier: GPL-3.0-or-later
"""UCI_SetPositionValue: `<centipawns for White> <fen>`, `clear <fen>` or `clearall`."""

from dataclasses import dataclass

from kingcobra.board.fen import FenError
from kingcobra.engine.position_values import TooManyValues
from kingcobra.engine.search_engine import SearchEngine
from kingcobra.networks.scale import CENTIPAWNS
from kingcobra.text_values import parse_integer, quoted
from kingcobra.uci.protocol import UciError

NAME = "UCI_SetPositionValue"
CLEAR, CLEAR_ALL = "clear", "clearall"
MOST_CENTIPAWNS = 999_999


@dataclass(frozen=True)
class PositionValue:
    """A position and its value for White, None to clear it; an empty FEN means all positions."""

    fen: str
    white_cp: int | None


def parse_position_value(text: str) -> PositionValue:
    """The value of the option's text. UciError says what was expected."""
    first, _, fen = text.strip().partition(" ")
    fen = fen.strip()
    if first == CLEAR_ALL and not fen:
        return PositionValue("", None)
    white_cp = parse_integer(first, -MOST_CENTIPAWNS, MOST_CENTIPAWNS)
    if not fen or (white_cp is None and first != CLEAR):
        raise UciError(
            f"option {NAME}: {quoted(text)}, expected '<centipawns> <fen>', 'clear <fen>' or"
            " 'clearall'"
        )
    return PositionValue(fen, white_cp)


def given_line(white_cp: int) -> str:
    """What `eval` ends with where the user's value stands in place of the evaluation."""
    return f"Final evaluation: {white_cp / CENTIPAWNS:+.2f} (White's view), given by {NAME}"


def apply_position_value(engine: SearchEngine, value: PositionValue) -> None:
    """Sets or clears the value. UciError for an illegal position, or one too many."""
    if not value.fen:
        engine.clear_position_values()
        return
    try:
        engine.set_position_value(value.fen, value.white_cp)
    except (FenError, TooManyValues) as error:
        raise UciError(f"option {NAME}: {error}") from None

# SPDX-License-Identifier: GPL-3.0-or-later
"""A game against the engine: who plays which side, at what level and with what time, and how it
ends."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import chess
from chess.engine import Limit

from kingcobra.engine.skill import skill_of_elo
from kingcobra.version import __version__
from kingcobra.web.chess_clock import MS_PER_S, ChessClock

PLAYER_NAME = "You"
# Without a clock the engine takes at most this long for a move.
MOVE_S = 1.0
# The engine agrees to a draw if none of so many last scores was better for it than this, and not in
# the opening, where most scores are small.
DRAW_SCORES, DRAW_CP = 5, 20
DRAW_FIRST_MOVE, DRAW_MEN = 30, 12
DRAW_RULE = (
    f"it agrees to a draw from move {DRAW_FIRST_MOVE} on, or with at most {DRAW_MEN} men left, when"
    f" none of its last {DRAW_SCORES} scores was above {DRAW_CP / 100:+.2f} pawns for itself"
)
RESULTS = {chess.WHITE: "1-0", chess.BLACK: "0-1", None: "1/2-1/2"}
UNFINISHED = "*"


class GameEnd(NamedTuple):
    """A result as PGN has it, and why, in words."""

    result: str
    reason: str


class PlayedGame:
    """A game under way, or over once `end` is set."""

    def __init__(
        self, engine_colour: chess.Color, elo: int | None, clock: ChessClock | None
    ) -> None:
        self.engine_colour = engine_colour
        self.elo = elo
        self.clock = clock
        self.end: GameEnd | None = None
        # The number of the last move when it ended.
        self.end_node: int | None = None
        # What the engine thought of its moves, by their numbers; not of those from a book.
        self.scores_cp: dict[int, int] = {}

    @property
    def engine_name(self) -> str:
        """The name of the engine, with its level."""
        return f"Kingcobra {__version__}" + (f" ({self.elo})" if self.elo else "")

    def name(self, colour: chess.Color) -> str:
        """Who plays a side."""
        return self.engine_name if colour == self.engine_colour else PLAYER_NAME

    def limit(self, now_ms: int) -> Limit:
        """How long the engine may think. At a level it chooses among the lines of a certain depth,
        so it does not search deeper."""
        depth = None if self.elo is None else skill_of_elo(self.elo).depth
        if self.clock is None:
            return Limit(time=MOVE_S, depth=depth)
        left_s = {c: self.clock.left_ms(c, now_ms) / MS_PER_S for c in chess.COLORS}
        increment_s = self.clock.increment_ms / MS_PER_S
        return Limit(
            depth=depth,
            white_clock=left_s[chess.WHITE],
            black_clock=left_s[chess.BLACK],
            white_inc=increment_s,
            black_inc=increment_s,
        )

    def finish(self, end: GameEnd, node: int, now_ms: int) -> None:
        """The game is over after a move; the clock stands."""
        self.end, self.end_node = end, node
        if self.clock is not None:
            self.clock.stop(now_ms)

    def resignation(self) -> GameEnd:
        """How it ends if the player resigns."""
        return GameEnd(RESULTS[self.engine_colour], f"{self.engine_name} wins: you resigned")

    def agrees_to_draw(self, board: chess.Board, line: Sequence[int]) -> bool:
        """Whether the engine agrees to a draw on a board, after the moves of a line."""
        is_late = board.fullmove_number >= DRAW_FIRST_MOVE
        if not is_late and chess.popcount(board.occupied) > DRAW_MEN:
            return False
        scores = [self.scores_cp[number] for number in line if number in self.scores_cp]
        return len(scores) >= DRAW_SCORES and max(scores[-DRAW_SCORES:]) <= DRAW_CP

    def time_forfeit(self, board: chess.Board) -> GameEnd:
        """How it ends if the side whose time runs has none left; a draw if the other side cannot
        mate."""
        assert self.clock is not None
        loser = self.clock.running
        assert loser is not None
        if board.has_insufficient_material(not loser):
            return GameEnd(RESULTS[None], "Draw: no time left, but the other side cannot mate")
        return GameEnd(RESULTS[not loser], f"{self.name(not loser)} won on time")

    def as_json(self, now_ms: int) -> dict[str, Any]:
        """What the page shows."""
        clock = self.clock
        found: dict[str, Any] = {
            "white": self.name(chess.WHITE),
            "black": self.name(chess.BLACK),
            "engine": colour_name(self.engine_colour),
            "over": self.end is not None,
        }
        if clock is not None:
            found["clock"] = {
                "white_ms": clock.left_ms(chess.WHITE, now_ms),
                "black_ms": clock.left_ms(chess.BLACK, now_ms),
                "running": None if clock.running is None else colour_name(clock.running),
            }
        return found


def colour_name(colour: chess.Color) -> str:
    """`white` or `black`."""
    return "white" if colour else "black"


def end_by_rule(board: chess.Board) -> GameEnd | None:
    """Whether the rules end the game here. Draws that a player would have to claim count, too."""
    if board.is_checkmate():
        winner = not board.turn
        return GameEnd(RESULTS[winner], f"Checkmate: {colour_name(winner).title()} wins")
    if board.is_stalemate():
        return GameEnd(RESULTS[None], "Draw: stalemate")
    if board.is_insufficient_material():
        return GameEnd(RESULTS[None], "Draw: nobody can mate")
    if board.is_repetition(3):
        return GameEnd(RESULTS[None], "Draw: the position is there for the third time")
    if board.is_fifty_moves():
        return GameEnd(RESULTS[None], "Draw: fifty moves without a capture or a pawn move")
    return None

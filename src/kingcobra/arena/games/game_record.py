# SPDX-License-Identifier: GPL-3.0-or-later
"""A finished game as a line of the state file and as PGN."""

import time
from dataclasses import asdict, dataclass
from typing import Any

import chess
import chess.pgn

from kingcobra.arena.engines.answers import Fault
from kingcobra.arena.engines.time_control import TimeControl
from kingcobra.arena.games.game import Ending, Game, GameTask

WHITE_WINS, DRAW, BLACK_WINS = "1-0", "1/2-1/2", "0-1"
POINTS_OF_WHITE = {WHITE_WINS: 2, DRAW: 1, BLACK_WINS: 0}
"""Twice the points, so that they are whole numbers."""

TERMINATIONS = {
    Fault.CRASH: "abandoned",
    Fault.HANG: "abandoned",
    Fault.ILLEGAL: "rules infraction",
    Fault.TIME: "time forfeit",
}
ADJUDICATED = "adjudicated"


@dataclass(frozen=True)
class GameRecord:
    """A finished game. `fault` is the text of a Fault, and `culprit` the name of the engine that
    failed. ValueError for a result that is none."""

    number: int
    pair: int
    white: str
    black: str
    result: str
    reason: str
    fault: str | None
    culprit: str | None
    plies: int
    seconds: float

    def __post_init__(self) -> None:
        if self.result not in POINTS_OF_WHITE:
            raise ValueError(f"expected a result {', '.join(POINTS_OF_WHITE)}, got {self.result!r}")

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)

    def points_of(self, name: str) -> int:
        """Twice the points of the engine with this name."""
        of_white = POINTS_OF_WHITE[self.result]
        return of_white if name == self.white else POINTS_OF_WHITE[WHITE_WINS] - of_white


def result_of(winner: chess.Color | None) -> str:
    if winner is None:
        return DRAW
    return WHITE_WINS if winner == chess.WHITE else BLACK_WINS


def record_of(task: GameTask, game: Game, ending: Ending, seconds: float) -> GameRecord:
    """The record of a game that took `seconds` of wall time."""
    culprits = {None: None, chess.WHITE: task.white.name, chess.BLACK: task.black.name}
    return GameRecord(
        task.number,
        task.pair,
        task.white.name,
        task.black.name,
        result_of(ending.winner),
        ending.reason,
        ending.fault.value if ending.fault else None,
        culprits[ending.culprit],
        len(game.moves),
        seconds,
    )


def pgn_of(task: GameTask, game: Game, ending: Ending, control: TimeControl) -> str:
    """The game as PGN, each move with its score, depth and time, and an empty line at the end.
    `control` is for engines without a time control of their own."""
    start = game.board.root()
    pgn = chess.pgn.Game()
    pgn.setup(start)
    headers = pgn.headers
    headers["Event"] = "Kingcobra match"
    headers["Site"] = "?"
    headers["Date"] = time.strftime("%Y.%m.%d")
    headers["Round"] = f"{task.pair + 1}.{task.number % 2 + 1}"
    headers["White"] = task.white.name
    headers["Black"] = task.black.name
    headers["Result"] = result_of(ending.winner)
    headers.update(_time_controls(task, control))
    headers["PlyCount"] = str(len(game.board.move_stack))
    headers["Termination"] = _termination(ending)
    node: chess.pgn.GameNode = pgn
    for move in task.opening.moves:
        node = node.add_variation(chess.Move.from_uci(move), comment="book")
    for played in game.moves:
        comment = f"{played.answer.search_info.comment()} {played.answer.seconds:.3f}s".strip()
        node = node.add_variation(played.move, comment=comment)
    end_comment = ending.reason.replace("{", "(").replace("}", ")").replace("\n", " ")
    node.comment = f"{node.comment}, {end_comment}" if node.comment else end_comment
    exporter = chess.pgn.StringExporter(headers=True, variations=False, comments=True)
    return str(pgn.accept(exporter)) + "\n\n"


def _time_controls(task: GameTask, control: TimeControl) -> dict[str, str]:
    """One header, or one for each side where they differ."""
    white = pgn_time_control(task.white.time_control or control)
    black = pgn_time_control(task.black.time_control or control)
    if white == black:
        return {"TimeControl": white}
    return {"WhiteTimeControl": white, "BlackTimeControl": black}


def pgn_time_control(control: TimeControl) -> str:
    """The header `TimeControl` as the PGN standard writes it; `-` where there is no clock."""
    if control.base_s is None:
        return "-"
    increment = f"+{control.increment_s:g}" if control.increment_s else ""
    period = f"{control.moves_per_period}/" if control.moves_per_period else ""
    return f"{period}{control.base_s:g}{increment}"


def _termination(ending: Ending) -> str:
    if ending.fault is not None:
        return TERMINATIONS[ending.fault]
    return "adjudication" if ending.reason.startswith(ADJUDICATED) else "normal"

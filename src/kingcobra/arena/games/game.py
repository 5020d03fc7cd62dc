# SPDX-License-Identifier: GPL-3.0-or-later
"""One game between two engines, from the opening to a result."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

import chess
import chess.engine

from kingcobra.arena.engines.answers import Answer, EngineFault, Fault
from kingcobra.arena.engines.engine_process import STOP_TIMEOUT_S, EngineProcess
from kingcobra.arena.engines.engine_spec import EngineSpec
from kingcobra.arena.engines.time_control import MS_PER_SECOND, Clock, TimeControl
from kingcobra.arena.games.adjudication import Adjudication, Adjudicator, DrawRule, ResignRule
from kingcobra.arena.games.openings import Opening
from kingcobra.tablebases import Tablebases

REPETITIONS_TO_DRAW = 3
PLIES_OF_FIFTY_MOVES = 100
DEFAULT_MARGIN_MS = 20
"""Forgiven beyond a player's time. The pipe and the waking of two processes take well under a
millisecond on an idle machine, but several on one whose cores are all playing."""
DEFAULT_MOVE_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Rules:
    """What holds for every game of a match."""

    time_control: TimeControl
    margin_s: float = DEFAULT_MARGIN_MS / MS_PER_SECOND
    move_timeout_s: float = DEFAULT_MOVE_TIMEOUT_S
    stop_timeout_s: float = STOP_TIMEOUT_S
    chess960: bool = False
    resign: ResignRule | None = None
    draw: DrawRule | None = None
    max_moves: int | None = None
    syzygy: str | None = None


@dataclass(frozen=True)
class GameTask:
    """A game to play. The two games of a pair have the same opening with colours reversed."""

    number: int
    pair: int
    opening: Opening
    white: EngineSpec
    black: EngineSpec


@dataclass(frozen=True)
class GameMove:
    """A move of the game, and the answer of the engine that made it."""

    move: chess.Move
    answer: Answer


@dataclass(frozen=True)
class Ending:
    """How a game ended; `culprit` is the side whose engine failed, if one did."""

    winner: chess.Color | None
    reason: str
    fault: Fault | None = None
    culprit: chess.Color | None = None


Players = Mapping[chess.Color, EngineProcess]


class Game:
    """A game in progress; `play` brings it to its end."""

    def __init__(self, task: GameTask, rules: Rules, tables: Tablebases | None) -> None:
        self.board = task.opening.board(rules.chess960)
        self.moves: list[GameMove] = []
        self._task = task
        self._rules = rules
        self._adjudicator = Adjudicator(rules.resign, rules.draw, tables)
        self._clocks = {
            chess.WHITE: Clock(task.white.time_control or rules.time_control, rules.margin_s),
            chess.BLACK: Clock(task.black.time_control or rules.time_control, rules.margin_s),
        }
        self._seen = _positions_seen(self.board)

    async def play(self, players: Players) -> Ending:
        """Plays until the rules, an adjudication or a fault end the game."""
        not_moved = {chess.WHITE, chess.BLACK}
        ending = self._ending_by_rules()
        while ending is None:
            mover = self.board.turn
            try:
                answer = await self._request_move(players[mover], mover in not_moved)
                ending = self._accept(answer)
            except EngineFault as fault:
                side = chess.COLOR_NAMES[mover].capitalize()
                return Ending(not mover, f"{side}: {fault}", fault.fault, mover)
            not_moved.discard(mover)
        return ending

    async def _request_move(self, engine: EngineProcess, first_move: bool) -> Answer:
        mover = self.board.turn
        clock = self._clocks[mover]
        allowed_s = clock.allowed_s
        timeout_s = self._rules.move_timeout_s if allowed_s is None else allowed_s
        answer = await engine.play(
            self.board, self._limit(), self._task.number, timeout_s, first_move
        )
        if not clock.charge(answer.seconds):
            raise EngineFault(
                Fault.TIME, f"move after {answer.seconds:.3f} s, allowed {allowed_s:.3f} s"
            )
        return answer

    def _limit(self) -> chess.engine.Limit:
        mover = self.board.turn
        own = self._clocks[mover]
        limit = chess.engine.Limit(
            time=own.control.movetime_s, nodes=own.control.nodes, depth=own.control.depth
        )
        if own.remaining_s is None:
            return limit
        white, black = self._clocks[chess.WHITE], self._clocks[chess.BLACK]
        limit.white_clock, limit.white_inc = white.remaining_s, white.control.increment_s
        limit.black_clock, limit.black_inc = black.remaining_s, black.control.increment_s
        limit.remaining_moves = own.moves_to_go
        limit.clock_id = self._task.number
        return limit

    def _accept(self, answer: Answer) -> Ending | None:
        """Makes the move on the board; the ending if the game is over."""
        if answer.resigned:
            return Ending(not self.board.turn, "resignation")
        if answer.move is None or not self.board.is_legal(answer.move):
            raise EngineFault(
                Fault.ILLEGAL, f"not a legal move: {answer.move} in {self.board.fen()}"
            )
        self.moves.append(GameMove(answer.move, answer))
        self.board.push(answer.move)
        if self.board.halfmove_clock == 0:
            self._seen.clear()
        self._seen[self.board.epd()] += 1
        ending = self._ending_by_rules()
        if ending is None:
            adjudication = self._adjudicator.after_move(self.board, answer.search_info)
            ending = _ending_of(adjudication)
        if ending is None and self._is_too_long():
            ending = Ending(None, "adjudicated: length of the game")
        return ending

    def _is_too_long(self) -> bool:
        return self._rules.max_moves is not None and len(self.moves) >= 2 * self._rules.max_moves

    def _ending_by_rules(self) -> Ending | None:
        """Mate, stalemate, and draws that a player could claim."""
        board = self.board
        if not any(board.generate_legal_moves()):
            if board.is_check():
                return Ending(not board.turn, "checkmate")
            return Ending(None, "stalemate")
        if board.is_insufficient_material():
            return Ending(None, "insufficient material")
        if board.halfmove_clock >= PLIES_OF_FIFTY_MOVES:
            return Ending(None, "fifty moves")
        if self._seen[board.epd()] >= REPETITIONS_TO_DRAW:
            return Ending(None, "repetition")
        return None


def _positions_seen(board: chess.Board) -> Counter[str]:
    """How often each position has occurred since the last capture or pawn move."""
    walk = board.copy()
    seen = Counter([walk.epd()])
    while walk.move_stack and walk.halfmove_clock > 0:
        walk.pop()
        seen[walk.epd()] += 1
    return seen


def _ending_of(adjudication: Adjudication | None) -> Ending | None:
    return None if adjudication is None else Ending(adjudication.winner, adjudication.reason)

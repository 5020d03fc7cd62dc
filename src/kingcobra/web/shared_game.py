# SPDX-License-Identifier: GPL-3.0-or-later
"""The game on the board: its moves, the one that is shown, and the rules and clocks of a game
against the engine."""

import asyncio
from collections.abc import Callable

import chess
import chess.pgn

from kingcobra.web.chess_clock import MS_PER_S, ChessClock
from kingcobra.web.errors import WebError
from kingcobra.web.game_tree import GameTree, new_game
from kingcobra.web.played_game import (
    DRAW_RULE,
    RESULTS,
    UNFINISHED,
    GameEnd,
    PlayedGame,
    end_by_rule,
)

NO_GAME = "no game is being played"
IN_PLAY = "a game is being played; resign first"
NOT_YOUR_TURN = "it is not your turn"
EARLIER_MOVE = "this is an earlier move of the game; go to its last one to play on"


class SharedGame:
    """What cannot be done raises WebError and changes nothing. `on_time` is called when a clock has
    ended the game; whoever calls a method tells the pages."""

    def __init__(
        self, tree: GameTree | None, now_ms: Callable[[], int], on_time: Callable[[], None]
    ) -> None:
        self.tree = tree or GameTree()
        self.cursor = self.tree.last()
        self.played: PlayedGame | None = None
        self._now_ms = now_ms
        self._on_time = on_time
        self._flag: asyncio.TimerHandle | None = None

    @property
    def board(self) -> chess.Board:
        """The position that is shown."""
        return self.tree.board(self.cursor)

    @property
    def last_board(self) -> chess.Board:
        """The position at the end of the main line."""
        return self.tree.board(self.tree.last())

    @property
    def is_playing(self) -> bool:
        """Whether a game against the engine is under way."""
        return self.played is not None and self.played.end is None

    @property
    def shown_end(self) -> GameEnd | None:
        """How the game against the engine ended, where its last position is shown."""
        if self.played is None or self.played.end_node != self.cursor:
            return None
        return self.played.end

    @property
    def is_players_turn(self) -> bool:
        """Whether the player may move in the position that is shown."""
        return self._is_players_move and self.cursor == self.tree.last()

    @property
    def _is_players_move(self) -> bool:
        assert self.played is not None
        return self.last_board.turn != self.played.engine_colour

    def require_not_playing(self) -> None:
        """WebError during a game against the engine."""
        if self.is_playing:
            raise WebError(IN_PLAY)

    # --- moves --------------------------------------------------------------------------------

    def move(self, node: int, text: str) -> None:
        """A move of the player."""
        if self.is_playing and not self._is_players_move:
            raise WebError(NOT_YOUR_TURN)
        if self.is_playing and node != self.tree.last():
            raise WebError(EARLIER_MOVE)
        self._add_move(node, text)

    def engine_move(self, move: chess.Move, mover_cp: int | None) -> None:
        """A move of the engine, and its score. Whoever looks at an earlier move goes on looking at
        it."""
        node, shown = self.tree.last(), self.cursor
        played = self.running()
        self._add_move(node, self.last_board.uci(move))
        if mover_cp is not None:
            played.scores_cp[self.tree.last()] = mover_cp
        if shown != node:
            self.cursor = shown

    def _add_move(self, node: int, text: str) -> None:
        self.cursor = self.tree.play(node, text)
        if self.is_playing:
            self._after_played_move()

    def go(self, node: int) -> None:
        """Shows another move."""
        self.tree.node(node)
        self.cursor = node

    def step(self, to: str) -> None:
        """Shows the first, previous, next or last move; where there is none, the same one."""
        here = self.tree.node(self.cursor)
        steps = {
            "first": self.tree.game,
            "previous": here.parent,
            "next": here.next(),
            "last": self.tree.game.end(),
        }
        self.cursor = self.tree.number(steps[to] or here)

    def take_back(self) -> None:
        """Of a game against the engine, all moves back to the player's turn."""
        if not self.is_playing:
            self.cursor = self.tree.remove(self.cursor)
            self._forget_undone_end()
            return
        assert self.played is not None
        mine = not self.played.engine_colour
        line = self.tree.line(self.tree.last())
        if not any(self._mover(number) == mine for number in line):
            raise WebError("you have no move to take back")
        last = line[-1]
        while self._mover(last) != mine:
            last = self.tree.remove(last)
        self.cursor = self.tree.remove(last)
        if self.played.clock is not None:
            self.played.clock.start(mine, self._now_ms())
            self._set_flag()

    def _forget_undone_end(self) -> None:
        """A game whose last move was taken back has no result any more."""
        end_node = None if self.played is None else self.played.end_node
        if end_node is not None and not self.tree.has(end_node):
            self.played = None
            self.tree.game.headers["Result"] = UNFINISHED

    def replace(self, tree: GameTree) -> None:
        """Another game."""
        self.require_not_playing()
        self.played = None
        self.tree, self.cursor = tree, tree.last()

    def exchange(self, tree: GameTree) -> None:
        """The same game with more in it; the same move is shown."""
        path = [self.tree.node(number).move for number in self.tree.line(self.cursor)]
        node: chess.pgn.GameNode = tree.game
        for move in path:
            assert move is not None
            node = node.variation(move)
        self.tree, self.cursor = tree, tree.number(node)

    def _mover(self, number: int) -> chess.Color:
        return not self.tree.node(number).turn()

    # --- against the engine -------------------------------------------------------------------

    def play(self, colour: str, elo: int | None, base_s: int | None, increment_s: int) -> None:
        """A game from the position on the board. Earlier moves stay, other variations do not."""
        self.require_not_playing()
        board = self.board
        if end_by_rule(board) is not None:
            raise WebError("the game on the board is over; begin a new one")
        clock = None if base_s is None else ChessClock(base_s, increment_s)
        self.played = PlayedGame(colour != "white", elo, clock)
        self.tree = _main_line(board, self.tree)
        self.cursor = self.tree.last()
        headers = self.tree.game.headers
        headers["White"] = self.played.name(chess.WHITE)
        headers["Black"] = self.played.name(chess.BLACK)
        headers["Result"] = UNFINISHED
        if base_s is not None:
            headers["TimeControl"] = f"{base_s}+{increment_s}"
        if clock is not None:
            clock.start(board.turn, self._now_ms())
        self._set_flag()

    def resign(self) -> None:
        """The player gives the game up."""
        self._finish(self.running().resignation())

    def offer_draw(self) -> None:
        """The game is drawn if the engine agrees; WebError has its rule if it does not."""
        played = self.running()
        if not played.agrees_to_draw(self.last_board, self.tree.line(self.tree.last())):
            raise WebError(f"{played.engine_name} declines; {DRAW_RULE}")
        self._finish(GameEnd(RESULTS[None], "Draw by agreement"))

    def running(self) -> PlayedGame:
        """The game against the engine; WebError if there is none under way."""
        if self.played is None or self.played.end is not None:
            raise WebError(NO_GAME)
        return self.played

    def _after_played_move(self) -> None:
        """Time, the rules, and who is next."""
        assert self.played is not None
        if self.played.clock is not None:
            now_ms = self._now_ms()
            if self.played.clock.has_fallen(now_ms):
                self.cursor = self.tree.remove(self.cursor)
                self._check_time()
                return
            self.played.clock.press(now_ms)
            self.tree.node(self.cursor).set_clock(
                self.played.clock.left_ms(self._mover(self.cursor), now_ms) / MS_PER_S
            )
        end = end_by_rule(self.board)
        if end is not None:
            self._finish(end)
        else:
            self._set_flag()

    def _finish(self, end: GameEnd) -> None:
        assert self.played is not None
        self.played.finish(end, self.tree.last(), self._now_ms())
        self.tree.game.headers["Result"] = end.result
        self._set_flag()

    def _set_flag(self) -> None:
        """Looks at the clock when it may fall."""
        self.close()
        clock = self.played.clock if self.is_playing and self.played is not None else None
        if clock is not None and clock.running is not None:
            left_s = clock.left_ms(clock.running, self._now_ms()) / MS_PER_S
            self._flag = asyncio.get_running_loop().call_later(left_s, self._check_time)

    def _check_time(self) -> None:
        if not self.is_playing or self.played is None or self.played.clock is None:
            return
        if self.played.clock.has_fallen(self._now_ms()):
            self._finish(self.played.time_forfeit(self.last_board))
            self._on_time()
        else:
            self._set_flag()

    def close(self) -> None:
        """Nobody looks at the clock any more."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None


def _main_line(board: chess.Board, tree: GameTree) -> GameTree:
    """The moves to a board as a game of its own, with the tags of the tree."""
    game = new_game(board.root())
    if board.chess960:
        game.headers["Variant"] = "Chess960"
    for name in ("Event", "Date"):
        game.headers[name] = tree.game.headers.get(name, game.headers[name])
    game.add_line(board.move_stack)
    return GameTree(game)

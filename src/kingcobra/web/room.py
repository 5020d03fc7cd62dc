# SPDX-License-Identifier: GPL-3.0-or-later
"""The game that all pages share: what they ask for is done here, and all of them see it."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import chess

from kingcobra.analysis.settings import AnnotationSettings
from kingcobra.web.analyst import Analyst
from kingcobra.web.annotator import NODES, Annotator
from kingcobra.web.chess_clock import MS_PER_S, ChessClock
from kingcobra.web.clients import Client, Clients
from kingcobra.web.engine_desk import EngineDesk
from kingcobra.web.errors import WebError
from kingcobra.web.game_tree import ROOT, GameTree, board_of_fen, game_of_pgn, new_game
from kingcobra.web.one_task import OneTask
from kingcobra.web.played_game import GameEnd, PlayedGame, end_by_rule
from kingcobra.web.requests import Request
from kingcobra.web.shown_position import position_json

NS_PER_MS = 1_000_000
MOST_NOTICE = 300
STARTING, READY = "starting", "ready"


def _now_ms() -> int:
    return time.monotonic_ns() // NS_PER_MS


class Room:
    """One game, one engine, any number of pages. Everything happens in the event loop."""

    def __init__(
        self, desk: EngineDesk, tree: GameTree | None = None, now_ms: Callable[[], int] = _now_ms
    ) -> None:
        self._desk = desk
        self._now_ms = now_ms
        self.tree = tree or GameTree()
        self.cursor = self.tree.last() if tree else ROOT
        self.played: PlayedGame | None = None
        self.clients = Clients(self.plan_work)
        self.analyst = Analyst(desk, self.clients.post)
        settings = AnnotationSettings(nodes=NODES, network=desk.options.network)
        self.annotator = Annotator(self.clients.post, settings)
        self._work = OneTask(self._on_fault)
        self._engine_state = STARTING
        self._flag: asyncio.TimerHandle | None = None
        self._actions: dict[str, Callable[..., None]] = {
            "move": self._move,
            "go": self._go,
            "take back": self._take_back,
            "new game": self._new_game,
            "position": self._set_position,
            "load": self._load,
            "play": self._play,
            "resign": self._resign,
            "analysis": self._set_analysis,
            "inside": self._set_inside,
            "annotate": self._annotate,
        }

    # --- pages --------------------------------------------------------------------------------

    def enter(self) -> Client:
        """A new page, which is told everything."""
        client = self.clients.add()
        for message in self._everything():
            client.post(message)
        return client

    def handle(self, client: Client, request: Request) -> None:
        """Does what a page asks for. What cannot be done is told to that page alone."""
        try:
            self._actions[request.action](**request.values)
        except WebError as error:
            client.post(notice(str(error), is_error=True))
            # The page may have shown the move already.
            client.post(self._position_message())

    def _everything(self) -> list[dict[str, Any]]:
        return [
            self._game_message(),
            self._position_message(),
            *self.analyst.messages(),
            self.annotator.message(self.tree),
        ]

    def _game_message(self) -> dict[str, Any]:
        return {
            "kind": "game",
            "moves": self.tree.as_json(),
            "tags": self.tree.tags,
            "start_ply": self.tree.board(ROOT).ply(),
            "pgn": self.tree.pgn(),
        }

    def _position_message(self) -> dict[str, Any]:
        shown = position_json(self.tree.board(self.cursor))
        if self._is_playing and not self._is_players_turn:
            shown["legal"] = []
        played = self.played
        if played is not None and played.end is not None and self.cursor == self.tree.last():
            shown["end"] = played.end.reason
        return {
            "kind": "position",
            "node": self.cursor,
            "last_node": self.tree.last(),
            **shown,
            "engine": self._engine_state,
            "analysis": self.analyst.settings_json(),
            "play": None if played is None else played.as_json(self._now_ms()),
        }

    def _tell_game(self) -> None:
        """All pages see a game that has changed."""
        self.clients.post(self._game_message())
        self.clients.post(self.annotator.message(self.tree))
        self._tell_position()

    def _tell_position(self) -> None:
        self.plan_work()
        self.clients.post(self._position_message())

    # --- moves --------------------------------------------------------------------------------

    def _move(self, node: int, text: str) -> None:
        self._require_no_annotation()
        if self._is_playing and (not self._is_players_turn or node != self.tree.last()):
            raise WebError("it is not your turn")
        self._add_move(node, text)

    def _add_move(self, node: int, text: str) -> None:
        self.cursor = self.tree.play(node, text)
        if self._is_playing:
            self._after_played_move()
        self._tell_game()

    def _go(self, node: int) -> None:
        self.tree.node(node)
        self.cursor = node
        self._tell_position()

    def _take_back(self) -> None:
        """Of a game against the engine, all moves back to the player's turn."""
        self._require_no_annotation()
        if not self._is_playing:
            self.cursor = self.tree.remove(self.cursor)
            self._tell_game()
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
        self._tell_game()

    def _mover(self, number: int) -> chess.Color:
        return not self.tree.node(number).turn()

    # --- another game -------------------------------------------------------------------------

    def _new_game(self, chess960: int | None) -> None:
        board = chess.Board() if chess960 is None else chess.Board.from_chess960_pos(chess960)
        self._replace(GameTree(new_game(board)))

    def _set_position(self, fen: str, chess960: bool) -> None:
        self._replace(GameTree(new_game(board_of_fen(fen, chess960))))

    def _load(self, pgn: str) -> None:
        tree, warnings = game_of_pgn(pgn)
        self._replace(tree)
        for warning in warnings[:1]:
            self.clients.post(notice(f"a variation is not complete: {warning}"))

    def _replace(self, tree: GameTree) -> None:
        self._require_no_annotation()
        if self._is_playing:
            raise WebError("a game is being played; resign first")
        self.played = None
        self.tree, self.cursor = tree, tree.last()
        self.analyst.forget()
        self.annotator.forget()
        self._tell_game()

    # --- against the engine -------------------------------------------------------------------

    @property
    def _is_playing(self) -> bool:
        return self.played is not None and self.played.end is None

    @property
    def _is_players_turn(self) -> bool:
        assert self.played is not None
        is_mine = self.tree.board(self.tree.last()).turn != self.played.engine_colour
        return is_mine and self.cursor == self.tree.last()

    def _play(self, colour: str, elo: int | None, base_s: int | None, increment_s: int) -> None:
        """A game from the position on the board. Earlier moves stay, other variations do not."""
        self._require_no_annotation()
        if self._is_playing:
            raise WebError("a game is being played; resign first")
        board = self.tree.board(self.cursor)
        if end_by_rule(board) is not None:
            raise WebError("the game on the board is over; begin a new one")
        clock = None if base_s is None else ChessClock(base_s, increment_s)
        self.played = PlayedGame(colour != "white", elo, clock)
        self.tree = _main_line(board, self.tree)
        self.cursor = self.tree.last()
        headers = self.tree.game.headers
        headers["White"] = self.played.name(chess.WHITE)
        headers["Black"] = self.played.name(chess.BLACK)
        headers["Result"] = "*"
        if base_s is not None:
            headers["TimeControl"] = f"{base_s}+{increment_s}"
        if clock is not None:
            clock.start(board.turn, self._now_ms())
        self.analyst.forget()
        self.annotator.forget()
        self._set_flag()
        self._tell_game()

    def _resign(self) -> None:
        if not self._is_playing:
            raise WebError("no game is being played")
        assert self.played is not None
        self._finish(self.played.resignation())

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
        end = end_by_rule(self.tree.board(self.cursor))
        if end is not None:
            self._finish(end)
        else:
            self._set_flag()

    def _finish(self, end: GameEnd) -> None:
        assert self.played is not None
        self.played.finish(end, self._now_ms())
        self.tree.game.headers["Result"] = end.result
        self._set_flag()
        self._tell_game()

    def _set_flag(self) -> None:
        """Looks at the clock when it may fall."""
        if self._flag is not None:
            self._flag.cancel()
            self._flag = None
        clock = self.played.clock if self._is_playing and self.played is not None else None
        if clock is not None and clock.running is not None:
            left_s = clock.left_ms(clock.running, self._now_ms()) / MS_PER_S
            self._flag = asyncio.get_running_loop().call_later(left_s, self._check_time)

    def _check_time(self) -> None:
        if not self._is_playing or self.played is None or self.played.clock is None:
            return
        if self.played.clock.has_fallen(self._now_ms()):
            self._finish(self.played.time_forfeit(self.tree.board(self.tree.last())))
        else:
            self._set_flag()

    # --- the engine's work --------------------------------------------------------------------

    def _set_analysis(self, on: bool, lines: int) -> None:
        self.analyst.is_on, self.analyst.lines = on, lines
        self._tell_position()

    def _set_inside(self, on: bool) -> None:
        self.analyst.is_inside_on = on
        self._tell_position()

    def _annotate(self, on: bool) -> None:
        if self._is_playing:
            raise WebError("a game is being played; resign first")
        if on and self.tree.last() == ROOT:
            raise WebError("there are no moves to annotate")
        self.annotator.is_wanted = on
        self._tell_position()

    def _require_no_annotation(self) -> None:
        if self.annotator.is_wanted:
            raise WebError("the game is being annotated; stop that first")

    async def start(self) -> None:
        """Loads the engine. Pages are served meanwhile."""
        try:
            await self._desk.load()
            self._engine_state = READY
        except Exception as error:
            self._engine_state = f"the engine cannot be used: {error}"
        self._tell_position()

    def plan_work(self) -> None:
        """Sees to it that the engine does what is wanted most. Without a page nothing goes on but
        the engine's move in a game."""
        if self._engine_state != READY:
            return
        board = self.tree.board(self.cursor)
        if self._is_playing:
            self._plan_move()
        elif self.annotator.is_wanted and self.clients:
            self._work.switch("annotate", self._annotation)
        elif self.annotator.is_wanted:
            self.annotator.is_wanted = False
            self._work.switch(None, None)
        elif self.analyst.has_work and self.clients:
            is_over = not any(board.legal_moves)
            key = ("analyse", self.cursor, board.fen(), self.analyst.key, is_over)
            self._work.switch(key, lambda: self.analyst.run(self.cursor, board, is_over))
        else:
            self._work.switch(None, None)

    def _plan_move(self) -> None:
        assert self.played is not None
        board = self.tree.board(self.tree.last())
        if board.turn == self.played.engine_colour:
            key = ("move", self.tree.last(), self.played)
            self._work.switch(key, lambda: self._engine_move(board))
        else:
            self._work.switch(("player", self.tree.last()), None)

    async def _engine_move(self, board: chess.Board) -> None:
        played = self.played
        assert played is not None
        node = self.tree.last()
        move = await self._desk.move(board, played.limit(self._now_ms()), played.elo)
        is_watching = self.cursor == node
        watched = self.cursor
        self._add_move(node, board.uci(move))
        if not is_watching:
            self.cursor = watched
            self._tell_position()

    async def _annotation(self) -> None:
        """Puts the annotated game in the place of the plain one; the page stays where it is."""
        try:
            pgn = await self.annotator.run(self.tree)
        finally:
            self.annotator.is_wanted = False
        path = [self.tree.node(number).move for number in self.tree.line(self.cursor)]
        tree, _warnings = game_of_pgn(pgn)
        node: Any = tree.game
        for move in path:
            node = node.variation(move)
        self.tree, self.cursor = tree, tree.number(node)
        self._tell_game()

    def _on_fault(self, error: BaseException) -> None:
        """Work has failed: in words for the pages."""
        self.clients.post(notice(f"the engine has failed: {error}", is_error=True))
        self._tell_position()

    async def close(self) -> None:
        """Ends all work."""
        self._engine_state = "closed"
        self._work.switch("closed", None)
        if self._flag is not None:
            self._flag.cancel()
        await self._desk.close()


def notice(text: str, is_error: bool = False) -> dict[str, Any]:
    """A line for people, of a length that can be read."""
    line = " ".join(text.split())
    shown = line if len(line) <= MOST_NOTICE else line[:MOST_NOTICE] + " …"
    return {"kind": "notice", "text": shown, "error": is_error}


def _main_line(board: chess.Board, tree: GameTree) -> GameTree:
    """The moves to a board as a game of its own, with the tags of the tree."""
    game = new_game(board.root())
    if board.chess960:
        game.headers["Variant"] = "Chess960"
    for name in ("Event", "Date"):
        game.headers[name] = tree.game.headers.get(name, game.headers[name])
    game.add_line(board.move_stack)
    return GameTree(game)

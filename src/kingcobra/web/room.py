# SPDX-License-Identifier: GPL-3.0-or-later
"""The game that all pages share: what they ask for is done here, and all of them see it."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Any

import chess

from kingcobra.analysis.settings import AnnotationSettings
from kingcobra.web.analyst import Analyst
from kingcobra.web.annotator import NODES, Annotator
from kingcobra.web.clients import Client, Clients
from kingcobra.web.engine_desk import EngineDesk
from kingcobra.web.errors import WebError
from kingcobra.web.game_list import GameList, LoadedGame, list_of_text
from kingcobra.web.game_tree import ROOT, GameTree, game_of_pgn, new_game
from kingcobra.web.one_task import OneTask
from kingcobra.web.position_setup import board_of_fen, setup_message
from kingcobra.web.requests import Request
from kingcobra.web.shared_game import SharedGame
from kingcobra.web.shown_position import position_json
from kingcobra.web.static_view import StaticView

NS_PER_MS = 1_000_000
MOST_NOTICE = 300
STARTING, READY = "starting", "ready"

Answer = dict[str, Any] | None


def _now_ms() -> int:
    return time.monotonic_ns() // NS_PER_MS


class Room:
    """One game, one engine, any number of pages. Everything happens in the event loop."""

    def __init__(
        self, desk: EngineDesk, games: GameList | None = None, now_ms: Callable[[], int] = _now_ms
    ) -> None:
        self._desk = desk
        self._now_ms = now_ms
        self.games = games
        tree = None if games is None else games.load_first().tree
        self.game = SharedGame(tree, now_ms, self._tell_game)
        self.clients = Clients(self._on_pages_change)
        self.analyst = Analyst(desk, self.clients.post)
        self.static_view = StaticView(desk, self.clients.post)
        settings = AnnotationSettings(nodes=NODES, network=desk.options.network)
        self.annotator = Annotator(self.clients.post, settings)
        self._work = OneTask(self._on_fault)
        self._static_work = OneTask(self._on_fault)
        self._checks = OneTask(self._on_fault)
        self._engine_state = STARTING
        # What they return is for the page that asked, alone; some take a while.
        self._actions: dict[str, Callable[..., Answer | Awaitable[Answer]]] = {
            "move": self._move,
            "go": self._go,
            "step": self._step,
            "take back": self._take_back,
            "new game": self._new_game,
            "position": self._set_position,
            "check": setup_message,
            "load": self._load,
            "choose": self._choose,
            "play": self._play,
            "resign": self._resign,
            "offer draw": self._offer_draw,
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

    async def handle(self, client: Client, request: Request) -> None:
        """Does what a page asks for. What cannot be done is told to that page alone."""
        try:
            answer = self._actions[request.action](**request.values)
            if isinstance(answer, Awaitable):
                answer = await answer
        except WebError as error:
            client.post(notice(str(error), is_error=True))
            # The page may have shown the move already.
            client.post(self._position_message())
            return
        if answer is not None:
            client.post(answer)

    def _everything(self) -> list[dict[str, Any]]:
        return [
            self._game_message(),
            *([] if self.games is None else [self.games.message()]),
            self._position_message(),
            *self.analyst.messages(),
            *self.static_view.messages(),
            self.annotator.message(self.game.tree),
            self.annotator.progress_message(),
        ]

    def _game_message(self) -> dict[str, Any]:
        tree = self.game.tree
        return {
            "kind": "game",
            "moves": tree.as_json(),
            "tags": tree.tags,
            "start_ply": tree.board(ROOT).ply(),
            "pgn": tree.pgn(),
        }

    def _position_message(self) -> dict[str, Any]:
        game = self.game
        shown = position_json(game.board)
        if game.is_playing and not game.is_players_turn:
            shown["legal"] = []
        if game.shown_end is not None:
            shown["end"] = game.shown_end.reason
        return {
            "kind": "position",
            "node": game.cursor,
            **shown,
            "engine": self._engine_state,
            "analysis": {
                "on": self.analyst.is_on,
                "lines": self.analyst.lines,
                "inside": self.static_view.is_on,
            },
            "play": None if game.played is None else game.played.as_json(self._now_ms()),
        }

    def _tell_game(self) -> None:
        """All pages see a game that has changed."""
        self.clients.post(self._game_message())
        self.clients.post(self.annotator.message(self.game.tree))
        self._tell_position()

    def _tell_position(self) -> None:
        self.plan_work()
        self.clients.post(self._position_message())

    # --- the game -----------------------------------------------------------------------------

    def _move(self, node: int, text: str) -> None:
        self._require_no_annotation()
        self.game.move(node, text)
        self._tell_game()

    def _go(self, node: int) -> None:
        self.game.go(node)
        self._tell_position()

    def _step(self, to: str) -> None:
        self.game.step(to)
        self._tell_position()

    def _take_back(self) -> None:
        self._require_no_annotation()
        self.game.take_back()
        self._tell_game()

    def _new_game(self, chess960: int | None) -> None:
        board = chess.Board() if chess960 is None else chess.Board.from_chess960_pos(chess960)
        self._replace(GameTree(new_game(board)))

    def _set_position(self, fen: str, chess960: bool) -> None:
        self._replace(GameTree(new_game(board_of_fen(fen, chess960))))

    async def _load(self, pgn: str, is_part: bool) -> None:
        self._require_replaceable()
        games, loaded = await asyncio.to_thread(_read_games, pgn, is_part)
        self._replace(loaded.tree)
        self.games = games
        self._tell_chosen(loaded)
        self._plan_checks()

    async def _choose(self, number: int) -> None:
        games = self.games
        if games is None:
            raise WebError("there is no list of games")
        self._require_replaceable()
        loaded = await asyncio.to_thread(games.load, number)
        if self.games is not games:
            raise WebError("there is another list of games by now")
        self._replace(loaded.tree)
        self._tell_chosen(loaded)

    def _tell_chosen(self, loaded: LoadedGame) -> None:
        assert self.games is not None
        self.games.chosen = loaded.number
        self.clients.post(self.games.message())
        if loaded.remark:
            self.clients.post(notice(loaded.remark))

    def _replace(self, tree: GameTree) -> None:
        self._require_replaceable()
        self.game.replace(tree)
        self._forget()
        if self.games is not None:
            self.games.chosen = None
            self.clients.post(self.games.message())
        self._tell_game()

    def _require_replaceable(self) -> None:
        self._require_no_annotation()
        self.game.require_not_playing()

    def _play(self, **choices: Any) -> None:
        self._require_no_annotation()
        self.game.play(**choices)
        self._forget()
        self._tell_game()

    def _resign(self) -> None:
        self.game.resign()
        self._tell_game()

    def _offer_draw(self) -> None:
        self.game.offer_draw()
        self._tell_game()

    def _forget(self) -> None:
        """Nothing that is known of the old game belongs to the new one."""
        self.analyst.forget()
        self.static_view.forget()
        self.annotator.forget()

    # --- the engine's work --------------------------------------------------------------------

    def _set_analysis(self, on: bool, lines: int) -> None:
        self.analyst.is_on, self.analyst.lines = on, lines
        self._tell_position()

    def _set_inside(self, on: bool) -> None:
        self.static_view.is_on = on
        self._tell_position()

    def _annotate(self, on: bool) -> None:
        self.game.require_not_playing()
        if on and self.game.tree.last() == ROOT:
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

    def _on_pages_change(self) -> None:
        self.plan_work()
        self._plan_checks()

    def _plan_checks(self) -> None:
        """Games of the list are looked at as long as somebody sees it."""
        games = self.games
        if games is None or games.is_checked or not self.clients:
            self._checks.switch(None, None)
        else:
            self._checks.switch(games, lambda: games.check(self.clients.post))

    def plan_work(self) -> None:
        """Sees to it that the engine does what is wanted most. Without a page nothing goes on but
        the engine's move in a game; the rest begins again when a page comes back."""
        if self._engine_state != READY:
            return
        game = self.game
        self._plan_static_work()
        if game.is_playing:
            self._plan_move()
        elif self.annotator.is_wanted and self.clients:
            self._work.switch("annotate", self._annotation)
        elif self.analyst.is_on and self.clients and any(game.board.legal_moves):
            node, board = game.cursor, game.board
            key = ("analyse", node, board.fen(), self.analyst.key)
            self._work.switch(key, lambda: self.analyst.run(node, board))
        else:
            self._work.switch(None, None)

    def _plan_static_work(self) -> None:
        """Beside a search, but not in a game against the engine: nobody helps the player."""
        tree, node = self.game.tree, self.game.cursor
        if self.game.is_playing or not self.clients or not self.static_view.has_work:
            self._static_work.switch(None, None)
            return
        key = (tree, node, tree.last(), self.static_view.key)
        self._static_work.switch(key, lambda: self.static_view.run(tree, node))

    def _plan_move(self) -> None:
        game = self.game
        assert game.played is not None
        board, node = game.last_board, game.tree.last()
        if board.turn == game.played.engine_colour:
            self._work.switch(("move", node, game.played), lambda: self._engine_move(board))
        else:
            self._work.switch(("player", node), None)

    async def _engine_move(self, board: chess.Board) -> None:
        played = self.game.running()
        found = await self._desk.move(board, played.limit(self._now_ms()), played.elo)
        self.game.engine_move(found.move, found.mover_cp)
        self._tell_game()

    async def _annotation(self) -> None:
        """Puts the annotated game in the place of the plain one; the page stays where it is."""
        try:
            annotation = await self.annotator.run(self.game.tree)
            tree, _warnings = await asyncio.to_thread(game_of_pgn, annotation.pgn)
        except Exception:
            # Not when it is cancelled: whoever does that knows whether it is still wanted.
            self.annotator.is_wanted = False
            raise
        self.annotator.is_wanted = False
        self.annotator.summary = annotation.summary
        self.game.exchange(tree)
        self._tell_game()

    def _on_fault(self, error: BaseException) -> None:
        """Work has failed: in words for the pages."""
        self.clients.post(notice(f"the engine has failed: {error}", is_error=True))
        self._tell_position()

    async def close(self) -> None:
        """Ends all work."""
        self._engine_state = "closed"
        self._work.switch("closed", None)
        self._static_work.switch("closed", None)
        self._checks.switch("closed", None)
        self.game.close()
        await self._desk.close()


def _read_games(pgn: str, is_part: bool) -> tuple[GameList, LoadedGame]:
    """The list, and the first game of it that can be shown. A long text takes a second."""
    games = list_of_text(pgn, is_part)
    return games, games.load_first()


def notice(text: str, is_error: bool = False) -> dict[str, Any]:
    """A line for people, of a length that can be read."""
    line = " ".join(text.split())
    shown = line if len(line) <= MOST_NOTICE else line[:MOST_NOTICE] + " …"
    return {"kind": "notice", "text": shown, "error": is_error}

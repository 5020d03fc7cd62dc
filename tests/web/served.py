# SPDX-License-Identifier: GPL-3.0-or-later
"""A server in the test's own event loop, without an engine unless the test brings one."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, NamedTuple, cast

import chess
import uvicorn
from chess.engine import Cp, InfoDict, Limit, PovScore, PovWdl, Wdl
from websockets.asyncio.client import ClientConnection, connect

from kingcobra.web.application import application
from kingcobra.web.engine_desk import EngineDesk, EngineMove, EngineOptions
from kingcobra.web.game_list import GameList
from kingcobra.web.position_parts import CoursePoint, PositionParts
from kingcobra.web.room import Room
from kingcobra.web.serving import listening_socket, server_config

TOKEN = "a-token-for-tests"
HOST = "127.0.0.1"
# Only ends a test that hangs.
HANGS_AFTER_S = 60.0


class FakeDesk:
    """An engine that answers at once: the first legal move, and one line of analysis."""

    def __init__(self) -> None:
        self.options = EngineOptions(network="a.nnue")
        self.is_loading = False
        self.running: set[str] = set()
        self.limits: list[tuple[Limit, int | None]] = []
        self.course_fens: list[str] = []
        self.said_by_tables = ""
        self.mover_cp: int | None = None
        self.release = asyncio.Event()
        self.release.set()

    async def load(self) -> None:
        """Nothing to load."""

    async def close(self) -> None:
        """Nothing to close."""

    async def analyse(self, board: chess.Board, lines: int) -> AsyncIterator[list[InfoDict]]:
        """One message; then it goes on until it is cancelled."""
        fen = board.fen()
        self.running.add(fen)
        score = PovScore(Cp(30), board.turn)
        wdl = PovWdl(Wdl(400, 400, 200), board.turn)
        moves = list(board.legal_moves)[:lines]
        try:
            yield [{"score": score, "wdl": wdl, "pv": [move], "depth": 5} for move in moves]
            await asyncio.Event().wait()
        finally:
            self.running.discard(fen)

    async def move(self, board: chess.Board, limit: Limit, elo: int | None) -> EngineMove:
        """The first legal move, as soon as it is released, with the score that a test has set."""
        self.limits.append((limit, elo))
        await self.release.wait()
        return EngineMove(next(iter(board.legal_moves)), self.mover_cp)

    async def parts(self, board: chess.Board) -> PositionParts:
        """Every man is worth a pawn."""
        men = {chess.square_name(square): 100 for square in board.piece_map()}
        return PositionParts("fake", 0, men, [("all", 0)])

    async def course_point(self, board: chess.Board) -> CoursePoint:
        """Each position is worth its number."""
        self.course_fens.append(board.fen())
        return CoursePoint(board.ply(), 8, [("all", board.ply())])

    @property
    def has_tables(self) -> bool:
        """Whether a test has set a verdict."""
        return bool(self.said_by_tables)

    async def verdict(self, _board: chess.Board) -> str:
        """What a test has set."""
        return self.said_by_tables


def room_without_engine(
    desk: FakeDesk | None = None,
    games: GameList | None = None,
    now_ms: Callable[[], int] | None = None,
) -> Room:
    """A room whose engine is a fake."""
    arguments: dict[str, Any] = {} if now_ms is None else {"now_ms": now_ms}
    return Room(cast(EngineDesk, desk or FakeDesk()), games, **arguments)


class Served(NamedTuple):
    """A running server."""

    room: Room
    port: int
    server: uvicorn.Server

    def drop_connections(self) -> None:
        """Cuts all connections, as a network does."""
        for connection in list(self.server.server_state.connections):
            connection.transport.abort()  # type: ignore[union-attr]

    @property
    def host(self) -> str:
        """What a Host header has to say."""
        return f"{HOST}:{self.port}"

    @property
    def cookie(self) -> str:
        """What a browser that had the link sends."""
        return f"kingcobra-{self.port}={TOKEN}"

    async def get(self, path: str, **headers: str | None) -> str:
        """The whole answer to a request with exactly these headers, and the right Host and cookie
        unless others are given; None leaves one out."""
        given: dict[str, str | None] = {"host": self.host, "cookie": self.cookie, **headers}
        lines = [f"{name}: {value}" for name, value in given.items() if value is not None]
        return await self.raw(
            "\r\n".join([f"GET {path} HTTP/1.1", *lines, "Connection: close", "", ""])
        )

    async def raw(self, text: str) -> str:
        """The whole answer to some bytes."""
        reader, writer = await asyncio.open_connection(HOST, self.port)
        writer.write(text.encode("latin-1"))
        answer = await reader.read()
        writer.close()
        return answer.decode("utf-8", "replace")

    def page(self, **changes: Any) -> connect:
        """A socket as the page opens it."""
        arguments: dict[str, Any] = {
            "origin": f"http://{self.host}",
            "additional_headers": {"Cookie": self.cookie},
            "max_size": None,
            **changes,
        }
        return connect(f"ws://{self.host}/socket", **arguments)


@asynccontextmanager
async def serving(room: Room) -> AsyncIterator[Served]:
    """Serves a room on a free port."""
    listener = listening_socket(HOST, 0)
    port = listener.getsockname()[1]
    server = uvicorn.Server(server_config(application(room, HOST, port, TOKEN)))
    task = asyncio.create_task(server.serve(sockets=[listener]))
    await room.start()
    while not server.started:
        await asyncio.sleep(0.01)
    try:
        yield Served(room, port, server)
    finally:
        await room.close()
        server.should_exit = True
        await task
        listener.close()


def run(test: Coroutine[Any, Any, None]) -> None:
    """Runs a test in a loop of its own."""
    asyncio.run(asyncio.wait_for(test, HANGS_AFTER_S))


async def ask(page: ClientConnection, action: str, **values: Any) -> None:
    """Sends a request."""
    await page.send(json.dumps({"do": action, **values}))


async def message(
    page: ClientConnection, kind: str, is_wanted: Callable[[dict[str, Any]], bool] = lambda _: True
) -> dict[str, Any]:
    """The next message of a kind that is wanted."""
    while True:
        found: dict[str, Any] = json.loads(await page.recv())
        if found["kind"] == kind and is_wanted(found):
            return found


def at_node(node: int) -> Callable[[dict[str, Any]], bool]:
    """Whether a message is about a move."""
    return lambda found: found["node"] == node

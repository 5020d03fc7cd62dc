# SPDX-License-Identifier: GPL-3.0-or-later
"""The server as a Starlette application: the page's files and one socket."""

import asyncio
import json

from starlette.applications import Starlette
from starlette.requests import Request as HttpRequest
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect

from kingcobra.web.access import AccessGuard, AllowedHosts
from kingcobra.web.clients import Client
from kingcobra.web.errors import WebError
from kingcobra.web.page_files import page_files
from kingcobra.web.requests import parse_request
from kingcobra.web.room import Room, notice

TRY_AGAIN_LATER = 1013
TOO_MANY_PAGES = "too many pages are open"
NOT_FOUND = 404


def application(room: Room, host: str, port: int, token: str) -> ASGIApp:
    """All that is served, behind the guard."""
    files = page_files()

    async def serve_file(request: HttpRequest) -> Response:
        file = files.get(request.url.path)
        if file is None:
            return PlainTextResponse("There is nothing here.\n", NOT_FOUND)
        return Response(file.content, media_type=file.media_type)

    async def serve_socket(socket: WebSocket) -> None:
        await socket.accept()
        if room.clients.is_full:
            await socket.close(TRY_AGAIN_LATER, TOO_MANY_PAGES)
            return
        await _converse(room, socket)

    routes = [WebSocketRoute("/socket", serve_socket), Route("/{path:path}", serve_file)]
    return AccessGuard(Starlette(routes=routes), AllowedHosts(host, port), port, token)


async def _converse(room: Room, socket: WebSocket) -> None:
    """Serves one page until it goes; nothing of it is left then."""
    client = room.enter()
    sender = asyncio.create_task(_send_all(client, socket))
    try:
        while True:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            await _handle(room, client, message.get("text"))
            # Others have their turn, however much this page has to say.
            await asyncio.sleep(0)
    finally:
        room.clients.remove(client)
        sender.cancel()


async def _handle(room: Room, client: Client, text: str | None) -> None:
    try:
        if text is None:
            raise WebError("the message is not text")
        await room.handle(client, parse_request(text))
    except WebError as error:
        client.post(notice(str(error), is_error=True))
    except Exception as error:
        # A fault of ours costs one request, not the page.
        client.post(notice(f"internal error: {type(error).__name__}: {error}", is_error=True))


async def _send_all(client: Client, socket: WebSocket) -> None:
    try:
        while True:
            await socket.send_text(json.dumps(await client.next(), separators=(",", ":")))
    except (WebSocketDisconnect, RuntimeError):
        return  # the page has gone; its reader ends, too

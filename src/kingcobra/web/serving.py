# SPDX-License-Identifier: GPL-3.0-or-later
"""Listening, the link on the terminal, and the end of it all."""

import asyncio
import os
import secrets
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import uvicorn
from starlette.types import ASGIApp

from kingcobra.errors import reason_of
from kingcobra.web.access import TOKEN_NAME
from kingcobra.web.application import application
from kingcobra.web.errors import WebError
from kingcobra.web.room import Room

MOST_MESSAGE_BYTES = 512 * 1024
GRACE_S = 2
TOKEN_BYTES = 24
ANY_ADDRESS = {"0.0.0.0": "127.0.0.1", "::": "::1"}
BACKLOG = 128


class Address(NamedTuple):
    """Where the server listens."""

    host: str
    port: int

    def link(self, token: str) -> str:
        """What to open in a browser."""
        host = ANY_ADDRESS.get(self.host, self.host)
        shown = f"[{host}]" if ":" in host else host
        return f"http://{shown}:{self.port}/?{TOKEN_NAME}={token}"


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket that listens. WebError says why it cannot."""
    try:
        family, kind, protocol, _name, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listener = socket.socket(family, kind, protocol)
    except OSError as error:
        raise WebError(f"cannot listen at {host}: {reason_of(error)}") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise WebError(
            f"cannot listen at {host}, port {port}: {reason_of(error)}; --port chooses another"
            " one, 0 any that is free"
        ) from None
    return listener


def server_config(app: ASGIApp) -> uvicorn.Config:
    """How the application is served: no log, small messages, a quick end."""
    return uvicorn.Config(
        app,
        lifespan="off",
        ws="websockets-sansio",
        ws_max_size=MOST_MESSAGE_BYTES,
        ws_per_message_deflate=False,
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=GRACE_S,
    )


def serve(room: Room, host: str, listener: socket.socket, opens_browser: bool) -> None:
    """Serves until Ctrl-C."""
    address = Address(host, listener.getsockname()[1])
    token = secrets.token_urlsafe(TOKEN_BYTES)
    link = address.link(token)

    def tell() -> None:
        print(link, flush=True)

    print("The board is here (Enter shows this again, Ctrl-C ends the server):")
    tell()
    if host in ANY_ADDRESS:
        line = f"Other machines need this machine's own address instead of {ANY_ADDRESS[host]}."
        print(line, flush=True)
    _tell_at_enter(tell)
    with suppress(KeyboardInterrupt), TemporaryDirectory(prefix="kingcobra-") as folder:
        if opens_browser and not webbrowser.open(opening_file(link, Path(folder)).as_uri()):
            print("no browser could be opened", file=sys.stderr)
        server = uvicorn.Server(server_config(application(room, host, address.port, token)))
        asyncio.run(_run(server, room, listener))


def opening_file(link: str, folder: Path) -> Path:
    """A file that leads to the link, for a folder of the user's own: other users of the machine can
    see what a browser is started with, and the link has the token."""
    path = folder / "open.html"
    path.write_text(f'<!DOCTYPE html><meta http-equiv="refresh" content="0; url={link}">', "utf-8")
    return path


async def _run(server: uvicorn.Server, room: Room, listener: socket.socket) -> None:
    loading = asyncio.create_task(room.start())
    try:
        await server.serve(sockets=[listener])
    finally:
        loading.cancel()
        await room.close()


def _tell_at_enter(tell: Callable[[], None]) -> None:
    """Calls `tell` for each line on standard input, until its end."""
    try:
        number = sys.stdin.fileno()
        # A job in the background would be halted when it reads from the terminal.
        if os.isatty(number) and os.tcgetpgrp(number) != os.getpgrp():
            return
    except (AttributeError, OSError, ValueError):
        return

    def read() -> None:
        # Not through sys.stdin: its lock would be held when Python shuts down.
        with suppress(OSError):
            while os.read(number, 1024):
                tell()

    threading.Thread(target=read, name="standard input", daemon=True).start()

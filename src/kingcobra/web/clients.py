# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages that listen. A page that reads slowly gets the latest of each kind of message, and
costs no more memory than that."""

import asyncio
from collections.abc import Callable
from typing import Any

MOST_CLIENTS = 16
KIND = "kind"


class Client:
    """One page: the messages that it has not been sent yet, at most one of each kind."""

    def __init__(self) -> None:
        self._waiting: dict[str, dict[str, Any]] = {}
        self._has_more = asyncio.Event()

    def post(self, message: dict[str, Any]) -> None:
        """A message for this page; replaces one of the same kind that was not sent yet."""
        kind = message[KIND]
        self._waiting.pop(kind, None)
        self._waiting[kind] = message
        self._has_more.set()

    async def next(self) -> dict[str, Any]:
        """The oldest message that was not sent yet; waits for one."""
        await self._has_more.wait()
        message = self._waiting.pop(next(iter(self._waiting)))
        if not self._waiting:
            self._has_more.clear()
        return message


class Clients:
    """All pages. `on_change` is called when the first one comes and when the last one goes."""

    def __init__(self, on_change: Callable[[], None]) -> None:
        self._members: set[Client] = set()
        self._on_change = on_change

    def __len__(self) -> int:
        return len(self._members)

    @property
    def is_full(self) -> bool:
        """Whether no further page is let in."""
        return len(self._members) >= MOST_CLIENTS

    def add(self) -> Client:
        """A new page."""
        client = Client()
        self._members.add(client)
        if len(self._members) == 1:
            self._on_change()
        return client

    def remove(self, client: Client) -> None:
        """A page has gone."""
        self._members.discard(client)
        if not self._members:
            self._on_change()

    def post(self, message: dict[str, Any]) -> None:
        """A message for all pages."""
        for client in self._members:
            client.post(message)

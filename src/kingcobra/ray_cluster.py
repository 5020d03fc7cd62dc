# SPDX-License-Identifier: GPL-3.0-or-later
"""Connecting to a Ray cluster. Whoever needs none never imports Ray."""

import logging
import signal
import socket
from typing import Any

from kingcobra.errors import first_line

CLIENT_SCHEME = "ray://"
CONNECT_TIMEOUT_S = 10.0


class ClusterError(Exception):
    """A cluster that cannot be used; the message names its address."""


class ClusterConnection:
    """A connection to the cluster at an address, `auto` for the one this machine belongs to. One
    that is already open is used, and left open."""

    def __init__(self, address: str) -> None:
        import ray

        self.ray: Any = ray
        self._opened = not ray.is_initialized()
        if self._opened:
            self._connect(address)

    def _connect(self, address: str) -> None:
        on_sigterm = signal.getsignal(signal.SIGTERM)
        try:
            _check_listening(address)
            self.ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR)
        except (RuntimeError, ValueError, OSError) as error:
            raise ClusterError(f"--cluster {address}: {first_line(error)}") from None
        finally:
            # Ray replaces the handler with one that ends the process without a message.
            signal.signal(signal.SIGTERM, on_sigterm)

    def close(self) -> None:
        """Disconnects if this object connected."""
        if self._opened:
            self.ray.shutdown()


def _check_listening(address: str) -> None:
    """OSError at once if nothing listens there; Ray itself would try for minutes."""
    host, separator, port = address.removeprefix(CLIENT_SCHEME).rpartition(":")
    if separator and port.isdigit():
        socket.create_connection((host, int(port)), CONNECT_TIMEOUT_S).close()

# SPDX-License-Identifier: GPL-3.0-or-later
"""A network file that travels to another machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from kingcobra.errors import reason_of
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.networks.network_files import NetworkError, find_network


class CarriedNetwork(NamedTuple):
    """The name of a network and what is in its file; nothing where no file is needed."""

    name: str
    data: bytes | None = None

    @contextmanager
    def file(self) -> Iterator[str]:
        """The name under which an engine can load it, as long as this lasts."""
        if self.data is None:
            yield self.name
            return
        with TemporaryDirectory() as folder:
            path = Path(folder) / Path(self.name).name
            path.write_bytes(self.data)
            yield str(path)


def carried_network(name: str) -> CarriedNetwork:
    """The network of that name, to be sent elsewhere. Neither the classical evaluation nor the
    default network needs a file: they are there, too. NetworkError if it cannot be read."""
    if name in ("", DEFAULT_NETWORK):
        return CarriedNetwork(name)
    try:
        return CarriedNetwork(name, find_network(name).read_bytes())
    except OSError as error:
        raise NetworkError(f"{name}: {reason_of(error)}") from error

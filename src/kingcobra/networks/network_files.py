# SPDX-License-Identifier: GPL-3.0-or-later
"""Network files: where they are found, how each was identified, how they are written. This module
works without NumPy, so an engine whose network is prepared starts faster."""

import errno
import os
import stat
from pathlib import Path

from kingcobra.errors import reason_of
from kingcobra.file_places import places_of
from kingcobra.file_writing import write_atomically
from kingcobra.networks.default_network import DEFAULT_NETWORK, DEFAULT_PATH

# More than the largest network that the table of architectures allows.
MAX_FILE_BYTES = 1 << 29

# How the architecture of a network was determined.
IDENTIFIED_BY_HEADER, IDENTIFIED_BY_CONTENT, IDENTIFIED_BY_REQUEST = "header", "content", "request"


class NetworkError(Exception):
    """A network that cannot be found, read or written; the message is one line with the file, what
    was found and what was expected."""


def find_network(name: str) -> Path:
    """The file of that name: the default network in the package, any other as given, beside the
    command, in the package or beside it, or in the working directory. NetworkError with the places
    searched, or with the reason why the file cannot be a network."""
    if not name or "\0" in name:
        raise NetworkError(f"{name!r} is not a file name")
    try:
        places = places_of(name)
    except RuntimeError as error:
        raise NetworkError(f"{name}: {error}") from error
    if name == DEFAULT_NETWORK:
        places.insert(0, DEFAULT_PATH)
    for place in places:
        if os.path.lexists(place):
            require_file(place)
            return place
    looked = ", ".join(dict.fromkeys(str(place.absolute()) for place in places))
    raise NetworkError(f"{name}: not found; looked for {looked}")


def require_file(path: Path) -> None:
    """NetworkError unless it is a regular file of a possible size. To be called before it is
    opened: opening a pipe without a writer would wait forever."""
    try:
        status = path.stat()
    except OSError as error:
        raise NetworkError(f"{path}: {reason_of(error)}") from error
    if not stat.S_ISREG(status.st_mode):
        raise NetworkError(f"{path}: not a regular file")
    if status.st_size > MAX_FILE_BYTES:
        raise NetworkError(
            f"{path}: {status.st_size} bytes, no supported network has more than {MAX_FILE_BYTES}"
        )


def write_file(path: Path, data: bytes) -> None:
    """Writes a file completely or not at all. NetworkError if the file system refuses, if the
    folder does not exist, or if the path is not a file name."""
    try:
        if not path.parent.is_dir():
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        write_atomically(path, data)
    except OSError as error:
        raise NetworkError(f"{path}: {reason_of(error)}") from error
    except ValueError as error:
        raise NetworkError(f"{str(path)!r} is not a file name") from error

# SPDX-License-Identifier: GPL-3.0-or-later
"""The memory that a container allows: Linux's limits for groups of processes, in both versions of
control groups."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import NamedTuple

MEMBERSHIP = Path("/proc/self/cgroup")
ROOT = Path("/sys/fs/cgroup")


class _Files(NamedTuple):
    """The names of the same files in one version of control groups."""

    below_root: str
    limit: str
    used: str
    reclaimable: tuple[str, ...]
    """The lines of `memory.stat` about cached files, which the system drops when a process needs
    the memory."""


_VERSION_1 = _Files(
    "memory",
    "memory.limit_in_bytes",
    "memory.usage_in_bytes",
    ("total_inactive_file", "total_active_file"),
)
_VERSION_2 = _Files("", "memory.max", "memory.current", ("inactive_file", "active_file"))
STATISTICS = "memory.stat"
NO_LIMIT_BYTES = 1 << 62
"""Without a limit, version 1 has a larger number than this, version 2 a word."""


def memory_room_bytes(membership: Path = MEMBERSHIP, root: Path = ROOT) -> int | None:
    """How much more memory the groups of this process allow; None where there is no limit, or none
    is known."""
    rooms = [
        room
        for files, group in _memory_groups(membership)
        # Inside a container a group may have another path than outside.
        for folder in (group, *group.parents)
        if (room := _room(root / files.below_root / folder.relative_to("/"), files)) is not None
    ]
    return min(rooms, default=None)


def _memory_groups(membership: Path) -> Iterator[tuple[_Files, PurePosixPath]]:
    """The lines `number:controllers:path` that are about memory; version 2 names no controllers."""
    with suppress(OSError, ValueError):
        for line in membership.read_text("utf-8", "surrogateescape").splitlines():
            _, controllers, path = line.split(":", 2)
            if not path.startswith("/"):
                continue
            if not controllers:
                yield _VERSION_2, PurePosixPath(path)
            elif "memory" in controllers.split(","):
                yield _VERSION_1, PurePosixPath(path)


def _room(folder: Path, files: _Files) -> int | None:
    """What one group still allows. Without a limit nothing else is read: this is part of every
    start."""
    with suppress(OSError, ValueError):
        limit = int((folder / files.limit).read_text("ascii"))
        if limit >= NO_LIMIT_BYTES:
            return None
        used = int((folder / files.used).read_text("ascii"))
        return max(limit - used + _reclaimable(folder, files), 0)
    return None


def _reclaimable(folder: Path, files: _Files) -> int:
    with suppress(OSError, ValueError):
        lines = (folder / STATISTICS).read_text("ascii").splitlines()
        values = dict(line.split(maxsplit=1) for line in lines)
        return sum(int(values.get(name, 0)) for name in files.reclaimable)
    return 0

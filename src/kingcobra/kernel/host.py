# SPDX-License-Identifier: GPL-3.0-or-later
"""Whatever differs between Linux, macOS and Windows, and nothing else."""

import mmap
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

IS_WINDOWS = sys.platform == "win32"
IS_MACOS = sys.platform == "darwin"

CACHE_VARIABLE = "KINGCOBRA_CACHE"
CACHE_FOLDER = "kingcobra"
# Stands for the home of a user who has none: below it nothing can be read or written.
NO_HOME = Path(os.devnull)

LOCK_POLL_S = 0.1
LOCK_PATIENCE_S = 600.0

# The one clock: Python's view of it, then the system's. time.monotonic_ns will not do, it is
# another clock on Windows before Python 3.13.
monotonic_ns = time.perf_counter_ns
MONOTONIC_CLOCK_SYMBOL = "QueryPerformanceCounter" if IS_WINDOWS else "clock_gettime"
_MACH_UPTIME_CLOCK, _POSIX_MONOTONIC_CLOCK = 8, 1
MONOTONIC_CLOCK_ID = (
    None if IS_WINDOWS else _MACH_UPTIME_CLOCK if IS_MACOS else _POSIX_MONOTONIC_CLOCK
)

# What an emitted object may ask of the C library; anything else would not load.
C_LIBRARY_SYMBOLS = frozenset(
    {"memcpy", "memmove", "memset", "memcmp", "bzero", MONOTONIC_CLOCK_SYMBOL}
    | ({"QueryPerformanceFrequency"} if IS_WINDOWS else set())
)


def cache_directory() -> Path:
    """Where this user's compiled objects lie. The environment variable wins."""
    chosen = os.environ.get(CACHE_VARIABLE)
    if chosen:
        return Path(chosen)
    return _user_cache_root() / CACHE_FOLDER


def _user_cache_root() -> Path:
    if IS_WINDOWS:
        return Path(os.environ.get("LOCALAPPDATA") or _home() / "AppData" / "Local")
    if IS_MACOS:
        return _home() / "Library" / "Caches"
    return Path(os.environ.get("XDG_CACHE_HOME") or _home() / ".cache")


def _home() -> Path:
    """The user's home. In a container a user may have none, and no name either."""
    try:
        return Path.home()
    except RuntimeError:
        return NO_HOME


def anonymous_region(size: int) -> mmap.mmap:
    """Zeroed memory of this process alone: Linux gives huge pages to private memory, while memory
    that may be shared has to do without them in most installations."""
    if IS_WINDOWS:
        return mmap.mmap(-1, size)
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def advise_huge_pages(region: mmap.mmap) -> None:
    """Asks for huge pages where the system takes such advice."""
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            region.madvise(mmap.MADV_HUGEPAGE)


def available_memory_bytes() -> int | None:
    """Memory that can be had without swapping; None where the system does not say."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                kibibytes = int(line.split()[1])
                return kibibytes * 1024
    return None


@contextmanager
def exclusive_lock(path: Path, when_waiting: Callable[[], None]) -> Iterator[bool]:
    """Holds a lock file while the block runs, waiting for whoever has it, and removes it then
    where the system removes open files. Gives False, and runs the block all the same, where no
    lock can be had. A holder that dies lets go of it."""
    try:
        handle = path.open("a+b")
    except OSError:
        yield False
        return
    lockable = True
    try:
        while locked := try_lock(handle) or _wait_for_lock(handle, when_waiting):
            if _is_at(path, handle):
                break
            # Whoever had it has removed the file: a lock on that keeps nobody out.
            handle.close()
            handle = path.open("a+b")
    except OSError:
        locked = lockable = False
    try:
        yield locked
    finally:
        if locked or not lockable:
            with suppress(OSError):
                path.unlink()
        handle.close()


def _is_at(path: Path, handle: IO[bytes]) -> bool:
    """Whether the open file still has that name."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle.fileno()))
    except FileNotFoundError:
        return False


def try_lock(handle: IO[Any]) -> bool:
    """Locks an open file until it is closed; False if another process has it. OSError where the
    file system has no locks."""
    try:
        if IS_WINDOWS:
            import msvcrt

            msvcrt.locking(handle.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined,unused-ignore]
        else:
            import fcntl

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    return True


def _wait_for_lock(handle: IO[bytes], when_waiting: Callable[[], None]) -> bool:
    """Asks again and again rather than blocking, so that a signal still ends the process."""
    when_waiting()
    deadline = time.monotonic() + LOCK_PATIENCE_S
    while time.monotonic() < deadline:
        time.sleep(LOCK_POLL_S)
        if try_lock(handle):
            return True
    return False

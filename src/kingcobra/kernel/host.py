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
IS_LINUX = sys.platform == "linux"

CACHE_VARIABLE = "KINGCOBRA_CACHE"
CACHE_FOLDER = "kingcobra"
# In place of the home of a user who has none: nothing below it can be read or written.
NO_HOME = Path(os.devnull)

LOCK_POLL_S = 0.1
LOCK_TIMEOUT_S = 600.0

# The one clock, as Python and as compiled code read it. Not time.monotonic_ns, which is another
# clock on Windows before Python 3.13.
monotonic_ns = time.perf_counter_ns
MONOTONIC_CLOCK_SYMBOL = "QueryPerformanceCounter" if IS_WINDOWS else "clock_gettime"
_MACH_UPTIME_CLOCK, _POSIX_MONOTONIC_CLOCK = 8, 1
MONOTONIC_CLOCK_ID = (
    None if IS_WINDOWS else _MACH_UPTIME_CLOCK if IS_MACOS else _POSIX_MONOTONIC_CLOCK
)

# The symbols of the C library that an object may use; with any other it would not load.
C_LIBRARY_SYMBOLS = frozenset(
    {"memcpy", "memmove", "memset", "memcmp", "bzero", MONOTONIC_CLOCK_SYMBOL}
    | ({"QueryPerformanceFrequency"} if IS_WINDOWS else set())
)


def cache_directory() -> Path:
    """The directory of this user's compiled objects; the environment variable takes precedence."""
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
    """Zeroed memory, private to this process: in most installations Linux gives huge pages only to
    private memory."""
    if IS_WINDOWS:
        return mmap.mmap(-1, size)
    return mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)


def advise_huge_pages(region: mmap.mmap) -> None:
    """Requests huge pages where the system supports such advice."""
    if hasattr(mmap, "MADV_HUGEPAGE"):
        with suppress(OSError):
            region.madvise(mmap.MADV_HUGEPAGE)


def discard_pages(region: mmap.mmap) -> bool:
    """Gives the pages of a private anonymous region back; they are zero when they are touched
    again. False where the system does not do so."""
    if IS_LINUX:
        with suppress(OSError):
            region.madvise(mmap.MADV_DONTNEED)
            return True
    return False


def available_memory_bytes() -> int | None:
    """Memory that is available without swapping; None where the system does not tell."""
    with suppress(OSError, ValueError, IndexError):
        for line in Path("/proc/meminfo").read_text("ascii").splitlines():
            if line.startswith("MemAvailable:"):
                kibibytes = int(line.split()[1])
                return kibibytes * 1024
    return None


@contextmanager
def exclusive_lock(path: Path, on_wait: Callable[[], None]) -> Iterator[bool]:
    """Holds a lock file while the block runs; waits if another process holds it. Removes the file
    afterwards, where the system removes open files. Yields False, and still runs the block, where
    the file system has no locks. A process that dies releases its lock."""
    try:
        handle = path.open("a+b")
    except OSError:
        yield False
        return
    lockable = True
    try:
        while locked := try_lock(handle) or _wait_for_lock(handle, on_wait):
            if _is_at(path, handle):
                break
            # The process before has removed the file: a lock on that excludes nobody.
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
    """Whether the open file still has that path."""
    try:
        return os.path.samestat(path.stat(), os.fstat(handle.fileno()))
    except FileNotFoundError:
        return False


def try_lock(handle: IO[Any]) -> bool:
    """Locks an open file until it is closed; False if another process holds the lock. OSError where
    the file system has no locks."""
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


def _wait_for_lock(handle: IO[bytes], on_wait: Callable[[], None]) -> bool:
    """Polls instead of blocking, so a signal still ends the process."""
    on_wait()
    deadline = time.monotonic() + LOCK_TIMEOUT_S
    while time.monotonic() < deadline:
        time.sleep(LOCK_POLL_S)
        if try_lock(handle):
            return True
    return False

# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a process is still there, and waiting until something holds."""

import os
import time
from collections.abc import Callable, Collection
from pathlib import Path

# Nothing here takes this long, not even to wait for a compilation on a slow and busy machine; it
# ends a test that hangs.
PATIENCE_S = 600.0
POLL_S = 0.02
DEAD_STATES = ("Z", "X")


def is_running(pid: int) -> bool:
    """A dead process that nobody has asked for its exit code yet does not count."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return not Path("/proc/self/stat").exists()
    except ProcessLookupError:
        return False
    return status.rpartition(")")[2].split()[0] not in DEAD_STATES


def children_of(pid: int) -> list[int]:
    """Processes started by this one that have not ended; needs /proc."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            # The name may contain anything; the fields behind its bracket do not.
            state, parent = (folder / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if int(parent) == pid and state not in DEAD_STATES:
            found.append(int(folder.name))
    return found


def wait_until(condition: Callable[[], bool]) -> None:
    """Waits until the condition holds; fails the test if it never does."""
    assert _holds_within(condition, PATIENCE_S), "waited too long"


def all_gone(pids: Collection[int]) -> bool:
    """Whether none of them runs any more; a killed process gets a while to end."""
    return _holds_within(lambda: not any(is_running(pid) for pid in pids), PATIENCE_S)


def _holds_within(condition: Callable[[], bool], patience_s: float) -> bool:
    deadline = time.monotonic() + patience_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True

# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a process is still there."""

import os
import time
from pathlib import Path

PATIENCE_S = 60.0
POLL_S = 0.02
DEAD_STATES = ("Z", "X")


def is_running(pid):
    """A dead process that nobody has asked for its exit code yet does not count."""
    try:
        os.kill(pid, 0)
        status = Path(f"/proc/{pid}/stat").read_text()
    except FileNotFoundError:
        return not Path("/proc/self/stat").exists()
    except ProcessLookupError:
        return False
    return status.rpartition(")")[2].split()[0] not in DEAD_STATES


def all_gone(pids):
    """Whether none of them is running, soon at least: who was killed needs a turn to die."""
    deadline = time.monotonic() + PATIENCE_S
    while any(is_running(pid) for pid in pids):
        if time.monotonic() > deadline:
            return False
        time.sleep(POLL_S)
    return True

# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a process is still there."""

import os
from pathlib import Path


def is_running(pid):
    """A dead process that nobody has asked for its exit code yet does not count."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{pid}/stat")
    return not status.exists() or status.read_text().rpartition(")")[2].split()[0] != "Z"

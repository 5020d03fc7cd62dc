# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `kingcobra` as a process that comes to its end."""

import os
import subprocess
import sys
from typing import Any

PATIENCE_S = 600


def kingcobra(
    *arguments: str | bytes, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[Any]:
    """The finished process, started with these words."""
    return subprocess.run(
        [sys.executable, "-m", "kingcobra", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S,
        env=os.environ | (environment or {}),
    )


def said(*arguments: str) -> str:
    """What it says where all is well."""
    result = kingcobra(*arguments)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()

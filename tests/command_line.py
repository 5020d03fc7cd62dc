# SPDX-License-Identifier: GPL-3.0-or-later
"""The command `kingcobra`, run to its end."""

import os
import subprocess
import sys
from typing import Any

PATIENCE_S = 600


def kingcobra(
    *arguments: str | bytes, environment: dict[str, str] | None = None
) -> subprocess.CompletedProcess[Any]:
    """The finished process of a command line."""
    return subprocess.run(
        [sys.executable, "-m", "kingcobra", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE_S,
        env=os.environ | (environment or {}),
    )


def output_of(*arguments: str) -> str:
    """The standard output of a command that succeeds and prints no errors."""
    result = kingcobra(*arguments)
    assert (result.returncode, result.stderr) == (0, b"")
    return result.stdout.decode()

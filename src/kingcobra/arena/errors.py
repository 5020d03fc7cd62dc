# SPDX-License-Identifier: GPL-3.0-or-later
"""What went wrong, as the one line that a user reads."""

import sys
from pathlib import Path

from kingcobra.errors import line_of

TEXT_ENCODING = "utf-8-sig"
"""UTF-8, whether or not an editor has put its mark before it."""


def complain(tool: str, error: Exception, exit_code: int) -> int:
    """Says what stopped the tool; the exit code, for the caller to return."""
    print(f"kingcobra {tool}: {line_of(error)}", file=sys.stderr)
    return exit_code


def read_text(path: Path) -> str:
    """The file's text; ValueError where it holds none."""
    try:
        return path.read_text(encoding=TEXT_ENCODING)
    except UnicodeDecodeError:
        raise ValueError(f"{path}: this is no text (UTF-8)") from None

# SPDX-License-Identifier: GPL-3.0-or-later
"""Where things are: the repository, and the facts that the tests carry (data/README.md)."""

from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
DATA = REPOSITORY / "tests" / "data"

# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines for the tests: scripts beside this file."""

import sys
from pathlib import Path

MISBEHAVING_ENGINE = Path(__file__).with_name("misbehaving_engine.py")
XBOARD_ENGINE = Path(__file__).with_name("xboard_engine.py")


def engine_words(*manners):
    """The options of a match of engines A and B that behave in these manners."""
    return [
        word
        for name, manner in zip("AB", manners, strict=True)
        for word in (
            "--engine",
            f"cmd='{sys.executable}' '{MISBEHAVING_ENGINE}' {manner},name={name}",
        )
    ]

# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines that the tests play against: scripts beside this file."""

from pathlib import Path

MISBEHAVING_ENGINE = Path(__file__).with_name("misbehaving_engine.py")
XBOARD_ENGINE = Path(__file__).with_name("xboard_engine.py")

# SPDX-License-Identifier: GPL-3.0-or-later
"""Positions for plain Python: a handle on compiled memory, FEN, SAN, move text, diagrams."""

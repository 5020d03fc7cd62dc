# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines as processes: descriptions, protocols, answers and time controls."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Engines as processes: what they are told, and what they answer."""

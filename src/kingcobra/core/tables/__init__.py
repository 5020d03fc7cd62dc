# SPDX-License-Identifier: GPL-3.0-or-later
"""Syzygy endgame tables, up to seven men: files parsed, positions numbered, values decoded."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Syzygy files: found, opened at first use, owned, probed and checked."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Processes that play games, here or on a Ray cluster."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""Many games, or many positions, for one purpose: matches, tunings, suites."""

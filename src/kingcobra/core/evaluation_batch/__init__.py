# SPDX-License-Identifier: GPL-3.0-or-later
"""Static evaluations of many positions in one call."""

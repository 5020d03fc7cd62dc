# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole games and harvests of the search tree, without Python in between."""

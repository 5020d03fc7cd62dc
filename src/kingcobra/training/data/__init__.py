# SPDX-License-Identifier: GPL-3.0-or-later
"""Labelled positions: packed records, and the files that hold them."""

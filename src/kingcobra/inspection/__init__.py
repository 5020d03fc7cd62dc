# SPDX-License-Identifier: GPL-3.0-or-later
"""Networks for people to look at: numbers, tables and pictures."""

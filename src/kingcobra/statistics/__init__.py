# SPDX-License-Identifier: GPL-3.0-or-later
"""What counts of results say: Elo, SPRT, ratings."""

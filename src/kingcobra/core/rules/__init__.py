# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of chess, standard and Chess960 by the same code."""

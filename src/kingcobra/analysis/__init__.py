# SPDX-License-Identifier: GPL-3.0-or-later
"""Annotating games: evaluations, judgements, accuracy, opening names, reports."""

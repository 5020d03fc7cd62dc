# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations: the classical one, and networks."""

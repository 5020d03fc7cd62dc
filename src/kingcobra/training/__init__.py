# SPDX-License-Identifier: GPL-3.0-or-later
"""Fitting and training evaluations."""

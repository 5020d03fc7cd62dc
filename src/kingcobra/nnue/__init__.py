# SPDX-License-Identifier: GPL-3.0-or-later
"""Evaluations: for now the classical one."""

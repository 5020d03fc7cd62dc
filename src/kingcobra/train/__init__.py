# SPDX-License-Identifier: GPL-3.0-or-later
"""The workshop: fitting and training evaluations."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""The classical evaluation: a sum of named terms."""

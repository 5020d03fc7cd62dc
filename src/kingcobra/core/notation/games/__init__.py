# SPDX-License-Identifier: GPL-3.0-or-later
"""SAN, whole games, and many positions at once."""

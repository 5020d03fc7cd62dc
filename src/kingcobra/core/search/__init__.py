# SPDX-License-Identifier: GPL-3.0-or-later
"""The search, from the root down to quiescence, and the hash table."""

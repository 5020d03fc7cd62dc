# SPDX-License-Identifier: GPL-3.0-or-later
"""Machine code linked when it is compiled, so that a start only copies it."""

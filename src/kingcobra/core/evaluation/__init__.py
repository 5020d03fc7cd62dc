# SPDX-License-Identifier: GPL-3.0-or-later
"""What every evaluation has in common: the record that it is called with, and its units."""

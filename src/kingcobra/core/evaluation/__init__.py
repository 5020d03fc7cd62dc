# SPDX-License-Identifier: GPL-3.0-or-later
"""What all evaluations share: the record that they are called with, and their units."""

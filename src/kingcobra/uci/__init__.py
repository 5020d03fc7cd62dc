# SPDX-License-Identifier: GPL-3.0-or-later
"""The UCI interface: lines in, commands and options, lines out. Text becomes values here, and
values become text; nothing below handles text."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands: functions of the conversation and the text behind the command's word. The first
line of a docstring up to its colon is the command's syntax; `help` prints all of it."""

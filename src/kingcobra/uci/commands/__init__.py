# SPDX-License-Identifier: GPL-3.0-or-later
"""The commands: functions of the session and of the text behind the command's word. A docstring is
the command's syntax up to the colon; `help` prints all of it."""

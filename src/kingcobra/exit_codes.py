# SPDX-License-Identifier: GPL-3.0-or-later
"""The exit codes of the command `kingcobra`."""

EXIT_OK = 0
# The command line was understood, and the task failed.
EXIT_FAILED = 1
# The command line was not understood.
EXIT_USAGE = 2
# Ctrl-C, in the shells' numbering.
EXIT_INTERRUPTED = 130

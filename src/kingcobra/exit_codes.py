# SPDX-License-Identifier: GPL-3.0-or-later
"""What the command `kingcobra` tells the shell when it ends."""

EXIT_OK = 0
# It was understood and could not be done.
EXIT_FAILED = 1
# The command line was not understood.
EXIT_USAGE = 2
# By a signal from the keyboard, as shells count it.
EXIT_INTERRUPTED = 130

# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tools say on stderr, and how their errors end them."""

import argparse
import os
import sys
from collections.abc import Callable

from kingcobra.errors import line_of
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED

Action = Callable[[argparse.Namespace], int]


def print_message(tool: str, text: str) -> None:
    """One line on stderr, with the tool's name in front."""
    print(f"kingcobra {tool}: {text}", file=sys.stderr, flush=True)


def drop_output() -> None:
    """The reader has closed the output: what is still buffered goes nowhere, without an error."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def run_action(tool: str, options: argparse.Namespace, errors: tuple[type[Exception], ...]) -> int:
    """Runs the action of the options and returns the exit code. These errors, and those of the
    file system, become one line; others are faults of the tool and pass."""
    action: Action = options.action
    try:
        code = action(options)
        sys.stdout.flush()  # here a closed output is no fault
        return code
    except BrokenPipeError:
        drop_output()
    except KeyboardInterrupt:
        print_message(tool, "interrupted")
        return EXIT_INTERRUPTED
    except errors as error:
        print_message(tool, str(error))
    except OSError as error:
        print_message(tool, line_of(error))
    return EXIT_FAILED

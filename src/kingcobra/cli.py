# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: the UCI loop, one UCI command, or a tool. A tool is imported only when it is
called."""

import sys
from collections.abc import Callable
from functools import partial

from kingcobra import interrupts
from kingcobra.collection import no_collection
from kingcobra.exit_codes import EXIT_FAILED, EXIT_INTERRUPTED, EXIT_OK, EXIT_USAGE

Program = Callable[[], int]
Tool = Callable[[list[str]], int]

# Modules whose `main` takes the arguments behind the word and returns the exit code.
TOOLS = {
    "annotate": "kingcobra.tools.annotate",
    "book": "kingcobra.tools.book",
    "compile": "kingcobra.tools.compile",
    "data": "kingcobra.tools.data",
    "match": "kingcobra.arena.commands.match",
    "net": "kingcobra.tools.net",
    "screen": "kingcobra.tools.screen",
    "selfplay": "kingcobra.tools.selfplay",
    "sprt": "kingcobra.arena.commands.sprt",
    "suite": "kingcobra.arena.commands.suite",
    "tb": "kingcobra.tools.tb",
    "train": "kingcobra.tools.train",
    "tune": "kingcobra.arena.commands.tune",
    "web": "kingcobra.web.command",
}

USAGE = """\
{version}, a UCI chess engine written in Python.

  kingcobra                    speak UCI on standard input and output (this is what a GUI starts)
  kingcobra <UCI command>      execute one command: kingcobra bench, kingcobra go perft 5;
                               kingcobra help lists them
  kingcobra annotate FILE ...  games with evaluations, judgements, accuracy, openings
  kingcobra book COMMAND ...   opening books: make, merge, grow, info, show
  kingcobra compile [options]  compile the core now, so a GUI never waits for compilation
  kingcobra data COMMAND ...   labelled positions: info, convert, filter, shuffle, validate
  kingcobra match [options]    games between engines, with Elo and SPRT
  kingcobra net COMMAND FILE   networks: eval, info, draw, heat, convert
  kingcobra screen -o FILE ... what numbers of the search are worth, all by the same games
  kingcobra selfplay [options] games against itself as training data, or a match of networks
  kingcobra suite FILE ...     EPD test positions: how many an engine solves
  kingcobra sprt [options]     games until a test is decided; or Elo, LOS and LLR from counts
  kingcobra tb COMMAND ...     endgame tables: probe, line, info, check, bench
  kingcobra train COMMAND ...  train a network on labelled positions: run, plot
  kingcobra tune [NAME ...]    better values for the numbers of the search, found by games
  kingcobra web [options]      a board in the browser: play, analyse, look inside
  kingcobra --help | --version

Environment:
  KINGCOBRA_CACHE   directory of compiled objects, instead of the user's cache directory
  KINGCOBRA_LEVEL   CPU level to run, at most what the CPU has: {levels}
  KINGCOBRA_SYZYGY_PATH   folders of endgame tables for `kingcobra tb`"""


def main() -> int:
    """The command `kingcobra`; returns the exit code for the process. Little is imported before
    Ctrl-C is harmless."""
    interrupts.exit_on_interrupt()
    try:
        with no_collection():
            program = _prepared(sys.argv[1:])
        interrupts.raise_on_interrupt()
        code = program()
        sys.stdout.flush()  # here a closed output is no fault
        return code
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED
    except BrokenPipeError:
        from kingcobra.tools.messages import drop_output  # hardly ever needed

        drop_output()
        return EXIT_FAILED
    finally:
        interrupts.exit_on_interrupt()


def _prepared(arguments: list[str]) -> Program:
    """What the arguments request, imported and ready to be called."""
    from kingcobra.uci.commands.table import COMMANDS
    from kingcobra.uci.loop import UciLoop
    from kingcobra.uci.streams import Output

    words = " ".join(arguments).split()
    if not words or words[0] in COMMANDS:
        return partial(UciLoop(Output()).run, [" ".join(words)] if words else None)
    if arguments[0] in ("-h", "--help"):
        return partial(_print, _usage())
    if arguments[0] == "--version":
        return partial(_print, _version())
    if arguments[0] not in TOOLS:
        return partial(_refuse, arguments[0])
    return partial(_tool(arguments[0]), arguments[1:])


def _tool(name: str) -> Tool:
    from importlib import import_module  # only tools need it

    tool: Tool = import_module(TOOLS[name]).main
    return tool


def _print(text: str) -> int:
    from kingcobra.uci.streams import Output

    Output().send(text)
    return EXIT_OK


def _refuse(word: str) -> int:
    print(f"kingcobra: unknown command {word!r}; see --help", file=sys.stderr)
    return EXIT_USAGE


def _version() -> str:
    from kingcobra.version import __version__

    return f"Kingcobra {__version__}"


def _usage() -> str:
    from kingcobra.kernel.levels import LEVELS

    names = ", ".join(level.name for level in LEVELS)
    return USAGE.format(version=_version(), levels=names)

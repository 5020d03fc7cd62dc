# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line: no words start the UCI loop, a UCI command is obeyed as if typed there, and
everything else is a tool, imported only when it is asked for."""

import sys
from collections.abc import Callable

from kingcobra.uci.commands.table import COMMANDS
from kingcobra.uci.loop import EXIT_INTERRUPTED, UciLoop
from kingcobra.uci.streams import Output
from kingcobra.version import __version__

EXIT_USAGE = 2

USAGE = """\
Kingcobra {version}, a UCI chess engine written in Python.

  kingcobra                    speak UCI on standard input and output (this is what a GUI starts)
  kingcobra <UCI command>      obey one command and leave: kingcobra bench, kingcobra go perft 5;
                               kingcobra help lists them
  kingcobra compile [options]  compile the core now, so that no GUI meets a first compile
  kingcobra match [options]    games between engines, with Elo and SPRT
  kingcobra net COMMAND FILE   networks: eval, info, draw, heat, convert
  kingcobra suite FILE ...     EPD test positions: how many an engine solves
  kingcobra sprt [options]     games until a test is decided; or Elo, LOS and LLR from counts
  kingcobra tune [NAME ...]    better values for the numbers of the search, found by games
  kingcobra --help | --version

Environment:
  KINGCOBRA_CACHE   directory of compiled objects, instead of the user's cache directory
  KINGCOBRA_LEVEL   CPU level to run, at most what the CPU has: {levels}"""


def main() -> int:
    """The command `kingcobra`; returns its exit code."""
    try:
        return _obey(sys.argv[1:])
    except KeyboardInterrupt:
        return EXIT_INTERRUPTED


def _obey(arguments: list[str]) -> int:
    words = " ".join(arguments).split()
    if not words or words[0] in COMMANDS:
        return UciLoop(Output()).run([" ".join(words)] if words else None)
    if arguments[0] in ("-h", "--help"):
        Output().say(_usage())
        return 0
    if arguments[0] == "--version":
        Output().say(f"Kingcobra {__version__}")
        return 0
    tool = TOOLS.get(arguments[0])
    if tool is None:
        print(f"kingcobra: unknown command {arguments[0]!r}; see --help", file=sys.stderr)
        return EXIT_USAGE
    return tool(arguments[1:])


def _usage() -> str:
    from kingcobra.kernel.levels import LEVELS

    names = ", ".join(level.name for level in LEVELS)
    return USAGE.format(version=__version__, levels=names)


def _compile(arguments: list[str]) -> int:
    from kingcobra.compile_tool import main as compile_main

    return compile_main(arguments)


def _match(arguments: list[str]) -> int:
    from kingcobra.arena.match_tool import main as match_main

    return match_main(arguments)


def _net(arguments: list[str]) -> int:
    from kingcobra.inspection.net_tool import main as net_main

    return net_main(arguments)


def _sprt(arguments: list[str]) -> int:
    from kingcobra.arena.sprt_tool import main as sprt_main

    return sprt_main(arguments)


def _suite(arguments: list[str]) -> int:
    from kingcobra.arena.suite_tool import main as suite_main

    return suite_main(arguments)


def _tune(arguments: list[str]) -> int:
    from kingcobra.arena.tune_tool import main as tune_main

    return tune_main(arguments)


TOOLS: dict[str, Callable[[list[str]], int]] = {
    "compile": _compile,
    "match": _match,
    "net": _net,
    "sprt": _sprt,
    "suite": _suite,
    "tune": _tune,
}

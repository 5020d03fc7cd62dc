# SPDX-License-Identifier: GPL-3.0-or-later
"""The one table of commands."""

from collections.abc import Callable

from kingcobra.uci.commands import about, game, measuring, networks, setup, work
from kingcobra.uci.go import PERFT
from kingcobra.uci.session import Session
from kingcobra.version import ABOUT

Command = Callable[[Session, str], None]

ISREADY, STOP, QUIT = "isready", "stop", "quit"


def help_(session: Session, _text: str) -> None:
    """help: the version, and this list."""
    session.send(f"{ABOUT}. Its commands:\n")
    for command in COMMANDS.values():
        session.send("  " + " ".join((command.__doc__ or "").split()))


COMMANDS: dict[str, Command] = {
    "uci": setup.uci,
    "debug": setup.debug,
    ISREADY: setup.isready,
    "ucinewgame": game.ucinewgame,
    "setoption": setup.setoption,
    "register": setup.register,
    "position": game.position,
    "go": work.go,
    STOP: work.stop,
    "ponderhit": work.ponderhit,
    "bench": measuring.bench,
    "speedtest": measuring.speedtest,
    "d": game.show,
    "flip": game.flip,
    "eval": game.evaluate,
    "export_net": networks.export_net,
    "compiler": about.compiler,
    "license": about.license_,
    "help": help_,
    QUIT: setup.quit_,
}
# Executed even while the core is being compiled.
AT_ANY_TIME = frozenset({"uci", "debug", "register", "compiler", "license", "help"})
# Those of a running game, whose clock runs while they are executed. After any other command, time
# counts from its end.
ON_THE_CLOCK = frozenset({"isready", "position", "go", "stop", "ponderhit"})
STARTS_WORK = frozenset({"go", "bench", "speedtest"})


def command_word(line: str) -> str:
    """The first word of a line, empty if it has none."""
    return line.split(None, 1)[0] if line.strip() else ""


def is_measurement(line: str) -> bool:
    """Whether the commands behind this line wait for its end."""
    word = command_word(line)
    return word in ("bench", "speedtest") or (word == "go" and PERFT in line.split())

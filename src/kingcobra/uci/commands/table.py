# SPDX-License-Identifier: GPL-3.0-or-later
"""The one table of commands."""

from collections.abc import Callable

from kingcobra.uci.commands import about, game, measuring, networks, work
from kingcobra.uci.commands import setup as session
from kingcobra.uci.session import Session
from kingcobra.version import ABOUT

Command = Callable[[Session, str], None]

QUIT = "quit"


def help_(talk: Session, _text: str) -> None:
    """help: the version, and this list."""
    talk.say(f"{ABOUT}. Its commands:\n")
    for command in COMMANDS.values():
        talk.say("  " + " ".join((command.__doc__ or "").split()))


COMMANDS: dict[str, Command] = {
    "uci": session.uci,
    "debug": session.debug,
    "isready": session.isready,
    "ucinewgame": game.ucinewgame,
    "setoption": session.setoption,
    "register": session.register,
    "position": game.position,
    "go": work.go,
    "stop": work.stop,
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
    QUIT: session.leave,
}
# Obeyed even while the core is still being compiled.
AT_ANY_TIME = frozenset({"uci", "debug", "register", "compiler", "license", "help"})

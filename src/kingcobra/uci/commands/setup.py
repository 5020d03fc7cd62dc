# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands about the session itself."""

from kingcobra.engine.options import OptionError
from kingcobra.text_values import quoted
from kingcobra.uci.options import OPTIONS, option_named
from kingcobra.uci.protocol import UciError, parse_setoption
from kingcobra.uci.session import Session
from kingcobra.version import AUTHORS, __version__


def uci(session: Session, _text: str) -> None:
    """uci: the engine's name, its options, uciok."""
    session.send(f"id name Kingcobra {__version__}")
    session.send(f"id author {AUTHORS}\n")
    for option in OPTIONS:
        session.send(option.declaration())
    session.send("uciok")
    session.on_uciok_sent()


def isready(session: Session, _text: str) -> None:
    """isready: readyok as soon as the engine is ready; also during a search."""
    session.prepare()
    session.send("readyok")


def setoption(session: Session, text: str) -> None:
    """setoption name <name> [value <value>]: sets an option; during a search, after it."""
    command = parse_setoption(text)
    option = option_named(command.name)
    try:
        value = option.parse(command.value)
    except OptionError as error:
        raise UciError(str(error)) from None

    def apply() -> None:
        option.apply(session, value)

    session.set_option(option.name, command.value, apply, option.may_compile)


def debug(session: Session, text: str) -> None:
    """debug on | off: whether the engine says what it does, as info string lines."""
    if text not in ("on", "off"):
        raise UciError(f"debug: {quoted(text)}, expected on or off")
    session.debug = text == "on"
    session.note(f"debug mode is {text}")


def register(session: Session, _text: str) -> None:
    """register later | name <name> code <code>: nothing; this engine is free."""
    session.note("register: no registration is needed")


def quit_(session: Session, _text: str) -> None:
    """quit: ends the engine at once."""
    session.quitting = True

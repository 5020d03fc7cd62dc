# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands about the conversation itself."""

from kingcobra.text_values import quoted
from kingcobra.uci.options import OPTIONS, option_named
from kingcobra.uci.protocol import UciError, parse_setoption
from kingcobra.uci.session import Session
from kingcobra.version import AUTHORS, __version__


def uci(talk: Session, _text: str) -> None:
    """uci: who this is, the options, uciok."""
    talk.say(f"id name Kingcobra {__version__}")
    talk.say(f"id author {AUTHORS}\n")
    for option in OPTIONS:
        talk.say(option.declaration())
    talk.say("uciok")
    talk.introduced()


def isready(talk: Session, _text: str) -> None:
    """isready: readyok as soon as the engine is; also while it works."""
    talk.say("readyok")


def setoption(talk: Session, text: str) -> None:
    """setoption name <name> [value <value>]: changes one option, after the work under way."""
    command = parse_setoption(text)
    option = option_named(command.name)
    value = option.parse(command.value)

    def apply() -> None:
        option.apply(talk, value)

    talk.change(option.name, command.value, apply, option.may_compile)


def debug(talk: Session, text: str) -> None:
    """debug on | off: whether the engine says what it does, in lines of info string."""
    if text not in ("on", "off"):
        raise UciError(f"debug: {quoted(text)}, expected on or off")
    talk.debug = text == "on"
    talk.note(f"debug mode is {text}")


def register(talk: Session, _text: str) -> None:
    """register later | name <name> code <code>: nothing; this engine is free."""
    talk.note("register: no registration is needed")


def leave(talk: Session, _text: str) -> None:
    """quit: ends the engine at once."""
    talk.leaving = True

# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands about the conversation itself."""

from kingcobra.uci.conversation import Conversation
from kingcobra.uci.options import OPTIONS, option_named
from kingcobra.uci.protocol import parse_setoption
from kingcobra.version import AUTHORS, __version__


def uci(talk: Conversation, _text: str) -> None:
    """uci: who this is, the options, uciok."""
    talk.say(f"id name Kingcobra {__version__}")
    talk.say(f"id author {AUTHORS}\n")
    for option in OPTIONS:
        talk.say(option.declaration())
    talk.say("uciok")
    talk.introduced()


def isready(talk: Conversation, _text: str) -> None:
    """isready: readyok as soon as the engine is; also while it works."""
    talk.say("readyok")


def setoption(talk: Conversation, text: str) -> None:
    """setoption name <name> [value <value>]: changes one option, after the work under way."""
    command = parse_setoption(text)
    option = option_named(command.name)
    value = option.parse(command.value)
    talk.change(option.name, lambda: option.apply(talk.engine, value))


def leave(talk: Conversation, _text: str) -> None:
    """quit: ends the engine at once."""
    talk.leaving = True

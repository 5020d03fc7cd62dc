# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of a tool that has several, such as `kingcobra net info`."""

import argparse
from collections.abc import Sequence

from kingcobra.tools.messages import Action


class Subcommands:
    """The commands of a parser. Each has an action, which gets the options and returns the exit
    code; its docstring is the help."""

    def __init__(
        self, parser: argparse.ArgumentParser, parents: Sequence[argparse.ArgumentParser] = ()
    ) -> None:
        self._commands = parser.add_subparsers(metavar="COMMAND", required=True)
        self._parents = list(parents)

    def add(self, name: str, action: Action) -> argparse.ArgumentParser:
        """The parser of a new command, for its arguments. Its options have the `action`."""
        text = action.__doc__ or ""
        parser = self._commands.add_parser(name, parents=self._parents, help=text, description=text)
        parser.set_defaults(action=action)
        return parser

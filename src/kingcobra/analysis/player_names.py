# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a player is the one that the user means."""

import re

_WORD = re.compile(r"\w+")


def is_player(wanted: str, name: str) -> bool:
    """Whether all words of the wanted name are words of the name, in any order and case: `magnus
    carlsen` is `Carlsen, Magnus`."""
    words = _WORD.findall(wanted.casefold())
    return bool(words) and set(words) <= set(_WORD.findall(name.casefold()))

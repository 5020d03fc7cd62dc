# SPDX-License-Identifier: GPL-3.0-or-later
"""Who this is: a module of its own, so that every room may import it."""

__version__ = "0.1.0"
AUTHORS = "the Kingcobra developers (see AUTHORS)"
BANNER = f"Kingcobra {__version__} by {AUTHORS}"
ABOUT = (
    f"Kingcobra {__version__}, a chess engine written in Python; free software, GPL-3.0-or-later"
)

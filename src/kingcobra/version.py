# SPDX-License-Identifier: GPL-3.0-or-later
"""Name, version and authors, in a module that every package may import."""

__version__ = "0.1.0"
AUTHORS = "the Kingcobra developers (see AUTHORS)"
BANNER = f"Kingcobra {__version__} by {AUTHORS}"
ABOUT = (
    f"Kingcobra {__version__}, a chess engine written in Python; free software, GPL-3.0-or-later"
)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Kingcobra: a UCI chess engine written in Python and compiled to machine code.

>>> import kingcobra
>>> board = kingcobra.Board()
>>> board.push("e2e4").push("c5")
Board('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2')
>>> board.perft(4)
482325
"""

__all__ = ["Board", "FenError", "MoveError", "TablebaseError", "Tablebases", "__version__"]

# As type checkers know it: the module typing takes its time, and Ctrl-C would show meanwhile.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from kingcobra.api.board import Board, FenError, MoveError
    from kingcobra.tablebases import TablebaseError, Tablebases
    from kingcobra.version import __version__


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    """The API is imported when it is first used: the engine starts without it."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name == "__version__":
        from kingcobra import version

        return version.__version__
    if name.startswith("Tablebase"):
        from kingcobra import tablebases

        return getattr(tablebases, name)
    from kingcobra.api import board

    return getattr(board, name)

# SPDX-License-Identifier: GPL-3.0-or-later
"""Kingcobra: a UCI chess engine written in Python and compiled to machine code.

>>> import kingcobra
>>> board = kingcobra.Board()
>>> board.push("e2e4").push("c5")
Board('rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2')
>>> board.perft(4)
482325
"""

# The module of the package in which each public name is.
_MODULES = {
    "AnnotatedGame": "analysis.records",
    "AsyncEngine": "api.async_engine",
    "Board": "api.board",
    "Engine": "api.engine",
    "EngineError": "api.errors",
    "EngineTerminatedError": "api.errors",
    "FenError": "api.board",
    "KingcobraError": "errors",
    "MoveError": "api.board",
    "TablebaseError": "tablebases",
    "Tablebases": "tablebases",
    "__version__": "version",
    "analyse_many": "api.many",
    "annotate": "analysis.in_process",
    "batches": "api",
    "evaluate": "api.evaluation",
}
# Those that are modules themselves.
_PUBLIC_MODULES = {"batches"}
__all__ = [
    "AnnotatedGame",
    "AsyncEngine",
    "Board",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "FenError",
    "KingcobraError",
    "MoveError",
    "TablebaseError",
    "Tablebases",
    "__version__",
    "analyse_many",
    "annotate",
    "batches",
    "evaluate",
]

# As type checkers know it: the module typing takes its time, and Ctrl-C would show meanwhile.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from kingcobra.analysis.in_process import annotate
    from kingcobra.analysis.records import AnnotatedGame
    from kingcobra.api import batches
    from kingcobra.api.async_engine import AsyncEngine
    from kingcobra.api.board import Board, FenError, MoveError
    from kingcobra.api.engine import Engine
    from kingcobra.api.errors import EngineError, EngineTerminatedError
    from kingcobra.api.evaluation import evaluate
    from kingcobra.api.many import analyse_many
    from kingcobra.errors import KingcobraError
    from kingcobra.tablebases import TablebaseError, Tablebases
    from kingcobra.version import __version__


def __dir__() -> list[str]:
    return sorted(__all__)


def __getattr__(name: str) -> object:
    """The API is imported when it is first used: the engine starts without it."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    if name in _PUBLIC_MODULES:
        return import_module(f"{__name__}.{_MODULES[name]}.{name}")
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)

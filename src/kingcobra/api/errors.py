# SPDX-License-Identifier: GPL-3.0-or-later
"""What the engine of the API raises: python-chess's errors, with the value in the message."""

import chess.engine

from kingcobra.errors import KingcobraError


class EngineError(KingcobraError, chess.engine.EngineError):
    """A value that cannot be used, or a search that failed. The engine stays as it was."""


class EngineTerminatedError(EngineError, chess.engine.EngineTerminatedError):
    """The engine was closed."""

# SPDX-License-Identifier: GPL-3.0-or-later
"""How games are annotated, in values."""

from dataclasses import asdict, dataclass
from typing import Any

from kingcobra.errors import KingcobraError
from kingcobra.networks.default_network import DEFAULT_NETWORK

# Lichess's own number of nodes for a position.
DEFAULT_NODES = 1_000_000
DEFAULT_HASH_MB = 16
LICHESS, WDL = "lichess", "wdl"
CHANCES = (LICHESS, WDL)


class AnnotationError(KingcobraError):
    """Something that ends the work; the message is one line."""


@dataclass(frozen=True)
class AnnotationSettings:
    """All that an annotation depends on, beside the game and the engine."""

    nodes: int = DEFAULT_NODES
    hash_mb: int = DEFAULT_HASH_MB
    # A file name; empty for the classical evaluation.
    network: str = DEFAULT_NETWORK
    # What win % comes from: Lichess's rule, or the engine's own scale.
    chances: str = LICHESS
    # Evaluations in the file are believed; only what is missing is searched.
    reuses_evals: bool = False
    # Whose moves are judged; empty for both sides'.
    player: str = ""
    # Whether the values of all men are recorded for each position.
    heat: bool = False
    # The tag `Annotator` of the games; empty for none.
    annotator: str = ""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return asdict(self)

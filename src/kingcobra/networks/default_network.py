# SPDX-License-Identifier: GPL-3.0-or-later
"""The network that comes with the package and evaluates unless `EvalFile` names another:
docs/5-training.md says how it was made."""

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kingcobra.core.network.architectures import Architecture

# The first digits of the file's SHA-256, as in the names of Stockfish's networks.
DIGITS = "5c3e345d09b7"
DEFAULT_NETWORK = f"nn-{DIGITS}.nnue"
DEFAULT_PATH = Path(__file__).resolve().parent / DEFAULT_NETWORK
_WIDTH = 512


def default_architecture() -> "Architecture":
    """What it is, known without reading it."""
    from kingcobra.core.network.architectures import SQUARED  # the list of options does without

    return SQUARED.at_width(_WIDTH)

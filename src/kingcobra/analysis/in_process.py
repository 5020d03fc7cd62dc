# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra.annotate`: one game, annotated inside the process."""

from typing import TYPE_CHECKING

from kingcobra.analysis.annotating import annotate_text
from kingcobra.analysis.records import AnnotatedGame
from kingcobra.analysis.searching import GameSearcher
from kingcobra.analysis.settings import (
    CHANCES,
    DEFAULT_HASH_MB,
    DEFAULT_NODES,
    LICHESS,
    AnnotationSettings,
)

if TYPE_CHECKING:
    import chess.pgn


def annotate(
    game: "str | chess.pgn.Game",
    *,
    nodes: int = DEFAULT_NODES,
    hash_mb: int = DEFAULT_HASH_MB,
    network: str = "",
    chances: str = LICHESS,
    reuse_evals: bool = False,
    player: str = "",
    heat: bool = True,
) -> AnnotatedGame:
    """A game, given as PGN text or as python-chess's game, with evaluations, judgements, accuracy
    and opening. The same as `kingcobra annotate` with the same settings. ValueError says why a game
    cannot be annotated. A notebook shows the result as a board with a graph and the moves.

    >>> game = annotate("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", nodes=2000)
    >>> game.opening.name
    "King's Pawn Game: Wayward Queen Attack"
    >>> [move.text for move in game.moves if move.score.is_mate]
    ['Ke7??', 'Qxe5#']
    >>> game.black.blunders
    1
    """
    if nodes < 1:
        raise ValueError(f"nodes {nodes}, expected at least 1")
    if chances not in CHANCES:
        raise ValueError(f"chances {chances!r}, expected one of {', '.join(CHANCES)}")
    settings = AnnotationSettings(nodes, hash_mb, network, chances, reuse_evals, player, heat)
    text = game if isinstance(game, str) else str(game)
    found = annotate_text(text, GameSearcher(settings), settings)
    if found.record is None:
        raise ValueError(found.error or f"{player!r} is not a player of this game")
    return found.record

# SPDX-License-Identifier: GPL-3.0-or-later
"""`kingcobra.annotate`: one game, annotated inside the process."""

import os

import chess.pgn

from kingcobra.analysis.annotating import Annotation, annotate_text
from kingcobra.analysis.records import AnnotatedGame
from kingcobra.analysis.searching import GameSearcher
from kingcobra.analysis.settings import (
    CHANCES,
    DEFAULT_HASH_MB,
    DEFAULT_NODES,
    LICHESS,
    AnnotationSettings,
)
from kingcobra.api.arguments import integer, wrong_type
from kingcobra.api.interruptible import interruptible
from kingcobra.networks.default_network import DEFAULT_NETWORK


def annotate(
    game: str | chess.pgn.GameNode,
    *,
    nodes: int = DEFAULT_NODES,
    hash_mb: int = DEFAULT_HASH_MB,
    network: str | os.PathLike[str] | None = None,
    chances: str = LICHESS,
    reuse_evals: bool = False,
    player: str = "",
    heat: bool = True,
) -> AnnotatedGame:
    """A game, given as PGN text or as python-chess's game, with evaluations, judgements, accuracy
    and opening. The same as `kingcobra annotate` with the same settings; without a network the
    default one evaluates, with an empty name the classical evaluation. ValueError says why a game
    cannot be annotated. A notebook shows the result as a board with a graph and the moves. Ctrl-C
    ends the search at once.

    >>> game = annotate("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", nodes=2000)
    >>> game.opening.name
    "King's Pawn Game: Wayward Queen Attack"
    >>> [move.text for move in game.moves if move.score.is_mate]
    ['Ke7??', 'Qxe5#']
    >>> game.black.blunders
    1
    """
    if not isinstance(game, str | chess.pgn.GameNode):
        raise wrong_type(game, "game", "PGN text or a chess.pgn.Game")
    for name, number in (("nodes", nodes), ("hash_mb", hash_mb)):
        if integer(number, name) < 1:
            raise ValueError(f"{name} {number}, expected at least 1")
    if chances not in CHANCES:
        raise ValueError(f"chances {chances!r}, expected one of {', '.join(CHANCES)}")
    settings = AnnotationSettings(
        nodes,
        hash_mb,
        DEFAULT_NETWORK if network is None else os.fspath(network),
        chances,
        reuse_evals,
        player,
        heat,
    )
    searcher = GameSearcher(settings)
    try:
        found = _annotation(str(game), searcher, settings)
    finally:
        searcher.close()
    if found.record is None:
        raise ValueError(found.error or f"{player!r} is not a player of this game")
    return found.record


def _annotation(text: str, searcher: GameSearcher, settings: AnnotationSettings) -> Annotation:
    is_wanted = True

    def stop() -> None:
        nonlocal is_wanted
        is_wanted = False
        searcher.stop()

    return interruptible(lambda: annotate_text(text, searcher, settings, lambda: is_wanted), stop)

# SPDX-License-Identifier: GPL-3.0-or-later
"""The match at the end of a run: the new network against an older evaluation, at a fixed number of
nodes, inside compiled code."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kingcobra.training.runs.settings import MatchSettings
from kingcobra.training.selfplay.book import load_book
from kingcobra.training.selfplay.network_match import NetworkMatch
from kingcobra.training.selfplay.player import Objects, SelfPlayer, Teacher
from kingcobra.training.selfplay.settings import match_settings

# No opening of the harvest's games, which have other seeds.
MATCH_SEED = 2_000_000_011


@dataclass(frozen=True)
class MatchResult:
    """Counts from the new network's side, worst result first: games lost, drawn and won; pairs by
    their points, from 0 to 2 in halves."""

    opponent: str
    nodes: int
    games: tuple[int, ...]
    pairs: tuple[int, ...]

    @property
    def score(self) -> float:
        """Points of the new network, 0 to 1; an even score where nobody played."""
        losses, draws, wins = self.games
        total = losses + draws + wins
        return (wins + draws / 2) / total if total else 0.5


def play_match(
    settings: MatchSettings, network: Path, seconds: float, report: Callable[[str], None]
) -> MatchResult:
    """Plays for so long. Raises what loading a network or a book may raise."""
    objects = Objects.obtain(report)
    new = Teacher.from_file(str(network), report)
    old = Teacher.named(settings.versus, report)
    book = load_book(Path(settings.book), objects.core, report) if settings.book else None
    rules = match_settings(
        settings.nodes, MATCH_SEED, chess960_share=settings.chess960_share, book_share=1.0
    )
    threads = settings.threads or os.cpu_count() or 1
    players = [SelfPlayer(objects, rules, new, book, old) for _ in range(threads)]
    match = NetworkMatch(players, seconds=seconds)
    match.run(lambda: None)
    return MatchResult(old.name, settings.nodes, tuple(match.games), tuple(match.pairs))

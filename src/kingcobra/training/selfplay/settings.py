# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run of self-play is asked for."""

from dataclasses import dataclass
from typing import Any

from kingcobra.core.search.scores import MATE
from kingcobra.core.selfplay.layout import PERMILLE

HARVEST, GAMES = "harvest", "games"
KINDS = (HARVEST, GAMES)
HARD_PER_SOFT = 8
# Where games end at the latest, and the most that can be asked for.
USUAL_PLIES, LONGEST_GAME = 400, 10_000


class SelfPlayError(Exception):
    """A run that cannot begin or go on; one line that says why."""


@dataclass(frozen=True)
class SelfPlaySettings:
    """How games are played and what is kept of them. Scores are in hundredths of the search's
    pawn, shares are from 0 to 1."""

    kind: str = HARVEST
    soft_nodes: int = 400
    seed: int = 1
    hash_kib: int = 1024
    # Openings.
    book_share: float = 0.5
    chess960_share: float = 0.12
    least_random_plies: int = 8
    most_random_plies: int = 9
    most_book_plies: int = 3
    lopsided_score: int = 400
    # On the way: a random move now and then, for variety.
    random_move_share: float = 0.02
    # The end of a game.
    win_score: int = 1000
    win_plies: int = 5
    draw_score: int = 8
    draw_plies: int = 10
    play_out_draws: bool = False
    draw_from_ply: int = 70
    most_plies: int = USUAL_PLIES
    # Harvests: one evaluated position in so many is looked at, and dropped beyond so many pawns.
    # Of those with a capture or promotion that wins a pawn only a share is kept. A share of the
    # positions on the board is looked at besides.
    one_in: int = 4
    max_pawns: float = 15.0
    noisy_share: float = 0.0
    game_share: float = 0.0
    # Folders with endgame tables, for the search and for the ends of games; blank for none.
    syzygy: str = ""
    # Whether games come in pairs with the same opening: for a match.
    paired: bool = False
    # Whether a search ends at exactly so many nodes, even in the middle of an iteration.
    exact: bool = False

    @property
    def hard_nodes(self) -> int:
        """Where a search ends even in the middle of an iteration."""
        return self.soft_nodes if self.exact else self.soft_nodes * HARD_PER_SOFT

    def rules(self) -> dict[str, int]:
        """The fields of compiled self-play's GameRules, openings of a book apart."""
        return {
            "seed": self.seed,
            "paired": int(self.paired),
            "soft_nodes": 0 if self.exact else self.soft_nodes,
            "hard_nodes": self.hard_nodes,
            "book_share": round(self.book_share * PERMILLE),
            "chess960_share": round(self.chess960_share * PERMILLE),
            "least_random_plies": self.least_random_plies,
            "most_random_plies": self.most_random_plies,
            "most_book_plies": self.most_book_plies,
            "random_move_share": round(self.random_move_share * PERMILLE),
            "lopsided_score": self.lopsided_score,
            "win_score": self.win_score,
            "win_plies": self.win_plies,
            "draw_score": self.draw_score,
            "draw_plies": self.most_plies + 1 if self.play_out_draws else self.draw_plies,
            "draw_from_ply": self.draw_from_ply,
            "most_plies": self.most_plies,
        }

    def origin(self) -> dict[str, Any]:
        """What a block says of these settings."""
        origin: dict[str, Any] = {
            "kind": self.kind,
            "nodes": self.soft_nodes,
            "seed": self.seed,
            "chess960_share": self.chess960_share,
            "win_score": self.win_score,
        }
        if self.kind == HARVEST:
            origin |= {"one_in": self.one_in, "max_pawns": self.max_pawns}
            for name in ("noisy_share", "game_share"):
                if share := getattr(self, name):
                    origin[name] = share
        if self.play_out_draws:
            origin["play_out_draws"] = True
        if self.most_plies != USUAL_PLIES:
            origin["most_plies"] = self.most_plies
        if self.syzygy:
            origin["tablebases"] = True
        return origin


def match_settings(soft_nodes: int, seed: int, **changes: Any) -> SelfPlaySettings:
    """Settings for games between two evaluations: every opening twice, no random moves, and none
    given up, so that pairs stay pairs."""
    return SelfPlaySettings(
        kind=GAMES,
        soft_nodes=soft_nodes,
        seed=seed,
        paired=True,
        random_move_share=0.0,
        lopsided_score=MATE,
        most_book_plies=0,
        **changes,
    )

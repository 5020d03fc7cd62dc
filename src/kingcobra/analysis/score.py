# SPDX-License-Identifier: GPL-3.0-or-later
"""Scores of positions as annotations have them: White's view, in centipawns or moves to mate."""

from typing import Any, NamedTuple

CENTIPAWNS_PER_PAWN = 100
# Beyond this a game is decided; mates count as this much.
MOST_CP = 1000


class Score(NamedTuple):
    """Either `white_cp`, or moves to mate: `white_mate` is negative where White is mated, and 0
    where mate is on the board; `mate_winner` is then 1 for White and -1 for Black."""

    white_cp: int | None = None
    white_mate: int | None = None
    mate_winner: int = 0

    @classmethod
    def in_cp(cls, white_cp: int) -> "Score":
        """A score in centipawns."""
        return cls(white_cp=white_cp)

    @classmethod
    def in_moves(cls, white_mate: int) -> "Score":
        """A mate in that many moves, which are not 0."""
        return cls(white_mate=white_mate, mate_winner=1 if white_mate > 0 else -1)

    @classmethod
    def checkmate(cls, white_wins: bool) -> "Score":
        """Mate is on the board."""
        return cls(white_mate=0, mate_winner=1 if white_wins else -1)

    @property
    def is_mate(self) -> bool:
        """Whether mate can be forced, or is on the board."""
        return self.white_mate is not None

    @property
    def is_checkmate(self) -> bool:
        """Whether mate is on the board."""
        return self.white_mate == 0

    def bounded_cp(self) -> int:
        """Centipawns within ±MOST_CP; a mate is the end of that range."""
        if self.white_cp is None:
            return self.mate_winner * MOST_CP
        return max(-MOST_CP, min(self.white_cp, MOST_CP))

    def tag_text(self) -> str:
        """As `[%eval …]` has it: `0.17` or `#-3`."""
        if self.white_cp is None:
            return f"#{self.white_mate}"
        return pawns_text(self.white_cp)

    def words(self) -> str:
        """As comments have it: `0.17` or `Mate in 3`."""
        if self.white_mate is None:
            return self.tag_text()
        return "Checkmate" if self.is_checkmate else f"Mate in {abs(self.white_mate)}"

    def as_json(self) -> dict[str, int]:
        """{"cp": 17} or {"mate": -3}; {"mate": 0, "winner": 1} for a mate on the board."""
        if self.white_cp is not None:
            return {"cp": self.white_cp}
        assert self.white_mate is not None
        if self.is_checkmate:
            return {"mate": 0, "winner": self.mate_winner}
        return {"mate": self.white_mate}

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "Score":
        """What as_json wrote."""
        if "cp" in value:
            return cls.in_cp(int(value["cp"]))
        if value["mate"] == 0:
            return cls.checkmate(value["winner"] > 0)
        return cls.in_moves(int(value["mate"]))


def pawns_text(centipawns: int) -> str:
    """Pawns with two decimals; never -0.00."""
    return f"{centipawns / CENTIPAWNS_PER_PAWN:.2f}"

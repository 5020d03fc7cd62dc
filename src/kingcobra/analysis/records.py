# SPDX-License-Identifier: GPL-3.0-or-later
"""Annotated games as values, and as JSON."""

from dataclasses import asdict, dataclass
from typing import Any

from kingcobra.analysis.judgement import Judgement
from kingcobra.analysis.score import Score


@dataclass(frozen=True)
class AnnotatedMove:
    """A move, the position after it, and what is to be said of it. Scores and chances are White's;
    `best` and `line` are what should have been played instead, where the move is judged."""

    ply: int
    number: int
    is_white: bool
    san: str
    uci: str
    fen: str
    score: Score
    depth: int | None
    win_percent: float
    # Games out of a thousand: won, drawn, lost.
    wdl: tuple[int, int, int]
    accuracy: float
    centipawn_loss: int
    judgement: Judgement | None = None
    comment: str = ""
    # What people wrote about the move.
    remark: str = ""
    best: str = ""
    best_uci: str = ""
    line: tuple[str, ...] = ()
    clock_s: float | None = None
    # What each man but the kings is worth, by square, in hundredths of a pawn.
    heat: dict[str, int] | None = None

    @property
    def text(self) -> str:
        """The move with its glyph: `Nf3?!`."""
        return self.san + (self.judgement.glyph if self.judgement else "")

    @property
    def numbered_line(self) -> str:
        """What should have been played, with the numbers of the moves."""
        words = []
        for ply, san in enumerate(self.line, start=0 if self.is_white else 1):
            number = f"{self.number + ply // 2}"
            if ply % 2 == 0:
                words.append(f"{number}. {san}")
            else:
                words.append(san if words else f"{number}… {san}")
        return " ".join(words)

    @property
    def numbered(self) -> str:
        """The same with the number of the move: `12… Nf3?!`."""
        return f"{self.number}{'.' if self.is_white else '…'} {self.text}"


@dataclass(frozen=True)
class PlayerSummary:
    """One side of a game. Accuracy and loss are None for a side without moves, the counts for a
    side that was not judged."""

    name: str
    moves: int
    accuracy: float | None
    centipawn_loss: float | None
    inaccuracies: int | None
    mistakes: int | None
    blunders: int | None

    @property
    def is_judged(self) -> bool:
        """Whether its bad moves were counted."""
        return self.blunders is not None


@dataclass(frozen=True)
class GameOpening:
    """The opening's code and name, and the ply at which the last named position was reached."""

    eco: str
    name: str
    ply: int


@dataclass(frozen=True)
class AnnotatedGame:
    """A game, annotated. `start_score` is that of the position before the first move."""

    tags: dict[str, str]
    start_fen: str
    start_score: Score
    start_percent: float
    moves: tuple[AnnotatedMove, ...]
    white: PlayerSummary
    black: PlayerSummary
    opening: GameOpening | None
    # The annotated game as PGN text.
    pgn: str
    start_heat: dict[str, int] | None = None

    @property
    def result(self) -> str:
        """`1-0`, `0-1`, `1/2-1/2` or `*`."""
        return self.tags.get("Result", "*")

    @property
    def title(self) -> str:
        """`White – Black, 1-0`."""
        return f"{self.white.name} – {self.black.name}, {self.result}"

    def _repr_html_(self) -> str:
        """How a notebook shows the game."""
        from kingcobra.analysis.game_html import notebook_html

        return notebook_html(self)

    def __str__(self) -> str:
        return self.pgn

    def as_json(self) -> dict[str, Any]:
        """Plain values, for a line of JSON."""
        found = asdict(self)
        found["start_score"] = self.start_score.as_json()
        found["moves"] = [_move_json(move) for move in self.moves]
        return found

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> "AnnotatedGame":
        """What as_json made; unknown keys are ignored."""
        return cls(
            tags=dict(value["tags"]),
            start_fen=value["start_fen"],
            start_score=Score.from_json(value["start_score"]),
            start_percent=value["start_percent"],
            moves=tuple(_move_from_json(move) for move in value["moves"]),
            white=PlayerSummary(**value["white"]),
            black=PlayerSummary(**value["black"]),
            opening=GameOpening(**value["opening"]) if value["opening"] else None,
            pgn=value["pgn"],
            start_heat=value["start_heat"],
        )


def _move_json(move: AnnotatedMove) -> dict[str, Any]:
    found = dict(vars(move))
    found["score"] = move.score.as_json()
    found["judgement"] = move.judgement.value if move.judgement else None
    return found


def _move_from_json(value: dict[str, Any]) -> AnnotatedMove:
    judgement = value["judgement"]
    given = {
        "score": Score.from_json(value["score"]),
        "judgement": Judgement(judgement) if judgement else None,
        "wdl": tuple(value["wdl"]),
        "line": tuple(value["line"]),
    }
    return AnnotatedMove(**(value | given))

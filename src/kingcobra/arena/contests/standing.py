# SPDX-License-Identifier: GPL-3.0-or-later
"""The score of a match so far, and the lines that show it."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from kingcobra.arena.contests.schedule import GAMES_PER_PAIR
from kingcobra.arena.games.game_record import GameRecord
from kingcobra.statistics.elo import (
    PENTANOMIAL,
    TRINOMIAL,
    draw_ratio,
    elo,
    likelihood_of_superiority,
    normalised_elo,
)
from kingcobra.statistics.ratings import Known, Meetings, Rating, rated_group, ratings
from kingcobra.statistics.sprt import Sprt, SprtVerdict

ELO_WIDTH = 9
SIGNS = {Known.ESTIMATE: "", Known.AT_LEAST: "> ", Known.AT_MOST: "< "}
LEGEND = {
    Known.AT_LEAST: "> won every game: 95 times in 100 the rating is above this",
    Known.AT_MOST: "< lost every game: 95 times in 100 the rating is below this",
    Known.NOTHING: "? no game against an engine with a rating",
}
"""Below a table that has such rows."""


@dataclass(frozen=True)
class Anchor:
    """The engine whose rating is known, and its rating."""

    name: str
    elo: float = 0.0


@dataclass(repr=False)
class Standing:
    """Counts of all games so far. For two engines, the Elo is that of the first; for more there is
    a table of ratings, in which the rating of the anchor is given (the first engine by default).
    With `faults_apart`, a game that a fault decided is listed but not scored, nor is its pair."""

    names: list[str]
    sprt: Sprt | None = None
    anchor: Anchor | None = None
    faults_apart: bool = False
    games: int = 0
    games_apart: int = 0
    meetings: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    pairs: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    faults: Counter[tuple[str, str]] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    first_reasons: dict[tuple[str, str], str] = field(default_factory=dict)
    # The points of the first game of a pair, None if it is not scored.
    _open_pairs: dict[int, int | None] = field(default_factory=dict)

    def __str__(self) -> str:
        """The lines that `kingcobra match` prints."""
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Standing of {', '.join(self.names)}: {self.lines()[0]}>"

    def add(self, record: GameRecord) -> None:
        """Counts a game. A pair counts once both its games are there."""
        self.games += 1
        if record.fault is not None and record.culprit is not None:
            self.faults[record.culprit, record.fault] += 1
            detail = record.reason.partition(f"{record.fault}: ")[2] or record.reason
            self.first_reasons.setdefault((record.culprit, record.fault), detail)
        self.reasons[record.fault or record.reason] += 1
        first, second = sorted((record.white, record.black), key=self.names.index)
        points: int | None = None
        if self.faults_apart and record.fault is not None:
            self.games_apart += 1
        else:
            points = record.points_of(first)
            self.meetings.setdefault((first, second), [0] * TRINOMIAL)[points] += 1
        if record.pair not in self._open_pairs:
            self._open_pairs[record.pair] = points
            return
        points_before = self._open_pairs.pop(record.pair)
        if points is not None and points_before is not None:
            pairs = self.pairs.setdefault((first, second), [0] * PENTANOMIAL)
            pairs[points_before + points] += 1

    @property
    def pentanomial(self) -> list[int]:
        """All pairs of games by the points of the first engine."""
        return [sum(column) for column in zip([0] * PENTANOMIAL, *self.pairs.values(), strict=True)]

    @property
    def is_duel(self) -> bool:
        return len(self.names) == GAMES_PER_PAIR

    @property
    def llr(self) -> float:
        return self.sprt.llr(self.pentanomial) if self.sprt else 0.0

    @property
    def is_decided(self) -> bool:
        """Whether the match has a test, and the test is decided."""
        return self.verdict is not SprtVerdict.CONTINUE

    @property
    def verdict(self) -> SprtVerdict:
        return self.sprt.verdict(self.llr) if self.sprt else SprtVerdict.CONTINUE

    def lines(self) -> list[str]:
        """The standing, line by line."""
        if self.games == 0:
            return ["no game finished yet"]
        if not self.meetings:
            return [f"{self._games_text()}: nothing to score", *self.fault_lines()]
        lines = self._duel_lines() if self.is_duel else self._table_lines()
        return lines + self.fault_lines()

    def fault_lines(self) -> list[str]:
        """Crashes, hangs, illegal moves and time losses of each engine, with the details of the
        first; none without faults."""
        return [
            f"{name}: {fault} × {count} (first: {self.first_reasons[name, fault]})"
            for (name, fault), count in sorted(self.faults.items())
        ]

    def _games_text(self) -> str:
        apart = f" ({self.games_apart} with faults apart)" if self.games_apart else ""
        return f"{self.games} games{apart}"

    def _counts(self) -> Sequence[int]:
        """Counts of pairs if there are any, else of single games."""
        if sum(self.pentanomial):
            return self.pentanomial
        return next(iter(self.meetings.values()))

    def _duel_lines(self) -> list[str]:
        losses, draws, wins = single = next(iter(self.meetings.values()))
        counts = self._counts()
        lines = [
            f"{self.names[0]} vs {self.names[1]}: {self._games_text()}, "
            f"{wins} won, {draws} drawn, {losses} lost "
            f"({100 * (wins + draws / 2) / sum(single):.2f} %, "
            f"draws {100 * draw_ratio(single):.1f} %)",
            f"Elo {elo(counts)}, nElo {normalised_elo(counts)}, "
            f"LOS {100 * likelihood_of_superiority(counts):.2f} %",
            f"Ptnml {', '.join(map(str, self.pentanomial))}",
        ]
        if self.sprt is not None:
            lines.append(
                f"LLR {self.llr:.2f} ({self.sprt.lower:.2f}, {self.sprt.upper:.2f}) "
                f"[{self.sprt.elo0:g}, {self.sprt.elo1:g}]: {self.verdict.value}"
            )
        return lines

    def _table_lines(self) -> list[str]:
        meetings = {pair: (c[0], c[1], c[2]) for pair, c in self.meetings.items()}
        wanted = self.anchor or Anchor(self.names[0])
        anchor = self._anchor(wanted, meetings)
        note = "" if anchor is wanted else f", since {wanted.name} shares no points with any other"
        rows = ratings(meetings, anchor.name, anchor.elo, self.pairs)
        width = max(len(row.name) for row in rows)
        lines = [
            f"{self._games_text()}; {anchor.name} anchored at {anchor.elo:g}{note}",
            f"{'':{width}}  {'Elo':>{ELO_WIDTH}} {'+':>7} {'-':>7} "
            f"{'games':>7} {'score':>7} {'draws':>7}",
        ]
        for row in rows:
            more, less = _bars(row)
            lines.append(
                f"{row.name:{width}}  {_elo_text(row, anchor):>{ELO_WIDTH}} {more:>7} {less:>7} "
                f"{row.games:7d} {100 * row.score:6.1f}% {100 * row.draws / row.games:6.1f}%"
            )
        found = {row.known for row in rows}
        return lines + [line for known, line in LEGEND.items() if known in found]

    def _anchor(self, wanted: Anchor, meetings: Meetings) -> Anchor:
        """The wanted anchor if it shares points with another engine, or if no engine does.
        Otherwise nothing could be rated by it: then the first engine of the largest group that
        does, at 0."""
        played = [name for name in self.names if any(name in pair for pair in meetings)]
        size = {name: len(rated_group(meetings, name)) for name in played}
        best = max(played, key=lambda name: (size[name] > 1, name == wanted.name, size[name]))
        return wanted if best == wanted.name else Anchor(best)


def _elo_text(row: Rating, anchor: Anchor) -> str:
    """With a sign if the anchor is at 0, so that ratings are differences."""
    if row.known is Known.NOTHING:
        return "?"
    sign = "" if anchor.elo else "+"
    return f"{SIGNS[row.known]}{row.elo:{sign}.1f}"


def _bars(row: Rating) -> tuple[str, str]:
    """How far the interval extends up and down; empty for a bound."""
    if row.known is not Known.ESTIMATE:
        return "", ""
    return f"{row.high - row.elo:.1f}", f"{row.elo - row.low:.1f}"

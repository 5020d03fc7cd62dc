# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user has chosen: plain values that the next search reads."""

from kingcobra.engine.skill import FULL_LEVEL, Skill, skill_of_elo

DEFAULT_OVERHEAD_MS = 10
LOWEST_ELO, HIGHEST_ELO = 1320, 3190


class EngineSettings:
    """Values to be assigned between two searches. Whatever costs memory or time to change is a
    method of the engine instead."""

    # A misspelt name is an AttributeError.
    __slots__ = (
        "analyse_mode",
        "chess960",
        "elo",
        "limits_strength",
        "lines",
        "may_ponder",
        "overhead_ms",
        "shows_current_lines",
        "shows_refutations",
        "skill_level",
    )

    def __init__(self) -> None:
        # How the next positions are read and written.
        self.chess960 = False
        # How many best lines a search reports.
        self.lines = 1
        # Time lost between this engine and the clock, for each move.
        self.overhead_ms = DEFAULT_OVERHEAD_MS
        # Whether the engine thinks in the opponent's time, too: its own is then spent more freely.
        self.may_ponder = False
        # Whether a game is analysed rather than played: nothing then weakens or shortens a search.
        self.analyse_mode = False
        # How well it plays, from zero to FULL_LEVEL; or, if strength is limited, at which rating.
        self.skill_level = FULL_LEVEL
        self.limits_strength = False
        self.elo = LOWEST_ELO
        # Whether a search reports where its threads are, and what refutes the other moves.
        self.shows_current_lines = False
        self.shows_refutations = False

    @property
    def skill(self) -> Skill:
        """How well it plays at present: in full when it analyses."""
        if self.analyse_mode:
            return Skill()
        return skill_of_elo(self.elo) if self.limits_strength else Skill(self.skill_level)

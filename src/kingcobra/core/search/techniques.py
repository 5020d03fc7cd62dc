# SPDX-License-Identifier: GPL-3.0-or-later
"""The techniques of the search that can be switched off, to see what they are worth: each by values
of tunables, which may lie outside of their ranges."""

from typing import NamedTuple

# More than any depth, number of moves or difference of two scores.
NEVER = 1 << 17
# No depth is as low.
NO_DEPTH = -1


class Technique(NamedTuple):
    """A technique, and what switches it off."""

    name: str
    off: dict[str, int]


TECHNIQUES = (
    Technique("aspiration", {"window_start": NEVER}),
    Technique(
        "corrections",
        {
            "correct_pawn": 0,
            "correct_minor": 0,
            "correct_non_pawn": 0,
            "correct_continuation": 0,
        },
    ),
    Technique("razoring", {"razor_base": NEVER}),
    Technique("reverse-futility", {"reverse_depth": NO_DEPTH}),
    Technique("null-move", {"null_offset": NEVER}),
    Technique("internal-reduction", {"iir_depth": NEVER}),
    Technique("probcut", {"probcut_depth": NEVER}),
    Technique("late-move-pruning", {"late_base": NEVER}),
    Technique("futility", {"futility_depth": NO_DEPTH, "capture_futility_base": NEVER}),
    Technique("history-pruning", {"history_prune_depth": NO_DEPTH}),
    Technique("exchange-pruning", {"see_base": NEVER, "see_quiet": NEVER, "see_capture": NEVER}),
    Technique("singular-extension", {"singular_depth": NEVER}),
    Technique("check-extension", {"check_depth": NEVER}),
    Technique("late-move-reduction", {"reduce_depth": NEVER}),
    Technique("raised-alpha", {"raised_reduction": 0}),
    Technique("killers", {"killer_bonus": 0, "second_killer_bonus": 0}),
    Technique("check-bonus", {"check_bonus": 0}),
    Technique(
        "histories",
        {
            "bonus_slope": 0,
            "bonus_offset": 0,
            "bonus_limit": 0,
            "malus_slope": 0,
            "malus_offset": 0,
            "malus_limit": 0,
            "research_bonus": 0,
        },
    ),
)

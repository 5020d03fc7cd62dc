# SPDX-License-Identifier: GPL-3.0-or-later
"""Time controls: their text, and the clock that the runner keeps for one player."""

import re
from dataclasses import dataclass

from kingcobra.text_values import parse_integer

MS_PER_SECOND = 1000
LARGEST_LIMIT = (1 << 63) - 1

CONTROL_FORM = "[MOVES/]SECONDS[+INCREMENT] as 40/60+0.6, or nodes=N, depth=N, movetime=MS"

_CLOCK = re.compile(r"(?:(\d+)/)?(\d+(?:\.\d+)?)(?:\+(\d+(?:\.\d+)?))?")


class TimeControlError(ValueError):
    """A time control that cannot be read."""


@dataclass(frozen=True)
class TimeControl:
    """How long a player may think. Either a clock (`base_s` given) or a limit for each move."""

    base_s: float | None = None
    increment_s: float = 0.0
    moves_per_period: int | None = None
    movetime_s: float | None = None
    nodes: int | None = None
    depth: int | None = None

    @property
    def limit(self) -> str:
        """What ends a move, in words."""
        if self.movetime_s is not None:
            return f"a movetime of {self.movetime_s:g} s"
        if self.nodes is not None:
            return "nodes"
        return "time" if self.depth is None else "depth"


def parse_time_control(text: str) -> TimeControl:
    """`40/60+0.6` (40 moves in 60 s, then again, 0.6 s more for each move), `8+0.08`, `5`,
    `nodes=N`, `depth=N` or `movetime=MILLISECONDS`. TimeControlError names what cannot be read."""
    name, separator, value = text.partition("=")
    if separator:
        number = parse_integer(value, 1, LARGEST_LIMIT)
        if name not in ("nodes", "depth", "movetime") or number is None:
            raise TimeControlError(
                f"{text!r} is not a time control; expected {CONTROL_FORM}, all above 0"
            )
        if name == "movetime":
            return TimeControl(movetime_s=number / MS_PER_SECOND)
        return TimeControl(nodes=number) if name == "nodes" else TimeControl(depth=number)
    match = _CLOCK.fullmatch(text)
    if match is None:
        raise TimeControlError(f"{text!r} is not a time control; expected {CONTROL_FORM}")
    moves, base, increment = match.groups()
    control = TimeControl(float(base), float(increment or 0), int(moves) if moves else None)
    if control.base_s == 0 or control.moves_per_period == 0:
        raise TimeControlError(f"{text!r}: moves and seconds must be above zero")
    return control


class Clock:
    """One player's time in one game."""

    def __init__(self, control: TimeControl, margin_s: float) -> None:
        self.control = control
        self.remaining_s = control.base_s
        self.moves_to_go = control.moves_per_period
        self._margin_s = margin_s

    @property
    def allowed_s(self) -> float | None:
        """How long the next move may take, margin included; None where nothing limits it."""
        limit = self.control.movetime_s if self.remaining_s is None else self.remaining_s
        return None if limit is None else limit + self._margin_s

    def charge(self, seconds: float) -> bool:
        """Books a move; False if it came too late. Time used out of the margin is forgiven: the
        clock never falls below zero."""
        if self.allowed_s is not None and seconds > self.allowed_s:
            return False
        if self.remaining_s is not None:
            self.remaining_s = max(0.0, self.remaining_s - seconds) + self.control.increment_s
            if self.moves_to_go is not None and self.control.base_s is not None:
                self.moves_to_go -= 1
                if self.moves_to_go == 0:
                    self.moves_to_go = self.control.moves_per_period
                    self.remaining_s += self.control.base_s
        return True

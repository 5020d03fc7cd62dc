# SPDX-License-Identifier: GPL-3.0-or-later
"""What is given to a worker, and what comes back: plain values that any process can read."""

import json
from dataclasses import replace
from typing import Any, NamedTuple

from kingcobra.analysis.annotating import Annotation, GoesOn, annotate_text
from kingcobra.analysis.searching import GameSearcher
from kingcobra.analysis.settings import AnnotationSettings
from kingcobra.networks.carried_network import CarriedNetwork
from kingcobra.workers.tasks import Serve


class GameTask(NamedTuple):
    """A game, and its place among all games of a run, from 0."""

    order: int
    text: str


class GameOutcome(NamedTuple):
    """What became of a game: the record as JSON, None where there is an error, or where it is not
    the player's."""

    record: dict[str, Any] | None
    warnings: tuple[str, ...] = ()
    error: str = ""

    def to_line(self) -> str:
        """One line of text."""
        return json.dumps(self._asdict(), ensure_ascii=False, separators=(",", ":"))

    @classmethod
    def from_line(cls, line: str) -> "GameOutcome":
        """What to_line wrote. ValueError, KeyError or TypeError for anything else."""
        value = json.loads(line)
        return cls(value["record"], tuple(value["warnings"]), value["error"])


class Annotator:
    """An engine that annotates one game after another."""

    def __init__(self, settings: AnnotationSettings) -> None:
        self._settings = settings
        self._searcher = GameSearcher(settings)

    def annotate(self, text: str, goes_on: GoesOn = lambda: True) -> GameOutcome:
        """The outcome for the first game of a text. An internal error is named like a broken game:
        it costs this game alone."""
        try:
            found = annotate_text(text, self._searcher, self._settings, goes_on)
        except (ValueError, LookupError, TypeError, AssertionError, AttributeError) as error:
            found = Annotation(None, error=f"{type(error).__name__}: {error}")
        record = None if found.record is None else found.record.as_json()
        return GameOutcome(record, found.warnings, found.error)


def annotating(settings: AnnotationSettings) -> Serve[GameTask, GameOutcome]:
    """What a worker of this machine does. AnnotationError if it cannot."""
    annotator = Annotator(settings)
    return lambda task: annotator.annotate(task.text)


class CarriedSettings(NamedTuple):
    """Settings for another machine, with the network that they name."""

    settings: AnnotationSettings
    network: CarriedNetwork


def annotating_elsewhere(carried: CarriedSettings) -> Serve[GameTask, GameOutcome]:
    """The same on another machine."""
    with carried.network.file() as name:
        return annotating(replace(carried.settings, network=name))

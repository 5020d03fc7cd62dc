# SPDX-License-Identifier: GPL-3.0-or-later
"""A run: games from files through workers into files, with a journal that outlives the process."""

import hashlib
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kingcobra.analysis.game_files import GameText, read_game_texts
from kingcobra.analysis.journal import Journal
from kingcobra.analysis.ordered_run import AnnotationWorkers, FinishedGame, finished_games
from kingcobra.analysis.outputs import JsonOutput, Output, PgnOutput
from kingcobra.analysis.records import AnnotatedGame
from kingcobra.analysis.searching import GameSearcher
from kingcobra.analysis.settings import AnnotationError, AnnotationSettings
from kingcobra.analysis.tables import table_output
from kingcobra.analysis.totals import RunTotals
from kingcobra.analysis.work_item import CarriedSettings, annotating, annotating_elsewhere
from kingcobra.errors import line_of
from kingcobra.networks.carried_network import CarriedNetwork, carried_network
from kingcobra.networks.network_files import NetworkError, find_network
from kingcobra.text_values import printable
from kingcobra.version import __version__
from kingcobra.workers.processes import WorkerProcesses

JOURNAL_SUFFIX = ".progress"
REPORT_S = 10.0
# Faulty games that are named one by one.
NAMED_FAULTS = 20

Say = Callable[[str], None]


@dataclass(frozen=True)
class AnnotationFiles:
    """What is read, and what is written."""

    games: list[Path]
    pgn: Path | None = None
    json: Path | None = None
    table: Path | None = None
    report: Path | None = None

    @property
    def outputs(self) -> list[Path]:
        """All files to be written; none where games go to standard output."""
        named = (self.pgn, self.json, self.table, self.report)
        return [path for path in named if path is not None]

    @property
    def journal(self) -> Path | None:
        """Beside the first output."""
        if not self.outputs:
            return None
        first = self.outputs[0]
        return first.with_name(first.name + JOURNAL_SUFFIX)


class AnnotationRun:
    """One run; `run` is called once."""

    def __init__(self, settings: AnnotationSettings, files: AnnotationFiles, say: Say) -> None:
        self._settings = settings
        self._files = files
        self._say = say
        self._faults = 0
        self._totals = RunTotals()

    def is_complete(self) -> bool:
        """Whether an earlier run has written everything."""
        journal = self._files.journal
        return (
            journal is not None
            and not journal.exists()
            and all(path.exists() for path in self._files.outputs)
        )

    def check_start(self, resumes: bool) -> None:
        """AnnotationError rather than throwing away an interrupted run, or overwriting a file that
        is read."""
        journal = self._files.journal
        if journal is not None and journal.exists() and not resumes:
            raise AnnotationError(
                f"{journal}: from an interrupted run; --resume continues it, or delete the file"
            )
        outputs = [path.absolute() for path in self._files.outputs]
        for path in outputs:
            if outputs.count(path) > 1:
                raise AnnotationError(f"{path.name}: named for two outputs")
        for path in self._files.games:
            if not path.is_file():
                raise AnnotationError(
                    f"{path}: not a file" if path.exists() else f"{path}: not found"
                )
            for output in self._files.outputs:
                if output.exists() and output.samefile(path):
                    raise AnnotationError(f"{output}: is both read and written")

    def run(self, jobs: int | None, cluster: str | None) -> RunTotals:
        """Annotates all games. AnnotationError or OSError if that is not possible."""
        # Compiles what is to be compiled, and finds out whether the network can be used.
        GameSearcher(self._settings, self._say)
        with ExitStack() as stack:
            path = self._files.journal
            journal = Journal(path, self._about()) if path else None
            if journal is not None:
                stack.callback(journal.leave)
                if len(journal):
                    self._say(f"{journal.path}: {len(journal)} games are done already")
            outputs = self._outputs()
            try:
                workers = stack.enter_context(self._workers(jobs, cluster))
                self._annotate(workers, journal, outputs)
            except BaseException:
                for output in outputs:
                    output.abandon()
                raise
            for output in outputs:
                output.finish()
        if journal is not None:
            journal.delete()
        return self._totals

    def _about(self) -> dict[str, Any]:
        """All that the outcomes depend on, beside the games."""
        about = self._settings.as_json() | {"version": __version__}
        if self._settings.network:
            try:
                data = find_network(self._settings.network).read_bytes()
            except NetworkError as error:
                raise AnnotationError(str(error)) from None
            about["network"] = hashlib.sha256(data).hexdigest()
        return about

    def _workers(self, jobs: int | None, cluster: str | None) -> Any:
        if cluster is not None:
            from kingcobra.workers.cluster import ClusterWorkers

            carried = CarriedSettings(self._settings, self._network())
            return ClusterWorkers(annotating_elsewhere, carried, jobs, cluster, AnnotationError)
        size = jobs or os.cpu_count() or 1
        return WorkerProcesses(annotating, self._settings, size, AnnotationError)

    def _network(self) -> CarriedNetwork:
        try:
            return carried_network(self._settings.network)
        except NetworkError as error:
            raise AnnotationError(str(error)) from None

    def _outputs(self) -> list[Output]:
        files = self._files
        found: list[Output] = []
        try:
            if files.pgn is not None or not files.outputs:
                found.append(PgnOutput(files.pgn, sys.stdout))
            if files.json is not None:
                found.append(JsonOutput(files.json))
            if files.table is not None:
                found.append(table_output(files.table))
            if files.report is not None:
                from kingcobra.analysis.report import ReportOutput

                found.append(ReportOutput(files.report, self._settings, self._totals))
        except BaseException:
            for output in found:
                output.abandon()
            raise
        return found

    def _annotate(
        self, workers: AnnotationWorkers, journal: Journal | None, outputs: list[Output]
    ) -> None:
        started = told = time.monotonic()
        for number, finished in enumerate(finished_games(self._games(), workers, journal), start=1):
            record = self._record_of(finished)
            if record is not None or finished.outcome.error:
                for output in outputs:
                    output.add(number, finished, record)
            now = time.monotonic()
            if now - told >= REPORT_S:
                told = now
                self._say(f"{number} games, {number / (now - started):.2f} a second")

    def _games(self) -> Iterator[GameText]:
        """Those of all files. A file that cannot be read further is named; the rest goes on."""
        for path in self._files.games:
            try:
                yield from read_game_texts(path)
            except OSError as error:
                self._name_fault(line_of(error))

    def _record_of(self, finished: FinishedGame) -> AnnotatedGame | None:
        """The record, counted; a fault is named."""
        game, outcome = finished
        for warning in outcome.warnings:
            self._name_fault(f"{game.place}: in a variation: {warning}")
        if outcome.record is not None:
            record = AnnotatedGame.from_json(outcome.record)
            self._totals.add(record)
            return record
        if outcome.error:
            self._totals.broken += 1
            self._name_fault(f"{game.place}: {outcome.error}; skipped")
        else:
            self._totals.left_out += 1
        return None

    def _name_fault(self, text: str) -> None:
        self._faults += 1
        if self._faults <= NAMED_FAULTS:
            self._say(printable(text))
        elif self._faults == NAMED_FAULTS + 1:
            self._say("further faulty games are only counted")

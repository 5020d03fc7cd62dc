# SPDX-License-Identifier: GPL-3.0-or-later
"""A run from its settings to its network: the folder that it fills, and how it goes on after a
stop.

    network.nnue     the network: the best by the loss of its integers so far, checked at the end
    metrics.csv      a line for each report
    checkpoint.pt    what a stopped run goes on from
    report.json      settings, data, origin of the labels, final figures, the match
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from kingcobra.core.network_objects import network_object
from kingcobra.core.objects import CORE
from kingcobra.core.selfplay_objects import SELF_PLAY
from kingcobra.kernel.build import Builder
from kingcobra.networks.default_network import DEFAULT_NETWORK
from kingcobra.networks.file import load_network, read_network, write_network
from kingcobra.networks.network import Network
from kingcobra.networks.network_files import NetworkError
from kingcobra.training.data.blocks import DataError
from kingcobra.training.data.comparison import Distance
from kingcobra.training.data.packed import as_words
from kingcobra.training.model.exchange import ExportError
from kingcobra.training.model.integers import IntegerNetwork
from kingcobra.training.model.reshaping import ReshapeError, reshaped
from kingcobra.training.model.trainable import TrainableNetwork
from kingcobra.training.runs.export_check import check_export
from kingcobra.training.runs.file_positions import FilePositions
from kingcobra.training.runs.final_match import MatchResult, play_match
from kingcobra.training.runs.harvesting import Harvest, HarvestSource
from kingcobra.training.runs.holdouts import distances_of, read_holdouts
from kingcobra.training.runs.report import (
    MetricsFile,
    RunReport,
    metrics_line,
    network_description,
)
from kingcobra.training.runs.settings import RunSettings, SettingsError
from kingcobra.training.runs.store import PositionStore
from kingcobra.training.runs.time_plan import TimePlan
from kingcobra.training.runs.trainer import HopelessRun, Metrics, Trainer
from kingcobra.training.selfplay.player import DEFAULT, TEACHER, Objects, Teacher

NETWORK_FILE = "network.nnue"
METRICS_FILE = "metrics.csv"
CHECKPOINT_FILE = "checkpoint.pt"
REPORT_FILE = "report.json"
# How often the learner takes in what was harvested.
COLLECT_S = 0.5

Report = Callable[[str], None]


class RunResult(NamedTuple):
    """What a run came to. The match is None where none was played."""

    network: Path
    loss: float
    match: MatchResult | None


def train(
    settings: RunSettings, folder: Path, report: Report, deadline_s: float | None = None
) -> RunResult:
    """Trains as the settings say and writes into the folder, going on from a checkpoint that lies
    there. With a deadline, everything is done so many seconds from now. May raise SettingsError,
    DataError, HopelessRun, ExportError, CheckError, OSError, and what loading networks and
    self-play may raise."""
    return _Run(settings, folder, report, deadline_s).result()


class _Run:
    """The steps of a run and what they hand on to each other."""

    def __init__(
        self, settings: RunSettings, folder: Path, report: Report, deadline_s: float | None
    ) -> None:
        match_s = settings.match.seconds if settings.match.versus else 0.0
        self._plan = TimePlan(settings.training.seconds, match_s, deadline_s)
        self._settings = settings
        self._folder = folder
        self._report = report
        self._source: HarvestSource | None = None
        self._harvest: Harvest | None = None
        self._origins: list[dict[str, Any]] = []
        self._kept_loss = float("inf")
        self._collected_at = 0.0
        self._torch_threads = torch.get_num_threads()

    def result(self) -> RunResult:
        self._folder.mkdir(parents=True, exist_ok=True)
        self._device = _device(self._settings)
        self._holdouts = read_holdouts(self._settings.data.holdouts, self._report)
        self._compile_ahead()
        try:
            self._store, validation = self._positions()
            trainer = Trainer(self._settings, self._start(), self._store, validation)
            self._go_on(trainer)
            self._begin_harvest(trainer.steps)
            trainer.warm_up(self._report)
            self._wait_for_positions(trainer)
            prepared_s = self._plan.elapsed_s()
            final = self._learn(trainer)
        finally:
            self._end_harvest()
        learnt_s = self._plan.elapsed_s()
        network = self._folder / NETWORK_FILE
        checked = check_export(network, validation, self._report)
        holdouts = self._measure_holdouts(network)
        match = self._match(network)
        best_loss = trainer.best.loss if trainer.best else final.exported_loss
        RunReport(
            settings=self._settings,
            labels=self._origins,
            device=str(self._device),
            positions=self._made(),
            final=final,
            best_loss=best_loss,
            checked_positions=checked,
            holdouts=holdouts,
            seconds={
                "prepared": prepared_s,
                "learnt": learnt_s,
                "finished": self._plan.elapsed_s(),
            },
            match=match,
        ).write(self._folder / REPORT_FILE)
        return RunResult(network, best_loss, match)

    def _compile_ahead(self) -> None:
        """Everything that is compiled, side by side, before the cores and the device are busy.
        Raises what compiling and loading may raise."""
        specs = [CORE, network_object(self._settings.network.architecture())]
        harvest = self._settings.harvest
        wanted = {harvest.teacher, *harvest.students, self._settings.match.versus}
        names = sorted(wanted - {"", TEACHER})
        if names:
            specs.append(SELF_PLAY)
        builders = [Builder(spec, self._report) for spec in specs]
        tasks: list[Callable[[], object]] = [builder.obtain for builder in builders]
        tasks += [partial(Teacher.named, name, self._report) for name in names]
        with ThreadPoolExecutor(len(tasks)) as pool:
            outcomes = [pool.submit(task) for task in tasks]
            try:
                for outcome in outcomes:
                    outcome.result()
            except BaseException:
                for builder in builders:
                    builder.cancel()
                raise

    # --- positions ----------------------------------------------------------------------------

    def _positions(self) -> tuple[PositionStore, Tensor]:
        """Positions to learn from, and to validate with."""
        data, harvest = self._settings.data, self._settings.harvest
        held = None
        files = FilePositions((), ())
        if data.train:
            files = FilePositions.read(data.train, data.max_score, self._report)
            self._origins += files.origins
        if data.validation:
            validation = FilePositions.read([data.validation], data.max_score, self._report)
            held = validation.sample(data.validation_positions)
        if harvest.teacher:
            self._source = HarvestSource(harvest, Objects.obtain(self._report), self._report)
            self._origins.append(self._source.origin)
            if held is None:
                held = self._source.validation(data.validation_positions)
        elif held is None:
            held = files.hold_back(data.validation_positions)
        self._warn_of_units()
        found = len(files)
        capacity = max(found, harvest.capacity) if harvest.teacher else found
        store = PositionStore(capacity, self._device)
        files.hand_on(store)
        self._report(
            f"{found} positions to train on{' and a harvest' if self._source else ''},"
            f" {len(held)} to validate with, on {self._device}"
        )
        return store, torch.from_numpy(as_words(held).copy()).to(self._device)

    def _warn_of_units(self) -> None:
        """Labels of two networks may mean different things by the same number."""
        units = {origin["raw_per_pawn"] for origin in self._origins if "raw_per_pawn" in origin}
        if len(units) > 1:
            listed = ", ".join(str(unit) for unit in sorted(units))
            self._report(f"the labels differ in unit, and stay so: {listed} raw are a pawn")

    def _begin_harvest(self, steps: int) -> None:
        """Has the cores play, after so many steps of learning already."""
        if self._source is not None:
            self._harvest = self._source.background(steps)
            self._harvest.start()
            self._store.favours_new = True
            self._share_cpus(self._source.threads)

    def _share_cpus(self, harvesting: int) -> None:
        """Leaves the CPUs of the harvest to it where the CPU is the device that learns."""
        if self._device.type == "cpu":
            free = max((os.cpu_count() or 1) - harvesting, 1)
            torch.set_num_threads(min(free, self._torch_threads))

    def _wait_for_positions(self, trainer: Trainer) -> None:
        """Until the harvest has made as many as learning begins with."""
        if self._harvest is None:
            return
        wanted = min(self._settings.harvest.first_positions, self._store.capacity)
        while self._store.count < wanted and self._plan.learning_left_s(trainer.seconds) > 0:
            self._harvest.wait(COLLECT_S)
            self._store.add(self._harvest.collect())
        if not self._store.count and not trainer.steps:
            raise DataError("the harvest found no positions in time")
        self._report(f"learning begins with {self._store.count} positions")

    def _collect(self, progress: float) -> None:
        """Between steps: takes in what was harvested, and ends the harvest in time."""
        if self._harvest is None or time.monotonic() - self._collected_at < COLLECT_S:
            return
        self._collected_at = time.monotonic()
        self._store.add(self._harvest.collect())
        if progress >= self._settings.harvest.until:
            self._end_harvest()

    def _end_harvest(self) -> None:
        if self._harvest is not None:
            self._harvest.stop()
            self._store.favours_new = False
            self._share_cpus(0)

    def _made(self) -> int:
        """Positions that there were to learn from, as far as they were kept or replaced."""
        return max(self._store.count, self._harvest.positions if self._harvest else 0)

    # --- learning -----------------------------------------------------------------------------

    def _start(self) -> TrainableNetwork:
        chosen = self._settings.network
        architecture = chosen.architecture()
        torch.manual_seed(chosen.seed)
        if not chosen.warm_start:
            return TrainableNetwork(architecture)
        name = DEFAULT_NETWORK if chosen.warm_start == DEFAULT else chosen.warm_start
        network = load_network(name)
        try:
            start = reshaped(network, architecture)
        except ReshapeError as error:
            raise SettingsError(f"network.warm_start {name}: {error}") from None
        self._report(f"starting from {name}")
        return start

    def _go_on(self, trainer: Trainer) -> None:
        """Takes up a run that was stopped, with the best network that it had."""
        checkpoint, network = self._folder / CHECKPOINT_FILE, self._folder / NETWORK_FILE
        if not checkpoint.exists():
            return
        trainer.restore(checkpoint)
        self._report(f"{checkpoint}: going on after {trainer.seconds:.0f} s")
        try:
            self._kept_loss, _ = trainer.consider(self._read(network))
        except NetworkError:
            self._kept_loss = float("inf")  # none yet, or damaged

    def _learn(self, trainer: Trainer) -> Metrics:
        left = self._plan.learning_left_s(trainer.seconds)
        if not left and not trainer.steps:
            raise SettingsError(f"no time to learn: preparing took {self._plan.elapsed_s():.0f} s")
        trainer.total_seconds = trainer.seconds + left
        with MetricsFile(self._folder / METRICS_FILE) as history:

            def tell(metrics: Metrics) -> None:
                history.append(metrics)
                harvest = f", {self._harvest.positions} harvested" if self._harvest else ""
                self._report(metrics_line(metrics) + harvest)

            try:
                final = trainer.run(tell, self._keep, self._collect)
            except KeyboardInterrupt:
                self._keep(trainer)
                raise
            except (HopelessRun, ExportError):
                self._keep_network(trainer)
                raise
        self._keep(trainer)
        return final

    def _keep(self, trainer: Trainer) -> None:
        """Writes the best network, if there is a better one, and a checkpoint."""
        self._keep_network(trainer)
        trainer.save(self._folder / CHECKPOINT_FILE)

    def _keep_network(self, trainer: Trainer) -> None:
        if trainer.best is not None and trainer.best.loss < self._kept_loss:
            description = network_description(self._settings, self._origins).encode()
            network = trainer.best.network._replace(description=description)
            write_network(network, self._folder / NETWORK_FILE)
            self._kept_loss = trainer.best.loss

    # --- the end ------------------------------------------------------------------------------

    def _read(self, network: Path) -> Network:
        squared = self._settings.network.architecture().squared or None
        return read_network(network, squared=squared)

    def _measure_holdouts(self, network: Path) -> dict[str, list[Distance]]:
        """How far the network is from the labels of each holdout, by its name."""
        measured: dict[str, list[Distance]] = {}
        if not self._holdouts:
            return measured
        integers = IntegerNetwork(self._read(network), self._device)
        for holdout in self._holdouts:
            distances = distances_of(integers, holdout, self._device)
            self._report(f"{holdout.name}: loss {distances[0].loss:.6f}")
            measured[holdout.name] = distances
        return measured

    def _match(self, network: Path) -> MatchResult | None:
        if not self._settings.match.versus:
            return None
        seconds = self._plan.match_left_s()
        if seconds <= 0:
            self._report("no time is left for the match")
            return None
        self._report(f"a match against {Path(self._settings.match.versus).name}, {seconds:.0f} s")
        return play_match(self._settings.match, network, seconds, self._report)


def _device(settings: RunSettings) -> torch.device:
    wanted = settings.training.device
    if wanted == "auto":
        wanted = "cuda" if torch.cuda.is_available() else "cpu"
    try:
        return torch.zeros(1, device=wanted).device
    except (RuntimeError, AssertionError) as error:
        reason = str(error).splitlines()[0]
        raise SettingsError(f"training.device {wanted!r}: {reason}") from error

# SPDX-License-Identifier: GPL-3.0-or-later
"""The training loop: bounded by time, told as it goes, and ended when it is hopeless."""

import io
import math
import pickle
import time
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor

from kingcobra.errors import first_line
from kingcobra.file_writing import draft_of
from kingcobra.networks.network import Network
from kingcobra.training.data.blocks import DataError
from kingcobra.training.model.decoding import decode
from kingcobra.training.model.exchange import exported
from kingcobra.training.model.integers import IntegerNetwork
from kingcobra.training.model.scales import HIDDEN_LIMIT, OUTPUT_ONE
from kingcobra.training.model.trainable import TrainableNetwork
from kingcobra.training.model.transformer import can_group
from kingcobra.training.runs.captured_step import CapturedStep
from kingcobra.training.runs.settings import RunSettings
from kingcobra.training.runs.store import PositionStore

BETAS = (0.9, 0.99)
VALIDATION_BATCH = 16_384
# Where measuring is slow, reports come less often than asked for: learning gets so much more time.
LEARNT_PER_REPORT = 10
# Errors are measured where games are decided: within about thirteen pawns.
COUNTED_RAW = 48_000
# When so many neurons are dead, or weights at their limits, the run is hopeless.
HOPELESS_DEAD = 0.9
HOPELESS_SATURATED = 0.5
SATURATED = 0.999 * HIDDEN_LIMIT
# What reading a checkpoint may raise when it is damaged or another network's.
NOT_A_CHECKPOINT = (
    RuntimeError,
    pickle.UnpicklingError,
    EOFError,
    KeyError,
    TypeError,
    ValueError,
)
# The kind of device on which steps are compiled.
GPU = "cuda"


class HopelessRun(Exception):
    """Training that leads nowhere; the message says why."""


@dataclass(frozen=True)
class Metrics:
    """A line of a run's history. Losses of validation come twice: from the trainer's numbers and
    from the integers of an export. The error is the integers', in raw units."""

    seconds: float
    steps: int
    positions: int
    rate: float
    training_loss: float
    validation_loss: float
    exported_loss: float
    exported_error: float
    dead_share: float
    saturated_share: float


class BestNetwork(NamedTuple):
    """The export with the least loss of validation so far."""

    loss: float
    network: Network


class Trainer:
    """Trains one network on the positions of a store."""

    def __init__(
        self,
        settings: RunSettings,
        network: TrainableNetwork,
        store: PositionStore,
        validation: Tensor,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._settings = settings
        self._store = store
        self._validation = validation
        self._clock = clock
        device = validation.device
        self.network = network.to(device)
        on_gpu = device.type == GPU
        training = settings.training
        self._captures = on_gpu and training.compiled and training.captured
        self._rate = training.peak_rate
        self._optimiser = torch.optim.AdamW(
            network.parameters(),
            betas=BETAS,
            eps=training.epsilon,
            weight_decay=0.0,
            fused=True,
        )
        self._prepare_optimiser()
        self._generator = torch.Generator(device=device).manual_seed(settings.network.seed)
        self.network.grouped = on_gpu and can_group(device)
        self._learn = self._gradients
        self._step = self._launched_step
        self.steps = 0
        self.seconds = 0.0
        # How long training takes as a whole, counted as `seconds` is; may be changed before `run`.
        self.total_seconds = settings.training.seconds
        self.best: BestNetwork | None = None
        self._progress = 0.0
        self._loss_sum = torch.zeros((), device=device)
        self._loss_steps = 0
        self._last_loss = math.nan

    def warm_up(self, report: Callable[[str], None]) -> None:
        """Has PyTorch compile the step where that pays, before the clock runs. `report` hears why
        training will be slower than it could be. On a GPU the process's single-precision products
        may round their factors from then on: PyTorch has that setting once, for all."""
        if self._validation.device.type != GPU or not self._settings.training.compiled:
            return
        # Products of dense layers may round their factors (TF32): several times as fast.
        torch.set_float32_matmul_precision("high")
        if not self.network.grouped:
            report("this GPU has no grouped matrix products: rows are looked up one by one")
            return
        words = self._validation[:1].repeat(self._settings.training.batch, 1)
        learn = torch.compile(self._gradients, dynamic=False)
        try:
            for rounds in (False, True):
                learn(words, rounds)
        except Exception as error:  # a compiler may fail in any way
            report(f"without torch.compile: {first_line(error)}")
            return
        finally:
            self._optimiser.zero_grad(set_to_none=True)
        self._learn = learn
        if self._captures:
            self._capture(words, report)

    def _capture(self, words: Tensor, report: Callable[[str], None]) -> None:
        try:
            self._create_moments()
            self._step = CapturedStep(self._launched_step, words)
        except RuntimeError as error:
            report(f"without CUDA graphs: {first_line(error)}")
        self._optimiser.zero_grad(set_to_none=True)

    def _prepare_optimiser(self) -> None:
        """Brings the optimiser's rate to where a recorded step finds it: into the device's
        memory."""
        for group in self._optimiser.param_groups:
            group["lr"] = torch.tensor(self._rate, device=self._validation.device)
            group["capturable"] = self._captures

    def _create_moments(self) -> None:
        """Has the optimiser create its tensors, which it does at its first step: one that learns
        nothing and is not counted."""
        if self._optimiser.state:
            return
        for parameter in self.network.parameters():
            parameter.grad = torch.zeros_like(parameter)
        with warnings.catch_warnings():
            # PyTorch would rather see this step recorded, too.
            warnings.simplefilter("ignore")
            self._optimiser.step()
        for state in self._optimiser.state.values():
            state["step"].zero_()
        self._optimiser.zero_grad(set_to_none=True)

    def run(
        self,
        report: Callable[[Metrics], None],
        keep: Callable[["Trainer"], None],
        between: Callable[[float], None] = lambda _progress: None,
    ) -> Metrics:
        """Trains until the time is over; `report` hears how it goes, `keep` may save what there is,
        and `between` is called after each step with the share of the run that is over. HopelessRun
        ends it early."""
        training = self._settings.training
        started = self._clock() - self.seconds
        next_report = self.seconds + training.report_seconds
        next_keep = self.seconds + training.checkpoint_seconds
        while True:
            seconds = self._clock() - started
            if seconds >= self.total_seconds:
                self.seconds = self.total_seconds
                break
            self.seconds = seconds
            self._set_rate(self.seconds / self.total_seconds)
            self.train_step()
            between(self._progress)
            if self.seconds >= next_report:
                report(self.measured())
                cost_s = self._clock() - started - self.seconds
                next_report = self.seconds + max(
                    training.report_seconds, cost_s * LEARNT_PER_REPORT
                )
            if self.seconds >= next_keep:
                keep(self)
                next_keep = self.seconds + training.checkpoint_seconds
        is_new = self._loss_steps > 0
        final = self.measured()
        if is_new:
            report(final)
        return final

    def _set_rate(self, progress: float) -> None:
        self._progress = progress
        self._rate = self._settings.training.schedule().rate(progress)
        for group in self._optimiser.param_groups:
            group["lr"].fill_(self._rate)

    def train_step(self) -> None:
        """Learns from one batch, at the rate that was set last."""
        words = self._store.draw(self._settings.training.batch, self._generator)
        rounds = self._settings.training.schedule().rounds(self._progress)
        self._loss_sum += self._step(words, rounds)
        self._loss_steps += 1
        self.steps += 1

    def _launched_step(self, words: Tensor, rounds: bool) -> Tensor:
        loss = self._learn(words, rounds)
        self._optimiser.step()
        self._optimiser.zero_grad(set_to_none=True)
        self.network.clip()
        return loss

    def _gradients(self, words: Tensor, rounds: bool) -> Tensor:
        loss = self._loss(words, rounds)
        loss.backward()
        return loss.detach()

    def _loss(self, words: Tensor, rounds: bool) -> Tensor:
        architecture = self.network.architecture
        batch = decode(words, architecture.features, architecture.stacks)
        values = self.network(batch.views, batch.stack, rounds)
        return self._settings.loss.loss(values, batch.labels)

    @torch.no_grad()
    def measured(self) -> Metrics:
        """How good the network is now. HopelessRun where that is nothing to go on with."""
        for name, parameter in self.network.named_parameters():
            if not torch.isfinite(parameter).all():
                raise HopelessRun(f"{name} is not finite after {self.steps} steps")
        if self._loss_steps:
            self._last_loss = (self._loss_sum / self._loss_steps).item()
            self._loss_sum.zero_()
            self._loss_steps = 0
            if not math.isfinite(self._last_loss):
                raise HopelessRun(f"the loss is {self._last_loss} after {self.steps} steps")
        dead, saturated = self._dead_share(), self._saturated_share()
        if dead > HOPELESS_DEAD:
            raise HopelessRun(f"{dead:.0%} of the accumulator's neurons are dead")
        if saturated > HOPELESS_SATURATED:
            raise HopelessRun(f"{saturated:.0%} of the first layer's weights are at their limit")
        losses = [self._loss(part, False).item() * len(part) for part in self._parts()]
        exported_loss, error = self.consider(exported(self.network, ""))
        return Metrics(
            seconds=self.seconds,
            steps=self.steps,
            positions=self.steps * self._settings.training.batch,
            rate=self._rate,
            training_loss=self._last_loss,
            validation_loss=sum(losses) / len(self._validation),
            exported_loss=exported_loss,
            exported_error=error,
            dead_share=dead,
            saturated_share=saturated,
        )

    def _parts(self) -> tuple[Tensor, ...]:
        return torch.split(self._validation, VALIDATION_BATCH)

    @torch.no_grad()
    def consider(self, network: Network) -> tuple[float, float]:
        """Loss and root mean square error of an exported network, which is the best from now on if
        there was none as good."""
        integers = IntegerNetwork(network, self._validation.device)
        architecture = self.network.architecture
        loss = squares = counted = 0.0
        for part in self._parts():
            labels = decode(part, architecture.features, architecture.stacks).labels
            raw = integers.evaluate(part).total
            loss += self._settings.loss.loss(raw / OUTPUT_ONE, labels).item() * len(part)
            near = labels.score.abs() <= COUNTED_RAW
            squares += ((raw - labels.score)[near].double() ** 2).sum().item()
            counted += near.sum().item()
        loss /= len(self._validation)
        if self.best is None or loss <= self.best.loss:
            self.best = BestNetwork(loss, network)
        return loss, math.sqrt(squares / max(counted, 1))

    def _dead_share(self) -> float:
        """Accumulator neurons that no position of the validation set wakes."""
        architecture = self.network.architecture
        part = self._validation[:VALIDATION_BATCH]
        views = decode(part, architecture.features, architecture.stacks).views
        transformer = self.network.transformer
        sums, _ = transformer.by_bags(views, transformer.table())
        return (sums.amax(dim=0) + transformer.biases <= 0).float().mean().item()

    def _saturated_share(self) -> float:
        return (self.network.fc0_weights().abs() >= SATURATED).float().mean().item()

    # --- checkpoints --------------------------------------------------------------------------

    def save(self, path: Path) -> None:
        """Everything that `restore` needs, written as a whole or not at all. May raise OSError."""
        state: dict[str, Any] = {
            "network": self.network.state_dict(),
            "optimiser": self._optimiser.state_dict(),
            "generator": self._generator.get_state(),
            "rate": self._rate,
            "steps": self.steps,
            "seconds": self.seconds,
            "loss": self._last_loss,
        }
        content = io.BytesIO()  # PyTorch's own writing would hide what the file system says
        torch.save(state, content)
        with draft_of(path) as draft:
            draft.write_bytes(content.getbuffer())

    def restore(self, path: Path) -> None:
        """Goes on where a checkpoint was saved; before `warm_up`, which records where things are.
        DataError for a file that is none of this network's. May raise OSError."""
        try:
            state = torch.load(path, map_location=self._validation.device, weights_only=True)
            self.network.load_state_dict(state["network"])
            self._optimiser.load_state_dict(state["optimiser"])
            self._rate = state.get("rate", self._rate)
            self._prepare_optimiser()
            self.steps, self.seconds = state["steps"], state["seconds"]
            self._restore_generator(state["generator"].cpu())
            self._last_loss = state["loss"]
        except NOT_A_CHECKPOINT as error:
            name = self.network.architecture.name
            raise DataError(
                f"{path}: damaged, or of another network than {name}; remove it or choose another"
                " folder (--output)"
            ) from error

    def _restore_generator(self, saved: Tensor) -> None:
        """Goes on with the random numbers of a checkpoint. A GPU's generator and a CPU's do not
        understand each other: after such a move new numbers are drawn."""
        if saved.numel() == self._generator.get_state().numel():
            self._generator.set_state(saved)
        else:
            self._generator.manual_seed(self._settings.network.seed + self.steps)
